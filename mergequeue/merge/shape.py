"""The tree and the history that a merge must leave on the base (seed 1, Applying; facts 3.11)."""

from collections.abc import Sequence

from mergequeue.ports import CommitFacts, Landing
from mergequeue.report import applying
from mergequeue.vocabulary.ids import CommitId, TreeId, short
from mergequeue.vocabulary.words import Method


def tree_problem(landing: Landing, tip: CommitId, tree: TreeId) -> str:
    """Return how the base's tree differs from the predicted one; empty where it is it (MQ3011)."""
    if tree == landing.tree:
        return ""
    found = applying.not_as_expected(landing.change.base, tip, tree, landing.tree)
    return f"after merging {landing.change.id}, {found}"


def shape_problem(landing: Landing, top: CommitFacts, line: Sequence[CommitFacts]) -> str:
    """Return how the history differs from what the method leaves; empty where not (MQ3012).

    `top` is the base's new tip, and `line` all that it carries and the old one does not, oldest
    first. A squash leaves one commit on the old tip, a merge one whose parents are the old tip and
    what was handed over, a rebase an unbroken line of at least one commit.
    """
    problem = _problem(landing, top, line)
    return f"merging {landing.change.id} by {landing.change.method}: {problem}" if problem else ""


def _problem(landing: Landing, top: CommitFacts, line: Sequence[CommitFacts]) -> str:
    match landing.change.method:
        case Method.SQUASH:
            if top.parents != (landing.tip,):
                return f"{short(top.id)} is not one commit on {short(landing.tip)}"
        case Method.MERGE:
            if top.parents != (landing.tip, landing.commit):
                into = f"{short(landing.commit)} into {short(landing.tip)}"
                return f"{short(top.id)} is not a merge of {into}"
        case Method.REBASE:
            if not _is_unbroken(landing.tip, top.id, line):
                return f"{short(landing.tip)} to {short(top.id)} is not a line of commits"
    return ""


def _is_unbroken(tip: CommitId, top: CommitId, line: Sequence[CommitFacts]) -> bool:
    at = tip
    for commit in line:
        if commit.parents != (at,):
            return False
        at = commit.id
    return at == top and at != tip
