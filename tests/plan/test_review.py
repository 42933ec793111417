"""Seed 1, What a review covers; facts 3.8, step 1; P15; S12."""

from collections.abc import Collection

from mergequeue.changes.history import BaseMerge
from mergequeue.plan.review import (
    Coverage,
    Owed,
    PlainMerge,
    Reviewed,
    coverage_of,
    owed_of,
    plain_merges,
    unproven_merges,
)
from mergequeue.ports import Conflict, Resolved, Settled, ThreeWay
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import ConflictKind
from tests.support.graphs import commit_id

HEAD, MIDDLE, SEEN = commit_id("head"), commit_id("middle"), commit_id("seen")
M1, M2, LOWER = commit_id("m1"), commit_id("m2"), commit_id("lower")
MERGES = (BaseMerge(HEAD, MIDDLE, M2), BaseMerge(MIDDLE, SEEN, M1))
UPDATED = Reviewed(HEAD, MERGES, None)
STACKED = Reviewed(HEAD, MERGES, LOWER)
PLAIN = TreeId(commit_id("plain"))
GENERATED, SOURCE = RepoPath(b"gen/a"), RepoPath(b"src/a")
OWED = Owed(MERGES[0], PLAIN, (GENERATED,))


def review_target(reviewed: Reviewed, proven: Collection[PlainMerge]) -> CommitId:
    """Return what a review covers where no generated file is looked at."""
    coverage = coverage_of(reviewed, proven, {})
    assert coverage.owed == ()
    return coverage.target


def test_a_head_without_merges_of_the_base_is_reviewed_itself() -> None:
    assert plain_merges(Reviewed(SEEN, (), LOWER)) == []
    assert review_target(Reviewed(SEEN, (), LOWER), []) == SEEN


def test_each_merge_is_made_again_from_the_bases_side() -> None:
    assert plain_merges(UPDATED) == [
        PlainMerge(HEAD, ThreeWay(M2, MIDDLE)),
        PlainMerge(MIDDLE, ThreeWay(M1, SEEN)),
    ]


def test_the_merge_from_the_stack_base_is_made_too_where_that_may_count() -> None:
    assert PlainMerge(HEAD, ThreeWay(M2, MIDDLE, LOWER)) in plain_merges(STACKED)


def test_merges_that_add_nothing_are_walked_through_to_what_was_reviewed() -> None:
    assert review_target(UPDATED, plain_merges(UPDATED)) == SEEN


def test_a_merge_that_adds_something_is_what_has_to_be_reviewed() -> None:
    newest, older = plain_merges(UPDATED)

    assert review_target(UPDATED, [older]) == HEAD
    assert review_target(UPDATED, [newest]) == MIDDLE


def test_a_merge_from_a_stack_base_counts_for_the_change_that_may_use_it_alone() -> None:
    from_stack_base = [one for one in plain_merges(STACKED) if one.merge.base == LOWER]

    assert review_target(STACKED, from_stack_base) == SEEN
    assert review_target(UPDATED, from_stack_base) == HEAD


def test_only_what_is_not_shown_to_add_nothing_is_looked_at_for_generated_files() -> None:
    newest, older = plain_merges(UPDATED)

    assert unproven_merges(UPDATED, [newest]) == [MERGES[1]]
    assert unproven_merges(UPDATED, [newest, older]) == []


def test_a_merge_that_differs_in_generated_files_alone_is_covered_and_owed_a_proof() -> None:
    assert owed_of(MERGES[0], Settled(PLAIN), [GENERATED], {GENERATED}) == OWED
    _, older = plain_merges(UPDATED)

    assert coverage_of(UPDATED, [older], {HEAD: OWED}) == Coverage(SEEN, (OWED,))


def test_a_merge_beneath_one_that_adds_something_is_owed_nothing() -> None:
    beneath = Owed(MERGES[1], PLAIN, (GENERATED,))

    assert coverage_of(UPDATED, [], {MIDDLE: beneath}) == Coverage(HEAD)


def test_a_source_file_that_differs_is_for_a_reviewer() -> None:
    assert owed_of(MERGES[0], Settled(PLAIN), [GENERATED, SOURCE], {GENERATED}) is None


def test_a_merge_with_a_conflict_in_source_is_for_a_reviewer() -> None:
    conflict = Settled(None, conflicts=(Conflict(SOURCE, ConflictKind.CONTENT),))

    assert owed_of(MERGES[0], conflict, [], {GENERATED}) is None


def test_a_merge_with_a_settled_conflict_in_source_is_for_a_reviewer() -> None:
    settled = Settled(PLAIN, resolved=(Resolved(SOURCE, "prose"),))

    assert owed_of(MERGES[0], settled, [], {GENERATED}) is None
    assert owed_of(MERGES[0], settled, [GENERATED], {GENERATED}) is None


def test_a_generated_file_in_conflict_is_owed_a_proof_whatever_it_holds() -> None:
    made = Settled(PLAIN, generated=(GENERATED,))

    assert owed_of(MERGES[0], made, [], {GENERATED}) == OWED
    assert owed_of(MERGES[0], Settled(PLAIN), [], {GENERATED}) is None
