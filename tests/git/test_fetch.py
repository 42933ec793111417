"""Heads come in one call; what moved, went or never was fails nobody else."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Wanted
from mergequeue.vocabulary.errors import GIT_FAILED, NO_BASE, SHALLOW, MergequeueError
from mergequeue.vocabulary.ids import BranchName, CommitId, RefName, branch_ref
from tests.support.repositories import Playground, wrapped_git

GONE = CommitId("1" * 40)


@pytest.fixture
def main(playground: Playground) -> CommitId:
    return playground.branch("main", playground.commit({"f": "1"}))


@pytest.fixture
def counted(tmp_path: Path) -> tuple[dict[str, str], Path]:
    """An environment whose git writes down each command that it is started with."""
    log = tmp_path / "log"
    return wrapped_git(tmp_path / "bin", f'echo "$@" >> {log}'), log


@pytest.fixture
def workshop(playground: Playground, main: CommitId) -> Iterator[Workshop]:
    with open_workshop(playground.clone(), "origin") as opened:
        assert opened.reads.commit(main).id == main
        yield opened


def commands(log: Path) -> list[str]:
    return [line for line in log.read_text().splitlines() if "--git-dir" in line]


def test_many_heads_come_in_a_handful_of_processes(
    playground: Playground, main: CommitId, counted: tuple[dict[str, str], Path]
) -> None:
    heads = [playground.commit({"f": str(number)}, parents=main) for number in range(150)]
    for number, head in enumerate(heads):
        playground.branch(f"refs/pull/{number}/head", head)
    wanted = [Wanted(head, RefName(f"refs/pull/{n}/head")) for n, head in enumerate(heads)]
    with open_workshop(playground.clone(), "origin", counted[0]) as workshop:
        counted[1].write_text("")
        assert workshop.reads.fetch_commits(wanted) == frozenset()
        assert len(commands(counted[1])) <= 4
        assert len(workshop.reads.graph(heads, main).parents) == 150
        counted[1].write_text("")
        assert workshop.reads.fetch_commits(wanted) == frozenset()
        assert not any("fetch" in line for line in commands(counted[1]))


def test_what_the_checkout_has_is_not_asked_of_the_remote(
    playground: Playground, main: CommitId
) -> None:
    head = playground.branch("change", playground.commit({"f": "2"}, parents=main))
    clone = playground.clone()
    playground.origin.rename(playground.folder / "away.git")
    with open_workshop(clone, "origin") as workshop:
        assert workshop.reads.fetch_commits([Wanted(head), Wanted(main)]) == frozenset()


def test_a_head_is_wanted_by_its_commit_where_its_reference_moved_or_went(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    moved, went, never, fine = (
        playground.commit({"f": text}, parents=main) for text in ("m", "w", "n", "f")
    )
    playground.branch("moved", playground.commit({"f": "elsewhere"}, parents=main))
    playground.branch("fine", fine)
    missing = workshop.reads.fetch_commits(
        [
            Wanted(moved, branch_ref("moved")),
            Wanted(went, branch_ref("went")),
            Wanted(never),
            Wanted(GONE, branch_ref("fine")),
            Wanted(fine, branch_ref("fine")),
        ]
    )
    assert missing == {GONE}
    for head in (moved, went, never, fine):
        assert workshop.reads.commit(head).parents == (main,)


def test_many_that_are_gone_fail_nobody_else(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    heads = [playground.commit({"f": str(number)}, parents=main) for number in range(5)]
    gone = [CommitId(f"{number:040x}") for number in range(1, 4)]
    mixed = [Wanted(each) for pair in zip(heads, gone, strict=False) for each in pair]
    assert workshop.reads.fetch_commits([*mixed, *map(Wanted, heads)]) == set(gone)


def test_a_remote_that_does_not_answer_is_an_error_and_no_missing_commit(
    playground: Playground, workshop: Workshop
) -> None:
    playground.origin.rename(playground.folder / "away.git")
    with pytest.raises(MergequeueError) as error:
        workshop.reads.fetch_commits([Wanted(GONE)])
    assert error.value.code == GIT_FAILED.code
    with pytest.raises(MergequeueError) as error:
        workshop.reads.fetch_branch(BranchName("main"))
    assert error.value.code == GIT_FAILED.code


def test_a_remote_that_goes_away_in_between_is_an_error_and_no_missing_commit(
    playground: Playground, main: CommitId, tmp_path: Path
) -> None:
    head = playground.commit({"f": "2"}, parents=main)
    playground.branch("moved", playground.commit({"f": "3"}, parents=main))
    second = (
        f"test -e {tmp_path}/first && mv {playground.origin} {tmp_path}/away; : > {tmp_path}/first"
    )
    outer = wrapped_git(tmp_path / "bin", f'case "$*" in *" fetch "*) {second};; esac')
    with (
        open_workshop(playground.clone(), "origin", outer) as workshop,
        pytest.raises(MergequeueError) as error,
    ):
        workshop.reads.fetch_commits([Wanted(head, branch_ref("moved"))])
    assert (tmp_path / "away").exists()
    assert error.value.code == GIT_FAILED.code


def test_a_commit_without_its_whole_history_is_not_there(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    below = playground.commit({"f": "2"}, parents=main)
    head = playground.branch("change", playground.commit({"f": "3"}, parents=below))
    workshop.repository.write(1, playground.repository[head].read_raw())
    assert workshop.reads.fetch_commits([Wanted(head, branch_ref("change"))]) == frozenset()
    assert workshop.reads.commit(below).parents == (main,)


def test_a_shallow_remote_is_refused_by_name(playground: Playground, main: CommitId) -> None:
    later = playground.branch("main", playground.commit({"f": "2"}, parents=main))
    clone = playground.clone()
    shallow = playground.clone("shallow", depth="1", bare=True)
    between = playground.commit({"f": "3"}, parents=later)
    playground.branch("main", playground.commit({"f": "4"}, parents=between))
    playground.run("fetch", "--quiet", "--depth=1", "origin", "+main:main", cwd=shallow)
    playground.run("remote", "set-url", "origin", str(shallow), cwd=clone)
    with open_workshop(clone, "origin") as workshop, pytest.raises(MergequeueError) as error:
        workshop.reads.fetch_branch(BranchName("main"))
    assert error.value.code == SHALLOW.code


# --- names ---------------------------------------------------------------------------------------


def test_a_branch_that_the_remote_lacks_is_no_base(workshop: Workshop) -> None:
    with pytest.raises(MergequeueError) as error:
        workshop.reads.fetch_branch(BranchName("nowhere"))
    assert error.value.code == NO_BASE.code


def test_a_tag_and_a_branch_of_one_name_are_never_confused(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    other = playground.commit({"f": "other"}, parents=main)
    for name in ("refs/tags/main", "refs/tags/refs/heads/main", "refs/heads/refs/heads/main"):
        playground.branch(name, other)
    assert workshop.reads.fetch_branch(BranchName("main")) == main
    playground.delete_branch("main")
    with pytest.raises(MergequeueError) as error:
        workshop.reads.fetch_branch(BranchName("main"))
    assert error.value.code == NO_BASE.code


@pytest.mark.parametrize(
    "name", ["a;b", "$(touch${IFS}pwned)", "`id`", "${{x}}", "'\"", "$(id)", "ü", "a/-b"]
)
def test_a_branch_named_like_a_shells_words_is_a_branch(
    playground: Playground, workshop: Workshop, main: CommitId, name: str
) -> None:
    head = playground.branch(name, playground.commit({"f": name}, parents=main))
    assert workshop.reads.fetch_branch(BranchName(name)) == head
    assert workshop.reads.list_refs([branch_ref(name)]) == {branch_ref(name): head}


def test_references_are_listed_by_prefix_with_names_of_any_bytes(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    playground.branch("mq/squash/a", main)
    playground.branch("refs/mergequeue/state/main", main)
    packed = playground.origin / "packed-refs"
    packed.write_bytes(b"%s refs/heads/mq/odd\xff\n" % main.encode())
    assert workshop.reads.list_refs(["refs/heads/mq/"]) == {
        "refs/heads/mq/odd\udcff": main,
        "refs/heads/mq/squash/a": main,
    }
    assert workshop.reads.list_refs(["refs/mergequeue/"]) == {"refs/mergequeue/state/main": main}
    assert workshop.reads.list_refs(["refs/heads/none"]) == {}


def test_nothing_is_written_but_private_references(
    playground: Playground, workshop: Workshop, main: CommitId
) -> None:
    head = playground.branch("change", playground.commit({"f": "2"}, parents=main))
    playground.branch("refs/tags/t", head)
    workshop.reads.fetch_commits([Wanted(head, branch_ref("change"))])
    refs = workshop.git.run("for-each-ref", "--format=%(refname)").out.decode().split()
    assert all(name.startswith("refs/fetched/") for name in refs)
    assert not (workshop.objects.parent / "FETCH_HEAD").exists()


def test_fetches_of_several_threads_wait_for_each_other(
    playground: Playground, main: CommitId, tmp_path: Path
) -> None:
    heads = [playground.commit({"f": str(number)}, parents=main) for number in range(8)]
    busy, twice = tmp_path / "busy", tmp_path / "twice"
    script = (
        f'case "$*" in *" fetch "*) mkdir {busy} || : > {twice}; '
        f'git "$@"; status=$?; rmdir {busy}; exit $status;; esac'
    )
    clone = playground.clone()
    with open_workshop(clone, "origin", wrapped_git(tmp_path / "bin", script)) as workshop:
        fetch = workshop.reads.fetch_commits
        with ThreadPoolExecutor(4) as pool:
            missing = list(pool.map(lambda head: fetch([Wanted(head)]), heads))
    assert missing == [frozenset()] * 8
    assert not twice.exists()
