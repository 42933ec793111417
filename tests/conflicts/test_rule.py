"""Which of the two rules makes a merge."""

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.conflicts.rule import is_conflicting, own_paths, settle, stays_within
from mergequeue.ports import Affected, Conflict, Difference, Merged, Settled
from mergequeue.vocabulary.ids import RepoPath, TreeId, Unit
from mergequeue.vocabulary.words import ConflictKind, Rule

ONE, OTHER = TreeId("1" * 40), TreeId("2" * 40)
CONFLICTS = (Conflict(RepoPath(b"f"), ConflictKind.CONTENT),)
CONFLICTING = Merged(None, CONFLICTS)
paths = st.sampled_from([b"a", b"b", b"c", b"d"])
differences = st.lists(paths, unique=True).map(
    lambda found: [Difference(RepoPath(path), 0, 0o100644, "1" * 40) for path in found]
)
units = st.sets(st.sampled_from([Unit("one"), Unit("two"), Unit("three")]))


def test_a_clean_merge_by_paths_is_taken_whatever_renames_say() -> None:
    assert settle(Merged(ONE), Merged(OTHER)) == Settled(ONE, Rule.PATHS)


def test_renames_are_taken_where_paths_conflict() -> None:
    assert settle(CONFLICTING, Merged(OTHER)) == Settled(OTHER, Rule.RENAMES)


def test_the_conflict_is_that_of_the_paths_where_renames_conflict_or_may_not_be_taken() -> None:
    elsewhere = Merged(None, (Conflict(RepoPath(b"g"), ConflictKind.RENAMES),))
    for by_renames in (elsewhere, None):
        assert settle(CONFLICTING, by_renames) == Settled(None, Rule.PATHS, CONFLICTS)


def test_what_shares_no_history_is_no_conflict() -> None:
    unrelated = Merged(None, unrelated=True)
    assert not is_conflicting(unrelated)
    assert is_conflicting(CONFLICTING)
    assert settle(unrelated, None) == Settled(None, unrelated=True)


@given(own=units, made=units)
def test_a_merge_stays_within_the_units_of_the_change(own: set[Unit], made: set[Unit]) -> None:
    change, merge = Affected(tuple(own)), Affected(tuple(made))
    assert stays_within(merge, change) == (made <= own)


@given(own=units, made=units)
def test_what_no_unit_owns_is_outside_every_unit(own: set[Unit], made: set[Unit]) -> None:
    unproven = "no unit owns x"
    assert not stays_within(Affected(tuple(made), unproven), Affected(tuple(own)))
    # A change whose own reach has no bound is gated with everything.
    assert stays_within(Affected(tuple(made), unproven), Affected(tuple(own), unproven))


@given(since=st.lists(differences, min_size=1, max_size=3))
def test_a_change_is_what_it_differs_in_from_each_of_its_bases(
    since: list[list[Difference]],
) -> None:
    expected = set.intersection(*({each.path for each in one} for one in since))
    assert own_paths(since) == tuple(sorted(expected))
