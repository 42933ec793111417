"""CASES A (a rename that carries an edit elsewhere); facts P13."""

import pytest

from mergequeue.plan.reach import Delta, Reach, paths_of, reach_of, stacked_delta
from mergequeue.ports import Affected, Difference
from mergequeue.vocabulary.ids import RepoPath, Unit
from tests.support.listings import queued

PARSER, WEB = Unit("parser"), Unit("web")


def path(text: str) -> RepoPath:
    return RepoPath(text.encode())


def test_what_the_merge_changes_beyond_the_own_diff_is_reached_too() -> None:
    found = reach_of(queued("1", "a"), Affected((WEB,)), Affected((PARSER, WEB)))

    assert found == Reach((PARSER, WEB), "", (PARSER,))
    assert found.proven


@pytest.mark.parametrize(
    ("own", "merge_only"),
    [(Affected((), "x"), Affected((WEB,))), (Affected((WEB,)), Affected((), "x"))],
)
def test_one_part_without_a_proof_leaves_the_whole_without_one(
    own: Affected, merge_only: Affected
) -> None:
    found = reach_of(queued("1", "a"), own, merge_only)

    assert found.unbounded_by == "x"
    assert not found.proven


def test_a_change_whose_diff_is_not_one_is_not_proven() -> None:
    assert not reach_of(queued("1", "a"), None, None).proven


def test_what_the_listing_says_is_kept_and_not_asked() -> None:
    given = queued("1", "a", affected=(PARSER,), unbounded_by="why")

    assert reach_of(given, None, None) == Reach((PARSER,), "why")


def test_an_updated_stacked_change_touches_what_the_base_alone_did_not_bring() -> None:
    """Put back: as the base has it, which the one beneath had changed. Undone: the base's edit."""
    since_stack_base = list(map(path, ["brought", "edited", "put back"]))
    since_fork = list(map(path, ["edited", "lower", "undone"]))
    beneath = list(map(path, ["lower", "put back"]))

    found = stacked_delta(since_stack_base, since_fork, beneath)

    assert found == tuple(map(path, ["edited", "put back", "undone"]))


def test_the_paths_of_a_change_are_those_of_its_diff_and_of_its_merge() -> None:
    difference = Difference(path("x"), 0, 0o100644, "1" * 40)

    assert Delta(paths_of([difference]), (path("y"),)).paths == (path("x"), path("y"))
    assert Delta(None, (path("y"),)).paths == (path("y"),)
