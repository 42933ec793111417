"""Which of the two rules makes a merge."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.conflicts.rule import (
    is_conflicting,
    is_worth_trying,
    own_paths,
    split_conflicts,
    stays_within,
)
from mergequeue.ports import Affected, Conflict, Difference, Merged, Versions
from mergequeue.vocabulary.ids import RepoPath, TreeId, Unit
from mergequeue.vocabulary.words import ConflictKind

ONE = TreeId("1" * 40)
CONFLICTS = (Conflict(RepoPath(b"f"), ConflictKind.CONTENT),)
CONFLICTING = Merged(None, CONFLICTS)
paths = st.sampled_from([b"a", b"b", b"c", b"d"])
differences = st.lists(paths, unique=True).map(
    lambda found: [Difference(RepoPath(path), 0, 0o100644, "1" * 40) for path in found]
)
units = st.sets(st.sampled_from([Unit("one"), Unit("two"), Unit("three")]))


def test_what_shares_no_history_is_no_conflict() -> None:
    assert not is_conflicting(Merged(None, unrelated=True))
    assert is_conflicting(CONFLICTING)


def test_conflicts_that_a_rename_leaves_as_they_are_are_not_settled_again() -> None:
    elsewhere = Merged(None, (Conflict(RepoPath(b"g"), ConflictKind.CONTENT),))
    other = Merged(None, (replace(CONFLICTS[0], versions=Versions("1", "2", "3")),))
    assert is_worth_trying(CONFLICTING, elsewhere)
    assert is_worth_trying(CONFLICTING, other)
    for by_renames in (CONFLICTING, Merged(None), Merged(ONE)):
        assert not is_worth_trying(CONFLICTING, by_renames)


@pytest.mark.parametrize("kind", ConflictKind)
def test_a_generated_path_takes_the_changes_side_or_goes_and_a_submodule_is_no_output(
    kind: ConflictKind,
) -> None:
    path = RepoPath(b"f")
    split = split_conflicts([Conflict(path, kind)], {path})
    took = {ConflictKind.CONTENT, ConflictKind.ADDED_BY_BOTH, ConflictKind.MODES}
    if kind is ConflictKind.SUBMODULE:
        assert (split.sources, split.generated) == ((Conflict(path, kind),), ())
    else:
        assert (set(split.theirs), set(split.removed)) == (
            ({path}, set()) if kind in took else (set(), {path})
        )
    assert split_conflicts([Conflict(path, kind)], ()).sources == (Conflict(path, kind),)


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
