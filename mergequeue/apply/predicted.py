"""What follows from the tree that the base is predicted to carry (facts 3.7)."""

from mergequeue.apply.outcomes import Wait
from mergequeue.candidates.prediction import Carries, Revalidate
from mergequeue.report import applying
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, TreeId


def decide_predicted(prediction: Carries | Revalidate) -> TreeId | Wait:
    """Return the predicted tree, or the wait for a combination that nobody validated."""
    if isinstance(prediction, Revalidate):
        return Wait(Code.WAIT_REVALIDATE, applying.changed_by_both(prediction.path))
    return prediction.tree


def decide_adds_something(tree: TreeId, tip_tree: TreeId, base: BranchName) -> Wait | None:
    """Return why a change waits that would leave the base as it is: the next plan says whose fault
    that is.
    """
    if tree != tip_tree:
        return None
    return Wait(Code.WAIT_REVALIDATE, f"{base} carries all that it changes already")
