"""What an author may try: an edit hidden in a merge, another's name, a push a moment too late."""

from collections.abc import Callable

import pytest
from pygit2 import Commit

from mergequeue.documents.capabilities import Committer
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.words import StatusState
from tests.support.applying import open_queue
from tests.support.forge import Forge
from tests.support.landings import LINES, edit, make_forge, pull, stack, text
from tests.support.repositories import Playground


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


def merge_of_base(forge: Forge, head: CommitId, extra: dict[str | bytes, str | None]) -> CommitId:
    """Return a merge of the base into a branch, with an edit hidden in it where there is any."""
    tip = forge.playground.tip("main")
    moved: dict[str | bytes, str | None] = {"b/two.txt": "moved\n", **extra}
    return forge.playground.commit(moved, parents=[head, tip], message="Merge branch 'main'\n")


@pytest.mark.parametrize("hidden", [False, True])
def test_a_review_beneath_a_merge_of_the_base_covers_it_when_it_adds_nothing(
    forge: Forge, *, hidden: bool
) -> None:
    reviewed = edit(forge, "a/new.txt", "new\n")
    forge.push_to_base({"b/two.txt": "moved\n"})
    head = merge_of_base(forge, reviewed, {"a/evil.txt": "evil\n"} if hidden else {})
    forge.open("1", head)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "1").approved_at = {reviewed}
        queue.apply()
    assert queue.codes() == {"1": "WAIT_NOT_APPROVED" if hidden else "merged"}
    assert text(forge, "a/evil.txt") is None


def test_an_approval_of_an_older_head_merges_nothing(forge: Forge) -> None:
    old = edit(forge, "a/new.txt", "new\n")
    forge.open("1", edit(forge, "a/evil.txt", "evil\n", on=old))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "1").approved_at = {old}
        queue.apply()
    assert queue.codes() == {"1": "WAIT_NOT_APPROVED"}


def test_an_update_commit_is_the_committers_and_never_the_heads_typed_authors(forge: Forge) -> None:
    forge.committer = Committer(name="queue bot", email="bot@example.invalid")
    one = edit(forge, "a/one.txt", LINES + "added\n")
    two = forge.playground.commit(
        {"a/one.txt": LINES}, parents=one, author=("An Admin", "admin@example.invalid")
    )
    forge.open("1", one)
    forge.open("2", two)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    pushed = forge.playground.repository[forge.merge_requests[1].commit].peel(Commit)
    assert forge.merge_requests[1].commit != two
    assert (pushed.author.email, pushed.committer.email) == ("bot@example.invalid",) * 2


@pytest.mark.parametrize("moment", ["before it is read", "before its merge", "while it merges"])
def test_a_push_after_validation_merges_nothing_and_is_not_green(forge: Forge, moment: str) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    late = edit(forge, "a/evil.txt", "evil\n")

    def push() -> None:
        forge.push("1", late)

    name, reading = {
        "before it is read": ("approvals_at 1", 0),
        "before its merge": ("approvals_at 1", 1),
        "while it merges": ("merge_change 1", 0),
    }[moment]
    quiet: list[Callable[[], object]] = [lambda: None] * reading
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        forge.before[name] = [*quiet, push]
        queue.apply()
    assert queue.code("1") == "WAIT_HEAD_MOVED"
    assert text(forge, "a/evil.txt") is None
    assert forge.list_green_now() == []


def test_a_green_status_on_a_branch_that_another_change_shares_merges_neither(forge: Forge) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    forge.open("5", head)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "5").shared_with = (pull(forge, "5").id,)
        queue.apply()
    assert queue.codes() == {"5": "KICK_REFUSED"}
    assert StatusState.SUCCESS not in [post.state for post in forge.posts]


def test_the_status_is_green_at_no_other_time_than_during_the_merge(forge: Forge) -> None:
    stack(forge)
    seen: list[list[str]] = []

    def look() -> None:
        seen.append([str(id_) for id_ in forge.list_green_now()])

    for id_ in ("1", "2", "3"):
        forge.before[f"merge_change {id_}"] = [look]
        forge.before[f"approvals_at {id_}"] = [look, look, look]
        forge.before[f"mark {id_} none"] = [look]
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.apply()
    assert [greens for greens in seen if greens] == [["1"], ["2"], ["3"]]
    assert len(seen) == 15
