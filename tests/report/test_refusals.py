"""Each refusal is one sentence that ends in what to do, word for word."""

import pytest

from mergequeue.report import refusals
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import Method

ONE, TWO = ChangeId("1"), ChangeId("2")
MAIN = BranchName("main")

SENTENCES = [
    (
        refusals.fork_refused(""),
        (
            "Its branch is in a fork, which the queue cannot push to: push the branch to the "
            "repository itself and open the change from there."
        ),
    ),
    (
        refusals.provider_refused("a draft"),
        "The provider can never merge it, and says: `a draft`.",
    ),
    (
        refusals.provider_refused("the branch `one` names no base"),
        "The provider can never merge it, and says: `the branch one names no base`.",
    ),
    (
        refusals.one_head_refused(TWO),
        (
            "It is the same commit as change `2`, queued for the same base: take one of the two "
            "out of the queue, or add to one."
        ),
    ),
    (
        refusals.no_history_refused(MAIN),
        "It shares no history with `main`: put its commits on a branch that starts from there.",
    ),
    (
        refusals.adds_nothing_refused(MAIN),
        "It changes nothing on `main`: close it, or push what it was meant to change.",
    ),
    (
        refusals.adds_nothing_to_stack_refused(ONE),
        (
            "It changes nothing on change `1`, which it is stacked on: close it, or push what it "
            "was meant to change."
        ),
    ),
    (
        refusals.unit_refused("--gate=x"),
        (
            "A unit that it affects is named `--gate=x`, which a gate would read as an option: "
            "rename the folder or the unit."
        ),
    ),
    (
        refusals.unit_refused(""),
        "A unit that it affects has an empty name: rename the folder or the unit.",
    ),
    (
        refusals.depth_refused(17),
        (
            "It is stacked on 17 open changes, and the queue merges stacks of at most 16 beneath "
            "one: let the lower ones merge first."
        ),
    ),
    (
        refusals.stacked_rebase_refused(ONE),
        (
            "It is stacked on change `1` and its merge method is `rebase`, which the queue "
            "cannot predict in a stack: queue it with the method of that change, or rebase it "
            "onto the base."
        ),
    ),
    (
        refusals.mixed_methods_refused(Method.MERGE, ONE, Method.SQUASH),
        (
            "It is to merge by `merge`, and change `1`, which it is stacked on, by `squash`: "
            "queue the whole stack with one method."
        ),
    ),
    (
        refusals.cycle_refused((ONE, TWO)),
        (
            "It and `1`, `2` are stacked on each other in a cycle, as changes with the same "
            "commits are: take all but one out of the queue."
        ),
    ),
]


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES)
def test_a_refusal_says_what_is_wrong_and_what_to_do(sentence: str, expected: str) -> None:
    assert sentence == expected
