"""Who makes a candidate and in which words.

Both are fixed, so that every job makes the same commit (DESIGN, Rulings 2).
"""

import re
from dataclasses import dataclass

from mergequeue.vocabulary.ids import ChangeId, CommitId, short


@dataclass(frozen=True)
class Identity:
    """A name and an address, as a commit carries them."""

    name: str
    email: str

    def __str__(self) -> str:
        """Return `Name <address>`."""
        return f"{self.name} <{self.email}>"


QUEUE = Identity("mergequeue", "queue@mergequeue.invalid")
"""The author and committer of every candidate; the address belongs to nobody."""


# A commit is written in UTF-8, so half a character (a surrogate) belongs to no name.
_NEVER = r"<>\x00-\x1f\x7f\ud800-\udfff"
_IDENTITY = re.compile(rf"([^{_NEVER}]*[^ {_NEVER}]) <([^ {_NEVER}]+)>\Z")


def parse_identity(text: str) -> Identity:
    """Return what `Name <address>` names, or raise ValueError."""
    found = _IDENTITY.match(text)
    if not found:
        msg = "not of the form 'Name <address>'"
        raise ValueError(msg)
    return Identity(found[1].strip(" "), found[2])


def candidate_message(change: ChangeId) -> str:
    """Return the message of the merge commit that is a change's candidate."""
    return f"Candidate of change {change}\n"


def regeneration_message(change: ChangeId) -> str:
    """Return the message of the commit that puts regenerated files on a change's merge."""
    return f"Generated files of the candidate of change {change}\n"


def recording_message(change: ChangeId, stack_base: CommitId) -> str:
    """Return the message of the commit that records a stack base as merged (facts 3.4, step 2)."""
    return f"Stack base {short(stack_base)} of change {change}, already merged\n"
