"""What a pull request asks for: auto-merge, a label, the label of its stack's top (facts 1.5)."""

import pytest

from mergequeue.github.intent import Labelled, Wish, wish_of
from mergequeue.github.labels import ALL, PREFIX, LabelMoves, intent_label, mark_of, moves_to
from mergequeue.github.pulls import Pull, Pulls
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Mark, Method
from tests.github.shapes import pull, stack_json

SQUASH, REBASE = "merge-queue: squash", "merge-queue: rebase"


def wish(asked: Pull, *others: Pull) -> Wish | None:
    return wish_of(asked, Pulls({one.number: one for one in (asked, *others)}))


def test_auto_merge_is_intent_with_its_method_in_any_case() -> None:
    assert wish(pull(1, auto="SQUASH")) == Wish(Method.SQUASH, "main")


def test_a_label_is_intent_that_has_to_be_proven() -> None:
    assert wish(pull(1, labels=("bug", REBASE))) == Wish(
        Method.REBASE, "main", labelled=Labelled(1, REBASE, "main")
    )


def test_auto_merge_wins_over_a_label_on_the_same_pull_request() -> None:
    assert wish(pull(1, auto="merge", labels=(SQUASH,))) == Wish(Method.MERGE, "main")


def test_of_two_intent_labels_the_first_in_githubs_order_counts() -> None:
    assert intent_label(["x", REBASE, SQUASH]) == REBASE


@pytest.mark.parametrize(
    "label", ["merge-queue: queued", "merge-queue: Squash", "merge-queue:squash", "merge-queue: "]
)
def test_a_label_that_is_not_the_prefix_and_a_method_exactly_is_no_intent(label: str) -> None:
    assert wish(pull(1, labels=(label,))) is None


@pytest.mark.parametrize("more", [{"auto": "squash"}, {"labels": (SQUASH,)}])
def test_a_draft_asks_for_nothing_whatever_it_carries(more: dict[str, object]) -> None:
    assert wish(pull(1, draft=True, **more)) is None


def test_a_closed_pull_request_asks_for_nothing_whatever_it_carries() -> None:
    assert wish(pull(1, state="closed", labels=(SQUASH,))) is None


def test_a_label_on_a_stacks_top_asks_for_every_member_but_drafts() -> None:
    top = pull(3, labels=(SQUASH,), base="topic-2", stack=stack_json(3, 3))
    middle = pull(2, base="topic-1", stack=stack_json(2, 3))
    bottom = pull(1, draft=True, stack=stack_json(1, 3))
    proof = Labelled(3, SQUASH, "main")
    others = (top, middle, bottom)
    assert wish(top, *others) == Wish(Method.SQUASH, "main", ChangeId("2"), proof)
    assert wish(middle, *others) == Wish(Method.SQUASH, "main", ChangeId("1"), proof)
    assert wish(bottom, *others) is None


def test_a_label_beneath_the_top_of_a_stack_asks_for_nothing() -> None:
    top = pull(2, base="topic-1", stack=stack_json(2, 2))
    assert wish(pull(1, labels=(SQUASH,), stack=stack_json(1, 2)), top) is None


def test_a_stack_whose_top_is_not_open_asks_for_nothing() -> None:
    assert wish(pull(1, labels=(SQUASH,), stack=stack_json(1, 2))) is None


def test_a_member_of_a_stack_that_is_not_queued_can_be_queued_by_its_own_auto_merge() -> None:
    asked = pull(1, auto="squash", stack=stack_json(1, 2))
    assert wish(asked) == Wish(Method.SQUASH, "main")


def test_a_stack_whose_place_is_not_told_asks_for_nothing() -> None:
    assert wish(pull(1, labels=(SQUASH,), stack={"base": {"ref": "main"}})) is None


def test_the_first_of_two_marks_is_read() -> None:
    assert mark_of(["merge-queue: kicked back", "merge-queue: queued"]) is Mark.QUEUED


@pytest.mark.parametrize("mark", [Mark.QUEUED, Mark.KICKED_BACK, Mark.NEEDS_REGENERATION])
def test_showing_a_mark_removes_the_other_two_and_no_intent(mark: Mark) -> None:
    moves = moves_to(mark, ALL)
    assert moves.add == ()
    assert len(moves.remove) == 2
    assert not {f"{PREFIX}{method}" for method in Method} & set(moves.remove)


def test_a_change_that_shows_its_mark_already_is_not_written_to() -> None:
    assert moves_to(Mark.QUEUED, ["bug", "merge-queue: queued"]) == LabelMoves()


def test_no_mark_removes_every_label_of_the_queue_and_no_other() -> None:
    assert set(moves_to(Mark.NONE, [*ALL, "bug"]).remove) == set(ALL)
