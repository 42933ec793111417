"""Facts 3.9: when an approval of an older commit counts for a head that was only moved."""

from collections.abc import Sequence

import pytest

from mergequeue.changes.history import History
from mergequeue.documents.provider import Approval
from mergequeue.plan.carrying import (
    Moved,
    Other,
    decide_carried,
    moved_of,
    replay_of,
    unread_other,
)
from mergequeue.ports import Conflict, Resolved, Settled, ThreeWay
from mergequeue.vocabulary.ids import ChangeId, CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import ConflictKind, Method
from tests.support.graphs import Commits, commit_id
from tests.support.listings import queued

OWN, ONE, TWO = ChangeId("7"), ChangeId("1"), ChangeId("2")
TREE, OTHER_TREE = TreeId(commit_id("tree")), TreeId(commit_id("other"))
PATH = RepoPath(b"a.txt")


def base() -> Commits:
    """Return a base of three commits, b3 its tip."""
    commits = Commits()
    commits.line("b1", "b2", "b3")
    return commits


def asked(
    commits: Commits, *others: Other, old: str = "old", now: str = "now", on: str | None = None
) -> ThreeWay | str:
    """Return the replay of a change approved at `old` whose head is `now`."""
    stack_base = None if on is None else commit_id(on)
    moved = Moved(OWN, commit_id(old), commit_id(now), stack_base)
    heads = [moved.old, moved.now, *(other.head for other in others)]
    graph = commits.graph(heads, commit_id("b3"))
    return replay_of(moved, others, History(graph, heads))


def merge(onto: str, theirs: str, base: str) -> ThreeWay:
    """Return the replay that is expected."""
    return ThreeWay(commit_id(onto), commit_id(theirs), commit_id(base))


def other(id_: ChangeId, head: str, *, is_queued: bool = True) -> Other:
    """Return another change of the listing."""
    return Other(id_, commit_id(head), is_queued)


def test_a_rebase_is_replayed_from_its_fork_onto_its_new_one() -> None:
    commits = base()
    commits.line("b1", "a", "old")
    commits.line("b3", "a2", "now")

    assert asked(commits) == merge("b3", "old", "b1")


def test_a_change_rebased_off_a_merged_one_is_replayed_from_that_ones_head() -> None:
    commits = base()
    commits.line("b1", "lower", "old")
    commits.line("b3", "now")

    assert asked(commits, other(ONE, "lower")) == merge("b3", "old", "lower")


def test_the_nearest_of_those_carried_is_where_the_diff_starts() -> None:
    commits = base()
    commits.line("b1", "lowest", "lower", "old")
    commits.line("b3", "now")

    both = other(ONE, "lowest"), other(TWO, "lower")
    assert asked(commits, *both) == asked(commits, *reversed(both)) == merge("b3", "old", "lower")


def test_a_stacked_change_is_put_on_its_stack_base() -> None:
    commits = base()
    commits.line("b1", "lower", "old")
    commits.line("lower", "fix", "now")

    assert asked(commits, other(ONE, "fix"), on="fix") != merge("fix", "old", "b1")
    assert asked(commits, other(ONE, "lower"), on="fix") == merge("fix", "old", "lower")


def test_the_changes_own_listed_head_is_no_others() -> None:
    commits = base()
    commits.line("b1", "a", "old")
    commits.line("a", "now")

    assert asked(commits, other(OWN, "now")) == merge("b1", "old", "b1")
    assert asked(commits, other(ONE, "now")) != merge("b1", "old", "b1")


def test_another_change_at_the_approved_commit_itself_is_not_beneath_it() -> None:
    commits = base()
    commits.line("b1", "old")
    commits.line("b3", "now")

    for is_queued in (True, False):
        assert asked(commits, other(ONE, "old", is_queued=is_queued)) == merge("b3", "old", "b1")


MUST_NOT = [
    # what, the approved commit's line, others, words
    ("b1 u old", [other(ONE, "u", is_queued=False)], "nobody queued"),
    ("b1 one two old", [other(ONE, "one"), other(TWO, "one", is_queued=False)], "nobody queued"),
    ("b1 part old; part whole", [other(ONE, "whole")], "without its head"),
    ("b1 one part old; part whole", [other(TWO, "one"), other(ONE, "whole")], "without its head"),
    ("b1 part old; part u", [other(ONE, "u", is_queued=False)], "without its head"),
    ("b1 old; old above", [other(ONE, "above")], "without its head"),
]


@pytest.mark.parametrize(("lines", "others", "words"), MUST_NOT)
def test_a_commit_that_holds_anothers_work_otherwise_than_it_is_now_carries_nothing(
    lines: str, others: Sequence[Other], words: str
) -> None:
    commits = base()
    for line in lines.split("; "):
        commits.line(*line.split())
    commits.line("b3", "now")

    found = asked(commits, *others)

    assert isinstance(found, str)
    assert words in found


def test_an_unqueued_change_that_was_built_on_the_approved_commit_took_nothing_from_elsewhere() -> (
    None
):
    commits = base()
    commits.line("b1", "old", "above")
    commits.line("b3", "now")

    found = asked(commits, other(ONE, "above", is_queued=False))

    assert found == merge("b3", "old", "b1")


def test_an_unqueued_change_is_held_without_the_bases_merges_on_top_of_it() -> None:
    commits = base()
    commits.line("b1", "u", "old")
    commits.add("updated", "u", "b2")
    commits.line("b3", "now")

    found = asked(commits, other(ONE, "updated", is_queued=False))

    assert isinstance(found, str)
    assert "nobody queued" in found


def test_a_commit_beside_two_unrelated_changes_carries_nothing() -> None:
    commits = base()
    commits.line("b1", "one")
    commits.line("b1", "two")
    commits.add("both", "one", "two")
    commits.line("both", "old")
    commits.line("b3", "now")

    found = asked(commits, other(ONE, "one"), other(TWO, "two"))

    assert isinstance(found, str)
    assert "neither built on the other" in found


def test_a_commit_forked_from_beneath_its_stack_base_carries_nothing() -> None:
    commits = base()
    commits.line("b1", "early", "lower")
    commits.line("early", "side")
    commits.add("old", "side", "lower")
    commits.line("b3", "now")

    found = asked(commits, other(ONE, "lower"))

    assert isinstance(found, str)
    assert "starts from more than one commit" in found


@pytest.mark.parametrize("which", ["old", "now"])
def test_a_commit_with_several_forks_of_the_base_carries_nothing(which: str) -> None:
    commits = base()
    commits.line("b1", "a")
    commits.add("mixed", "a", "b2")
    commits.line("mixed", "end")
    commits.line("b3", "straight")

    found = (
        asked(commits, old="end", now="straight")
        if which == "old"
        else asked(commits, old="straight", now="end")
    )

    assert isinstance(found, str)
    assert commit_id("end")[:12] in found


def test_only_the_very_tree_that_the_replay_gives_was_only_moved() -> None:
    assert decide_carried(Settled(TREE), TREE, []) == ""
    assert "a.txt" in decide_carried(Settled(OTHER_TREE), TREE, [PATH])
    conflict = Settled(None, conflicts=(Conflict(PATH, ConflictKind.CONTENT),))
    assert "conflicts in a.txt" in decide_carried(conflict, TREE, [])


def test_a_replay_in_which_the_queue_settled_a_conflict_carries_nothing() -> None:
    for made in (
        Settled(TREE, resolved=(Resolved(PATH, "prose"),)),
        Settled(TREE, generated=(PATH,)),
    ):
        assert "conflicts in a.txt" in decide_carried(made, TREE, [])


def test_another_change_that_cannot_be_read_leaves_it_open_what_was_approved() -> None:
    moved = Moved(OWN, commit_id("old"), commit_id("now"), None)

    assert unread_other(moved, [other(OWN, "x")]) == ""
    assert "head of 1 cannot be read" in unread_other(moved, [other(OWN, "x"), other(ONE, "y")])


def answer(**changed: object) -> Approval:
    """Return a provider's answer about change 7, approved at an older commit."""
    fields: dict[str, object] = {
        "approved": False,
        "head": commit_id("now"),
        "base": "main",
        "method": Method.SQUASH,
        "queued": True,
        "shared_with": (),
        "approved_commit": commit_id("old"),
    }
    return Approval.model_validate(fields | changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"approved": True},
        {"head": commit_id("newer")},
        {"approved_commit": None},
        {"approved_commit": commit_id("now")},
    ],
)
def test_only_an_approval_elsewhere_of_the_very_head_is_asked_to_carry_over(
    changed: dict[str, object],
) -> None:
    change = queued("7", "now")
    now: CommitId = commit_id("now")

    assert moved_of(change, answer(), now, None) == Moved(OWN, commit_id("old"), now, None)
    assert moved_of(change, answer(**changed), now, None) is None
    assert moved_of(change, "no answer", now, None) is None
