"""What a merge leaves, what an answer means, and the moves of the status; no provider here."""

import ast
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mergequeue
from mergequeue.documents.provider import GreenChange, MergeAnswer, StatusPost
from mergequeue.merge import status
from mergequeue.merge.answers import (
    AskAgain,
    BaseSeen,
    Carried,
    Failed,
    NotMerged,
    Unexplained,
    decide_answer,
)
from mergequeue.merge.shape import shape_problem, tree_problem
from mergequeue.ports import CommitFacts, Waiting
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Method, StatusState
from tests.support.graphs import commit_id
from tests.support.planned import landing, planned, tree

DATE = datetime(2030, 1, 1, tzinfo=UTC)


def commit(name: str, *parents: str) -> CommitFacts:
    above = tuple(commit_id(parent) for parent in parents)
    return CommitFacts(commit_id(name), tree(name), above, QUEUE, DATE, QUEUE, DATE, "")


answers = st.sampled_from(
    [
        MergeAnswer(merged=True),
        MergeAnswer(merged=True, by_provider=True),
        MergeAnswer(merged=False, reason="405"),
        Failed("502"),
    ]
)


@given(answer=answers, moved=st.booleans(), expected=st.booleans(), first=st.booleans())
def test_only_a_moved_base_with_the_expected_tree_is_merged_without_a_doubt(
    answer: MergeAnswer | Failed, *, moved: bool, expected: bool, first: bool
) -> None:
    given_ = landing()
    seen = BaseSeen(
        commit_id("moved") if moved else given_.tip, given_.tree if expected else tree("other")
    )
    meaning = decide_answer(given_, answer, seen, first=first)
    said_yes = isinstance(answer, MergeAnswer) and answer.merged
    if moved and expected:
        assert isinstance(meaning, Carried)
    elif isinstance(answer, Failed) and not moved:
        assert meaning == (AskAgain() if first else NotMerged("502"))
    elif said_yes and moved:
        assert isinstance(meaning, Carried)
        assert tree_problem(given_, seen.tip, seen.tree) != ""
    elif said_yes or isinstance(answer, Failed):
        assert isinstance(meaning, Unexplained)
    else:
        assert meaning == NotMerged("405")


SHAPES = {
    "one commit": [commit("a", "tip")],
    "two commits": [commit("a", "tip"), commit("b", "a")],
    "a merge": [commit("head 1", "root"), commit("m", "tip", "head 1")],
    "a merge of something else": [commit("x", "root"), commit("m", "tip", "x")],
    "a merge the other way round": [commit("head 1", "root"), commit("m", "head 1", "tip")],
    "a commit on another tip": [commit("a", "root")],
    "nothing": [],
}
ALLOWED = {
    Method.SQUASH: {"one commit"},
    Method.MERGE: {"a merge"},
    Method.REBASE: {"one commit", "two commits"},
}


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("shape", SHAPES)
def test_each_method_leaves_its_own_shape_and_no_other(method: Method, shape: str) -> None:
    line = SHAPES[shape]
    top = line[-1] if line else commit("tip", "root")
    given_ = landing(change=planned("1", method=method))
    assert (shape_problem(given_, top, line) == "") is (shape in ALLOWED[method])


def test_the_status_turns_green_on_what_is_handed_over_alone() -> None:
    pushed = landing(commit=commit_id("update"))
    green = status.about_to_merge(pushed)
    assert (green.state, green.commit) == (StatusState.SUCCESS, commit_id("update"))
    change = pushed.change
    others: list[StatusPost] = [
        status.not_followed_through(pushed),
        status.left_over(GreenChange(id=ChangeId("1"), head=change.head)),
        status.waits(Waiting(change, change.head, "it is not approved")),
        status.kicked(change, change.head),
    ]
    assert [post.state for post in others] == [*[StatusState.PENDING] * 3, StatusState.FAILURE]
    assert {post.context for post in [green, *others]} == {"merge-queue"}
    assert status.not_followed_through(pushed).commit == green.commit


def test_one_function_alone_makes_a_success() -> None:
    made = {
        (path.name, function.name)
        for path in Path(mergequeue.__file__).parent.rglob("*.py")
        if path.parent.name
        in {"changes", "conflicts", "plan", "candidates", "verdicts", "apply", "merge"}
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.attr == "SUCCESS"
        if isinstance(node.value, ast.Name) and node.value.id == "StatusState"
    }
    assert made == {("status.py", "about_to_merge")}
