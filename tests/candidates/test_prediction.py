"""What the base will carry once a candidate has landed (facts 3.7)."""

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.candidates.prediction import (
    AboutToLand,
    Carries,
    MergeFirst,
    Revalidate,
    decide_after_merge,
    decide_prediction,
)
from mergequeue.ports import Conflict, Difference, Merged, ThreeWay
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import ConflictKind

ONTO, TIP, CANDIDATE = CommitId("1" * 40), CommitId("2" * 40), CommitId("3" * 40)
TREE = TreeId("4" * 40)
MOVED = AboutToLand(ONTO, CANDIDATE, TREE, TIP)
UNMOVED = AboutToLand(ONTO, CANDIDATE, TREE, ONTO)


def changes(*paths: bytes) -> list[Difference]:
    return [Difference(RepoPath(path), 0, 0o100644, "5" * 40) for path in paths]


names = st.lists(st.sampled_from([b"a", b"b", b"c", b"d", b"e"]), unique=True)


@given(made=names)
def test_a_base_that_did_not_move_will_carry_the_candidates_tree(made: list[bytes]) -> None:
    assert decide_prediction(UNMOVED, [], changes(*made)) == Carries(TREE)


@given(made=names)
def test_a_base_that_moved_to_another_commit_of_the_same_tree_is_as_if_it_had_not(
    made: list[bytes],
) -> None:
    assert decide_prediction(MOVED, [], changes(*made)) == Carries(TREE)


@given(moved=names.filter(bool), made=names)
def test_a_path_that_both_changed_is_named_and_validated_again(
    moved: list[bytes], made: list[bytes]
) -> None:
    decided = decide_prediction(MOVED, changes(*moved), changes(*made))
    both = set(moved) & set(made)
    if both:
        assert decided == Revalidate(RepoPath(min(both)))
    else:
        # From what the candidate was built onto: else what it deleted beneath would come back.
        assert decided == MergeFirst(ThreeWay(TIP, CANDIDATE, base=ONTO))


def test_a_clean_merge_is_what_the_base_will_carry() -> None:
    assert decide_after_merge(Merged(TREE)) == Carries(TREE)


def test_a_conflict_of_that_merge_is_validated_again_and_blames_nobody() -> None:
    conflict = Conflict(RepoPath(b"d"), ConflictKind.KINDS)
    assert decide_after_merge(Merged(None, (conflict,))) == Revalidate(RepoPath(b"d"))
