"""A stack is what apply reads of it, or nothing that rests on it merges (facts 3.13)."""

import pytest

from mergequeue.apply.outcomes import Wait
from mergequeue.apply.stacks import Disagreement, OwnReading, decide_stack, heads_concerned
from mergequeue.changes.history import History
from mergequeue.documents.changes import Change, Listing, MergedChange
from mergequeue.documents.plan import PlannedChange
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Method
from tests.support.graphs import Commits, commit_id
from tests.support.planned import planned


@pytest.fixture
def commits() -> Commits:
    made = Commits()
    made.line("root", "base commit", "head 1", "head 2")
    made.add("updated 1", "head 1", "base commit")
    made.line("base commit", "beside")
    return made


ONE = planned("1")
TWO = planned("2", "1", below="1", stack_base=commit_id("head 1"))
ALONE = planned("2", stack_base=commit_id("head 1"))


def decide(
    commits: Commits,
    change: PlannedChange,
    *,
    below: PlannedChange | None = ONE,
    merged: tuple[MergedChange, ...] = (),
    on_base: tuple[str, ...] = (),
    listed: Change | None = None,
) -> Wait | Disagreement | None:
    listing = Listing(changes=(listed or change,), merged=merged)
    planned_ = {} if below is None else {below.id: below}
    heads = heads_concerned((change, *planned_.values()), listing)
    graph = commits.graph(list(heads), commit_id("base commit"))
    history = History(graph, heads)
    return decide_stack(
        change, OwnReading(history, listing, frozenset(map(commit_id, on_base)), planned_)
    )


def merged_one(head: str = "head 1", commit: str = "landed 1") -> MergedChange:
    return MergedChange(
        id=ChangeId("1"), head=commit_id(head), commit=commit_id(commit), method=Method.SQUASH
    )


def test_a_change_on_the_confirmed_head_beneath_it_is_in_its_place(commits: Commits) -> None:
    assert decide(commits, TWO) is None


def test_a_merge_of_the_base_on_the_change_beneath_breaks_no_stack(commits: Commits) -> None:
    updated = ONE.model_copy(update={"head": commit_id("updated 1")})
    assert decide(commits, TWO, below=updated) is None


@pytest.mark.parametrize("stack_base", ["beside", "head 2", "base commit"])
def test_a_stack_base_that_is_not_beneath_the_head_and_off_the_base_stops_all(
    commits: Commits, stack_base: str
) -> None:
    forged = TWO.model_copy(update={"stack_base": commit_id(stack_base)})
    assert isinstance(decide(commits, forged), Disagreement)


def test_a_change_that_does_not_carry_the_head_beneath_it_stops_all(commits: Commits) -> None:
    commits.line("base commit", "apart")
    apart = TWO.model_copy(update={"head": commit_id("apart")})
    assert isinstance(decide(commits, apart), Disagreement)


def test_a_stack_base_that_is_not_the_head_beneath_stops_all(commits: Commits) -> None:
    other = ONE.model_copy(update={"head": commit_id("beside")})
    assert isinstance(decide(commits, TWO, below=other), Disagreement)


def test_a_change_beneath_that_the_provider_has_not_confirmed_stops_all(commits: Commits) -> None:
    history = History(commits.graph([TWO.head], commit_id("base commit")), [TWO.head])
    seen = OwnReading(history, Listing(changes=(TWO,)), frozenset(), {})
    assert isinstance(decide_stack(TWO, seen), Disagreement)


def test_without_one_beneath_the_listing_has_to_name_the_merged_change(commits: Commits) -> None:
    known = {"merged": (merged_one(),), "on_base": ("landed 1",)}
    assert decide(commits, ALONE, below=None, merged=(merged_one(),), on_base=("landed 1",)) is None
    assert known
    for merged, on_base in [
        ((), ("landed 1",)),
        ((merged_one(),), ()),
        ((merged_one(head="beside"),), ("landed 1",)),
    ]:
        found = decide(commits, ALONE, below=None, merged=merged, on_base=on_base)
        assert isinstance(found, Disagreement)


def test_the_newest_commit_that_it_carries_of_the_merged_change_is_its_base(
    commits: Commits,
) -> None:
    commits.line("head 1", "later 1")
    merged = (merged_one(head="later 1"),)
    assert decide(commits, ALONE, below=None, merged=merged, on_base=("landed 1",)) is None


def test_a_change_that_is_listed_no_more_was_withdrawn(commits: Commits) -> None:
    found = decide(
        commits, ONE, below=None, listed=planned("7").model_copy(update={"head": ONE.head})
    )
    assert isinstance(found, Wait)
    assert (found.code, found.gone) == (Code.WAIT_WITHDRAWN, True)


def test_a_stack_declared_anew_makes_the_change_wait_and_stops_nothing(commits: Commits) -> None:
    found = decide(commits, TWO, listed=TWO.model_copy(update={"parent": ChangeId("9")}))
    assert isinstance(found, Wait)
    assert found.code is Code.WAIT_RESTACK
