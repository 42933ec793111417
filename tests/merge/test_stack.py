"""What became of a stack that was to merge in one call; no provider here (facts 3.12, I-atomic)."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.provider import MergeAnswer
from mergequeue.merge.answers import Failed, NotMerged
from mergequeue.merge.stack import decide_stack_answer
from mergequeue.merge.together import BaseLine, Seen
from mergequeue.ports import CommitFacts, Landing
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import TreeId
from mergequeue.vocabulary.words import Method
from tests.support.graphs import commit_id
from tests.support.planned import landing, planned, tree

DATE = datetime(2030, 1, 1, tzinfo=UTC)


def run(method: Method = Method.SQUASH, size: int = 3) -> list[Landing]:
    return [
        landing(id_, change=planned(id_, method=method), tree=tree(id_))
        for id_ in map(str, range(1, size + 1))
    ]


def commit(name: str, made: TreeId, *parents: str) -> CommitFacts:
    above = tuple(commit_id(parent) for parent in parents)
    return CommitFacts(commit_id(name), made, above, QUEUE, DATE, QUEUE, DATE, "")


def line_of(*commits: CommitFacts) -> BaseLine:
    return BaseLine(commits[-1].id if commits else commit_id("tip"), commits)


YES, NO, LOST = MergeAnswer(merged=True), MergeAnswer(merged=False, reason="405"), Failed("502")


@given(
    answer=st.sampled_from([YES, NO, LOST]),
    trees=st.lists(st.sampled_from(["right", "wrong"]), max_size=4),
)
def test_a_run_of_squashes_is_right_when_each_member_left_its_tree_and_nothing_else_is_there(
    answer: MergeAnswer | Failed, trees: list[str]
) -> None:
    names = ["tip", *(f"c{at}" for at in range(1, len(trees) + 1))]
    line = [
        commit(name, tree(name[1:] if kind == "right" else "wrong"), below)
        for name, below, kind in zip(names[1:], names, trees, strict=False)
    ]
    found = decide_stack_answer(run(), answer, line_of(*line))
    carried = next((at for at, kind in enumerate(trees[:3]) if kind == "wrong"), len(trees[:3]))
    if not carried and (answer is NO or (answer is LOST and not trees)):
        assert isinstance(found, NotMerged)
        return
    assert isinstance(found, Seen)
    assert found.tips == tuple(commit_id(f"c{at}") for at in range(1, carried + 1))
    assert (not found.wrong_tree and not found.wrong_shape) is (trees == ["right"] * 3)


def test_a_squash_on_another_commit_than_the_one_before_is_a_wrong_shape() -> None:
    line = [commit("a", tree("1"), "tip"), commit("b", tree("2"), "elsewhere")]
    found = decide_stack_answer(run(), YES, line_of(*line))
    assert isinstance(found, Seen)
    assert (found.tips, found.wrong_tree) == ((commit_id("a"),), "")
    assert "is not one commit on" in found.wrong_shape


@given(merged=st.integers(1, 3))
def test_one_merge_commit_stands_for_all_up_to_the_head_that_it_merges(merged: int) -> None:
    made = commit("m", tree(str(merged)), "tip", f"head {merged}")
    found = decide_stack_answer(run(Method.MERGE), YES, line_of(commit("x", tree("x")), made))
    assert isinstance(found, Seen)
    assert found.tips == (made.id,) * merged
    assert (found.wrong_tree == "") is (merged == 3)


def test_a_merge_of_something_else_or_with_another_tree_is_none_of_its_members() -> None:
    other = commit("m", tree("3"), "tip", "another head")
    found = decide_stack_answer(run(Method.MERGE), YES, line_of(other))
    assert isinstance(found, Seen)
    assert (found.tips, bool(found.wrong_shape)) == ((), True)
    lost = commit("m", tree("lost"), "tip", "head 3")
    found = decide_stack_answer(run(Method.MERGE), YES, line_of(lost))
    assert isinstance(found, Seen)
    assert (found.tips, bool(found.wrong_tree)) == ((), True)


def test_a_base_that_somebody_rewound_is_no_merge() -> None:
    for method in (Method.SQUASH, Method.MERGE):
        found = decide_stack_answer(run(method), YES, BaseLine(commit_id("rewound"), ()))
        assert isinstance(found, Seen)
        assert (found.tips, bool(found.wrong_shape)) == ((), True)
