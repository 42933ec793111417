"""All references move or none, each from where it was expected."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import PushOutcome, RefMove
from mergequeue.vocabulary.errors import GIT_FAILED, MergequeueError
from mergequeue.vocabulary.ids import CommitId, RefName, branch_ref
from tests.support.repositories import Playground, wrapped_git

MAIN = branch_ref("main")


@pytest.fixture
def commits(playground: Playground) -> list[CommitId]:
    """A line of four; main is at the second, and the clone has them all."""
    made = [playground.commit({"f": "0"})]
    for number in range(1, 4):
        made.append(playground.commit({"f": str(number)}, parents=made[-1]))
    playground.branch("all", made[3])
    playground.branch("main", made[1])
    return made


@pytest.fixture
def workshop(playground: Playground, commits: list[CommitId]) -> Iterator[Workshop]:
    clone = playground.clone()
    playground.delete_branch("all")
    with open_workshop(clone, "origin") as opened:
        assert opened.reads.commit(commits[3]).id == commits[3]
        yield opened


def test_references_are_moved_created_and_deleted_in_one_push(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    playground.branch("mq/squash/a", commits[2])
    pushed = workshop.pushes.push(
        [
            RefMove(MAIN, commits[2], commits[1]),
            RefMove(branch_ref("mq/squash/a"), None, commits[2]),
            RefMove(RefName("refs/mergequeue/state/main"), commits[0], None),
        ]
    )
    assert pushed.outcome is PushOutcome.DONE
    assert playground.refs() == {MAIN: commits[2], "refs/mergequeue/state/main": commits[0]}


def test_a_commit_of_the_queues_own_is_pushed(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    facts = workshop.reads.commit(commits[1])
    who = (facts.author, facts.author_date)
    made = workshop.builds.write_commit(
        facts.tree, [commits[1], commits[2]], "m\n", author=who, committer=who
    )
    assert workshop.pushes.push([RefMove(MAIN, made, commits[1])]).outcome is PushOutcome.DONE
    assert playground.log("main")[0] == made


@pytest.mark.parametrize(
    ("ref", "new", "expected"),
    [
        ("refs/heads/main", 3, 0),  # elsewhere
        ("refs/heads/main", 3, None),  # expected not to exist
        ("refs/heads/main", None, 0),  # elsewhere, to be deleted
        ("refs/heads/gone", 3, 1),  # deleted meanwhile
        ("refs/heads/gone", None, 1),  # deleted meanwhile, to be deleted
    ],
)
def test_a_reference_that_is_elsewhere_is_stale_and_nothing_moves(
    playground: Playground,
    workshop: Workshop,
    commits: list[CommitId],
    ref: str,
    new: int | None,
    expected: int | None,
) -> None:
    before = playground.refs()
    pushed = workshop.pushes.push(
        [
            RefMove(branch_ref("fresh"), commits[0], None),
            RefMove(
                RefName(ref),
                None if new is None else commits[new],
                None if expected is None else commits[expected],
            ),
        ]
    )
    assert pushed.outcome is PushOutcome.STALE
    assert playground.refs() == before


def test_a_branch_that_was_deleted_before_it_was_to_be_deleted_is_stale(
    workshop: Workshop, commits: list[CommitId]
) -> None:
    pushed = workshop.pushes.push([RefMove(branch_ref("gone"), None, commits[1])])
    assert pushed.outcome is PushOutcome.STALE


def test_a_reference_that_somebody_is_moving_right_now_is_stale(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    (playground.origin / "refs" / "heads" / "main.lock").touch()
    pushed = workshop.pushes.push([RefMove(MAIN, commits[2], commits[1])])
    assert pushed.outcome is PushOutcome.STALE
    assert playground.tip("main") == commits[1]


def test_a_lease_that_was_stale_for_a_moment_alone_is_stale(
    playground: Playground, commits: list[CommitId], tmp_path: Path
) -> None:
    move = f"git -C {playground.origin} update-ref {MAIN}"
    script = (
        f'case "$*" in *" push "*) {move} {commits[3]}; '
        f'git "$@"; status=$?; {move} {commits[1]}; exit $status;; esac'
    )
    outer = wrapped_git(tmp_path / "bin", script)
    with open_workshop(playground.clone(), "origin", outer) as workshop:
        pushed = workshop.pushes.push([RefMove(MAIN, commits[2], commits[1])])
    assert pushed.outcome is PushOutcome.STALE


def test_a_move_backwards_is_made_under_its_lease_and_refused_where_the_remote_says_so(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    assert workshop.pushes.push([RefMove(MAIN, commits[0], commits[1])]).outcome is PushOutcome.DONE
    playground.branch("main", commits[1])
    playground.run("config", "receive.denyNonFastForwards", "true")
    pushed = workshop.pushes.push([RefMove(MAIN, commits[0], commits[1])])
    assert pushed.outcome is PushOutcome.REJECTED
    assert "non-fast-forward" in pushed.reason
    assert playground.tip("main") == commits[1]


def test_a_remote_that_refuses_is_quoted_whole_and_nothing_moves(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    playground.hook("pre-receive", r"echo 'GH013: first'; printf 'second \033[31m\n' >&2; exit 1")
    before = playground.refs()
    pushed = workshop.pushes.push(
        [RefMove(MAIN, commits[2], commits[1]), RefMove(branch_ref("new"), commits[0], None)]
    )
    assert pushed.outcome is PushOutcome.REJECTED
    assert "GH013: first" in pushed.reason
    assert "second" in pushed.reason
    assert "\x1b" not in pushed.reason
    assert playground.refs() == before


def test_one_refused_reference_keeps_the_others_from_moving_and_is_the_one_named(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    playground.hook("update", 'case "$1" in refs/heads/new) echo not this; exit 1;; esac')
    pushed = workshop.pushes.push(
        [RefMove(MAIN, commits[2], commits[1]), RefMove(branch_ref("new"), commits[0], None)]
    )
    assert pushed.outcome is PushOutcome.REJECTED
    assert "refs/heads/new: hook declined" in pushed.reason
    assert "not this" in pushed.reason
    assert MAIN not in pushed.reason
    assert playground.refs() == {MAIN: commits[1]}


def test_a_refusal_while_the_branch_moved_is_stale(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    # The hook runs after the lease was held against what the remote advertised.
    playground.hook("pre-receive", f"env -u GIT_QUARANTINE_PATH git update-ref {MAIN} {commits[3]}")
    pushed = workshop.pushes.push([RefMove(MAIN, commits[2], commits[1])])
    assert pushed.outcome is PushOutcome.STALE
    assert playground.tip("main") == commits[3]


def test_a_push_whose_answer_is_lost_is_done_where_the_references_moved(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    playground.hook("post-receive", "kill -9 $PPID")
    pushed = workshop.pushes.push([RefMove(MAIN, commits[2], commits[1])])
    assert playground.tip("main") == commits[2]
    assert pushed.outcome is PushOutcome.DONE


def test_a_remote_that_does_not_answer_is_an_error(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    playground.origin.rename(playground.folder / "away.git")
    with pytest.raises(MergequeueError) as error:
        workshop.pushes.push([RefMove(MAIN, commits[2], commits[1])])
    assert error.value.code == GIT_FAILED.code


def test_a_remote_that_breaks_without_a_refusal_is_an_error(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    playground.hook("pre-receive", "kill -9 $PPID")
    with pytest.raises(MergequeueError) as error:
        workshop.pushes.push([RefMove(MAIN, commits[2], commits[1])])
    assert error.value.code == GIT_FAILED.code
    assert playground.tip("main") == commits[1]


def test_a_branch_named_like_a_shells_words_is_pushed(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    refs = [branch_ref(name) for name in ("a;b", "$(id)", "`id`", "${{x}}", "a'b\"")]
    made = workshop.pushes.push([RefMove(ref, commits[0], None) for ref in refs])
    moved = workshop.pushes.push([RefMove(ref, commits[1], commits[0]) for ref in refs])
    assert (made.outcome, moved.outcome) == (PushOutcome.DONE, PushOutcome.DONE)
    assert [playground.tip(ref) for ref in refs] == [commits[1]] * 5


def test_a_tag_of_the_same_name_is_left_alone(
    playground: Playground, workshop: Workshop, commits: list[CommitId]
) -> None:
    playground.branch("refs/tags/main", commits[0])
    assert workshop.pushes.push([RefMove(MAIN, commits[2], commits[1])]).outcome is PushOutcome.DONE
    assert playground.refs() == {MAIN: commits[2], "refs/tags/main": commits[0]}


def test_no_moves_are_done_without_asking(workshop: Workshop) -> None:
    assert workshop.pushes.push([]).outcome is PushOutcome.DONE
