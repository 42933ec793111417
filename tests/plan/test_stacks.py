"""Seed 1, Stacks; facts 2.2 (S1 to S13) and 6.1."""

import pytest

from mergequeue.changes.decided import Decided, refuse
from mergequeue.changes.history import History
from mergequeue.documents.changes import Change, MergedChange, UnqueuedChange
from mergequeue.plan.stacks import Listed, Placed, place_changes
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Method
from tests.support.graphs import Commits, commit_id
from tests.support.listings import TIP, merged, queued, unqueued


@pytest.fixture
def commits() -> Commits:
    """A base of three commits, its tip named so."""
    made = Commits()
    made.line("root", "m1", "tip")
    return made


def places(
    commits: Commits,
    *changes: Change,
    merged: tuple[MergedChange, ...] = (),
    unqueued: tuple[UnqueuedChange, ...] = (),
    settled: dict[ChangeId, Decided] | None = None,
    missing: frozenset[ChangeId] = frozenset(),
) -> dict[str, Placed | Decided]:
    """Return where the changes stand."""
    heads = [change.head for change in changes]
    heads += [change.head for change in merged]
    heads += [change.head for change in unqueued]
    history = History(commits.graph(heads, TIP.commit), heads)
    listed = Listed(changes, merged, unqueued, missing)
    return {
        str(id_): place for id_, place in place_changes(listed, history, TIP, settled or {}).items()
    }


def code(place: Placed | Decided) -> Code | None:
    """Return the code of what was decided."""
    assert isinstance(place, Decided)
    return place.code


def test_a_change_that_carries_no_other_is_in_no_stack(commits: Commits) -> None:
    commits.line("root", "a")
    commits.line("m1", "b")

    assert places(commits, queued("1", "a"), queued("2", "b")) == {"1": Placed(), "2": Placed()}


def test_a_change_that_carries_another_ones_head_is_stacked_on_it(commits: Commits) -> None:
    commits.line("root", "a", "b")

    found = places(commits, queued("1", "a"), queued("2", "b"))

    assert found["2"] == Placed(commit_id("a"), ChangeId("1"))


def test_the_nearest_change_beneath_is_the_one_that_carries_the_others(commits: Commits) -> None:
    commits.line("root", "a", "b", "c")

    found = places(commits, queued("3", "c", parent="2"), queued("1", "a"), queued("2", "b"))

    assert found["3"] == Placed(commit_id("b"), ChangeId("2"))
    assert found["2"] == Placed(commit_id("a"), ChangeId("1"))


def test_a_merge_of_the_base_into_the_change_beneath_breaks_no_stack(commits: Commits) -> None:
    commits.line("root", "a", "b")
    commits.add("a updated", "a", "m1")

    found = places(commits, queued("1", "a updated"), queued("2", "b"))

    assert found["2"] == Placed(commit_id("a"), ChangeId("1"))


def test_a_change_that_merged_the_updated_head_beneath_still_starts_at_its_top(
    commits: Commits,
) -> None:
    commits.line("root", "a", "b")
    commits.add("a updated", "a", "m1")
    commits.add("b updated", "b", "a updated")

    found = places(commits, queued("1", "a updated"), queued("2", "b updated"))

    assert found["2"] == Placed(commit_id("a"), ChangeId("1"))


def test_a_squashed_change_beneath_leaves_a_stack_base_and_nothing_to_wait_for(
    commits: Commits,
) -> None:
    commits.line("root", "a", "b")

    found = places(commits, queued("2", "b", parent="1"), merged=(merged("1", "a"),))

    assert found["2"] == Placed(commit_id("a"), None)


def test_a_change_beneath_merged_through_an_update_commit_is_known_by_what_is_carried_of_it(
    commits: Commits,
) -> None:
    commits.line("root", "a", "a2", "b")
    commits.add("update commit", "a2", "m1")

    found = places(commits, queued("2", "b"), merged=(merged("1", "update commit"),))

    assert found["2"] == Placed(commit_id("a2"), None)


def test_a_change_beneath_merged_by_a_merge_commit_is_on_the_base_and_in_no_stack(
    commits: Commits,
) -> None:
    commits.line("m1", "b")

    found = places(
        commits,
        queued("2", "b", parent="1", method=Method.MERGE),
        merged=(merged("1", "m1", method=Method.MERGE),),
    )

    assert found["2"] == Placed()


def test_of_merged_changes_known_by_one_commit_the_declared_parent_is_the_nearest(
    commits: Commits,
) -> None:
    commits.line("root", "a", "b")
    commits.line("a", "c")

    found = places(
        commits,
        queued("3", "c", parent="1"),
        merged=(merged("2", "b"), merged("1", "a")),
    )

    assert found["3"] == Placed(commit_id("a"), None)


def test_an_open_change_beneath_is_waited_for_even_where_a_merged_one_held_it_too(
    commits: Commits,
) -> None:
    commits.line("root", "a", "b")
    commits.line("a", "c")

    found = places(commits, queued("1", "a"), queued("3", "c"), merged=(merged("2", "b"),))

    assert found["3"] == Placed(commit_id("a"), ChangeId("1"))


def test_a_change_on_an_open_one_that_nobody_queued_waits(commits: Commits) -> None:
    commits.line("root", "a", "b")

    found = places(commits, queued("2", "b"), unqueued=(unqueued("1", "a"),))

    assert code(found["2"]) is Code.WAIT_UNQUEUED_BELOW


def test_a_change_on_an_unqueued_one_waits_when_that_one_merged_the_base_since(
    commits: Commits,
) -> None:
    commits.line("root", "a", "b")
    commits.add("a updated", "a", "m1")

    found = places(commits, queued("2", "b"), unqueued=(unqueued("1", "a updated"),))

    assert code(found["2"]) is Code.WAIT_UNQUEUED_BELOW


def test_an_unqueued_change_at_the_very_same_head_is_not_beneath(commits: Commits) -> None:
    commits.line("root", "a")

    assert places(commits, queued("2", "a"), unqueued=(unqueued("1", "a"),)) == {"2": Placed()}


def test_the_unqueued_change_beneath_is_told_before_a_wrong_parent(commits: Commits) -> None:
    commits.line("root", "a", "b")
    commits.line("root", "c")

    found = places(
        commits,
        queued("2", "b", parent="3"),
        queued("3", "c"),
        unqueued=(unqueued("1", "a"),),
    )

    assert code(found["2"]) is Code.WAIT_UNQUEUED_BELOW


@pytest.mark.parametrize("head", ["a", "b"], ids=["built on nothing", "built on another"])
def test_a_declared_parent_that_the_queue_does_not_list_is_waited_for(
    commits: Commits, head: str
) -> None:
    commits.line("root", "a", "b")
    others = [queued("1", "a")] if head == "b" else []

    found = places(commits, queued("2", head, parent="77"), *others)

    assert code(found["2"]) is Code.WAIT_BELOW


@pytest.mark.parametrize("head", ["c", "b"], ids=["built on nothing", "built on another"])
def test_a_change_not_built_on_its_declared_parent_waits_to_be_restacked(
    commits: Commits, head: str
) -> None:
    commits.line("root", "a", "b")
    commits.line("root", "c")
    commits.line("root", "parent")

    found = places(commits, queued("1", "a"), queued("9", "parent"), queued("2", head, parent="9"))

    assert code(found["2"]) is Code.WAIT_RESTACK


def test_a_parent_that_was_force_pushed_is_no_longer_beneath(commits: Commits) -> None:
    commits.line("root", "old a", "b")
    commits.line("root", "new a")

    found = places(commits, queued("1", "new a"), queued("2", "b", parent="1"))

    assert code(found["2"]) is Code.WAIT_RESTACK


def test_a_change_whose_parents_head_cannot_be_read_waits_for_it(commits: Commits) -> None:
    commits.line("root", "a")

    found = places(commits, queued("2", "a", parent="1"), missing=frozenset({ChangeId("1")}))

    assert code(found["2"]) is Code.WAIT_BELOW


def test_a_change_on_two_unrelated_ones_is_refused_naming_both(commits: Commits) -> None:
    commits.line("root", "a")
    commits.line("root", "b")
    commits.add("both", "a", "b")

    found = places(commits, queued("1", "a"), queued("2", "b"), queued("3", "both"))

    assert code(found["3"]) is Code.KICK_REFUSED
    assert isinstance(found["3"], Decided)
    assert found["3"].reason == (
        "It is built on the changes `1` and `2`, neither of which is built on the other: rebase "
        "one of them onto the other, and this one onto that."
    )


def test_changes_with_the_same_top_are_refused_as_a_cycle(commits: Commits) -> None:
    commits.line("root", "a")
    commits.add("a updated", "a", "m1")

    found = places(commits, queued("1", "a"), queued("2", "a updated"))

    assert {id_: code(place) for id_, place in found.items()} == {
        "1": Code.KICK_REFUSED,
        "2": Code.KICK_REFUSED,
    }


def test_a_change_above_a_cycle_is_not_refused_with_it(commits: Commits) -> None:
    commits.line("root", "a", "b")
    commits.add("a updated", "a", "m1")

    found = places(commits, queued("1", "a"), queued("2", "a updated"), queued("3", "b"))

    assert found["3"] == Placed(commit_id("a"), ChangeId("1"))


@pytest.mark.parametrize(("beneath", "refused"), [(16, False), (17, True)])
def test_a_stack_of_sixteen_open_changes_beneath_is_allowed_and_no_more(
    commits: Commits, beneath: int, *, refused: bool
) -> None:
    names = [f"s{number}" for number in range(beneath + 1)]
    commits.line("root", *names)

    found = places(commits, *(queued(name, name) for name in names))

    top = found[names[-1]]
    assert isinstance(top, Decided) == refused
    if refused:
        assert code(top) is Code.KICK_REFUSED
    assert isinstance(found[names[-2]], Placed)


def test_merged_changes_beneath_do_not_count_into_the_depth(commits: Commits) -> None:
    names = [f"s{number}" for number in range(18)]
    commits.line("root", *names)

    found = places(
        commits,
        *(queued(name, name) for name in names[1:]),
        merged=(merged(names[0], names[0]),),
    )

    assert isinstance(found[names[-1]], Placed)


@pytest.mark.parametrize("below_merged", [False, True], ids=["open beneath", "merged beneath"])
def test_a_stacked_change_with_the_rebase_method_is_refused(
    commits: Commits, *, below_merged: bool
) -> None:
    commits.line("root", "a", "b")
    upper = queued("2", "b", method=Method.REBASE)
    lower = queued("1", "a", method=Method.REBASE)

    if below_merged:
        found = places(commits, upper, merged=(merged("1", "a", method=Method.REBASE),))
    else:
        found = places(commits, upper, lower)
        assert found["1"] == Placed()

    assert code(found["2"]) is Code.KICK_REFUSED


@pytest.mark.parametrize("below_merged", [False, True], ids=["open beneath", "merged beneath"])
def test_a_stack_that_mixes_methods_is_refused(commits: Commits, *, below_merged: bool) -> None:
    commits.line("root", "a", "b")
    upper = queued("2", "b", method=Method.MERGE)

    if below_merged:
        found = places(commits, upper, merged=(merged("1", "a"),))
    else:
        found = places(commits, upper, queued("1", "a"))

    assert code(found["2"]) is Code.KICK_REFUSED


def test_the_method_is_compared_with_the_nearest_change_alone(commits: Commits) -> None:
    commits.line("root", "a", "b", "c")

    found = places(
        commits,
        queued("1", "a", method=Method.MERGE),
        queued("2", "b"),
        queued("3", "c"),
    )

    assert code(found["2"]) is Code.KICK_REFUSED
    assert found["3"] == Placed(commit_id("b"), ChangeId("2"))


def test_what_was_settled_before_is_left_alone_and_still_stood_on(commits: Commits) -> None:
    commits.line("root", "a", "b")
    fork = queued("1", "a", fork=True)

    found = places(commits, fork, queued("2", "b"), settled={fork.id: refuse(fork, TIP, "A fork.")})

    assert found == {"2": Placed(commit_id("a"), ChangeId("1"))}


def test_a_change_built_on_a_fork_before_it_merged_the_base_is_seen_to_stand_on_it(
    commits: Commits,
) -> None:
    commits.line("root", "a", "b")
    commits.add("a updated", "a", "m1")
    fork = queued("1", "a updated", fork=True)

    found = places(commits, fork, queued("2", "b"), settled={fork.id: refuse(fork, TIP, "A fork.")})

    assert found == {"2": Placed(commit_id("a"), ChangeId("1"))}
