"""Whether a change that is no longer queued has merged already: by an earlier run that was stopped,
or by the provider.

The base carrying the very tree that the change's candidate predicts is the one proof, so a run
started again takes up where the last one stopped, and merges nothing twice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mergequeue.vocabulary.ids import CommitId, TreeId


@dataclass(frozen=True)
class LineCommit:
    """One commit of the base's own line since the plan, and its tree."""

    commit: CommitId
    tree: TreeId


def find_landing(
    line: Sequence[LineCommit], predict: Callable[[CommitId], TreeId | None], *, moves: int
) -> CommitId | None:
    """Return the commit of the base with which the change landed, or None.

    `line` starts with the plan's base commit; `predict` gives the tree that the change makes on a
    commit, None where it makes none; `moves` is how many commits its merge may add (one, but for a
    rebase).
    """
    for at, before in enumerate(line[:-1]):
        wanted = predict(before.commit)
        if wanted is None or wanted == before.tree:
            continue
        for after in line[at + 1 : at + 1 + moves]:
            if after.tree == wanted:
                return after.commit
    return None
