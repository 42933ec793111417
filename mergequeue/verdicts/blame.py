"""Whose fault it is that a change is not green (seed 1, Merge queue: "It kicks an author back only
for...").

- A red blames the change only where every change beneath it is validated and the commit that it was
  built onto is green under the same gate with the same units. Red there too, nobody is blamed.
- A red or a refusal on top of changes that nobody validated in this run proves nothing (facts O4).
- A conflict blames nobody here: with changes beneath, one of them may be the reason and may yet
  fail; on the base alone it contradicts planning, which merged the change onto the base and found
  it clean, so the next plan has to look again. Only planning finds KICK_CONFLICT (facts C19).
- A candidate that changes nothing is its author's (CASES J) only where it stands on the base alone.
  On top of others, somebody ahead made the same change and may yet fail, so it waits; once that one
  has merged, the next plan finds that it changes nothing on the base.
- What stands below a stacked change decides for it, whatever its own candidate would give.
"""

from enum import StrEnum

from mergequeue.ports import Candidate, GateResult
from mergequeue.vocabulary.codes import Code


class Made(StrEnum):
    """What became of building a candidate."""

    CLEAN = "clean"
    CONFLICT = "conflict"
    REFUSED = "refused"
    """The head can be merged onto nothing."""
    NOTHING = "nothing"
    """It merges, and changes nothing in what it was built onto."""


class Fate(StrEnum):
    """What was found of a change; each has its code, and its sentence in `report`."""

    GREEN = "green"
    RED = "red"
    BASE_RED = "red, and so is what it was built onto"
    RED_ON_UNGATED = "red on changes that this job did not gate"
    REFUSED = "refused"
    REFUSED_ON_UNGATED = "refused on changes that this job did not gate"
    CONFLICT_AHEAD = "conflicts with what is beneath it"
    CONFLICT_WITH_BASE = "conflicts with the base, where planning found it clean"
    NOTHING_ON_BASE = "changes nothing on the base"
    NOTHING_ON_OTHERS = "changes nothing on the changes beneath it"
    HEAD_GONE = "its commits cannot be had"
    PREFLIGHT_FAILED = "a pre-flight fails, and passes without it"
    PREFLIGHT_UNPROVEN = "a pre-flight fails, and fails without it too"
    PASSED_LATE = "its pre-flights passed once a batch was built past it"
    PASSED_ALONE = "its pre-flights passed, and its review is still waited for"
    BELOW = "what it is stacked on waits"
    BELOW_KICKED = "what it is stacked on was kicked back"

    @property
    def code(self) -> Code | None:
        """The code of its verdict; None for a green one."""
        return _CODES[self]


_CODES: dict[Fate, Code | None] = {
    Fate.GREEN: None,
    Fate.RED: Code.KICK_RED,
    Fate.BASE_RED: Code.WAIT_BASE_RED,
    Fate.RED_ON_UNGATED: Code.WAIT_BEHIND,
    Fate.REFUSED: Code.KICK_REFUSED,
    Fate.REFUSED_ON_UNGATED: Code.WAIT_BEHIND,
    Fate.CONFLICT_AHEAD: Code.WAIT_CONFLICT_AHEAD,
    Fate.CONFLICT_WITH_BASE: Code.WAIT_REVALIDATE,
    Fate.NOTHING_ON_BASE: Code.KICK_REFUSED,
    Fate.NOTHING_ON_OTHERS: Code.WAIT_BEHIND,
    Fate.HEAD_GONE: Code.WAIT_HEAD_MOVED,
    Fate.PREFLIGHT_FAILED: Code.KICK_PREFLIGHT,
    Fate.PREFLIGHT_UNPROVEN: Code.WAIT_PREFLIGHT,
    Fate.PASSED_LATE: Code.WAIT_BEHIND,
    Fate.PASSED_ALONE: Code.WAIT_REVIEW,
    Fate.BELOW: Code.WAIT_BELOW,
    Fate.BELOW_KICKED: Code.WAIT_BELOW_KICKED,
}


def made_of(candidate: Candidate) -> Made:
    """Return what a candidate amounts to."""
    if candidate.refused:
        return Made.REFUSED
    if candidate.commit is None:
        return Made.CONFLICT
    return Made.CLEAN if candidate.differences else Made.NOTHING


def decide_unlaunched(made: Made, *, on_others: bool) -> Fate | None:
    """Return what is decided at once of a change that could not join a batch, or None.

    None is for a clean candidate, which is gated, and for a refused one, which is decided once what
    it was tried on has landed (facts V5). `on_others` is whether any change was beneath it.
    """
    match made:
        case Made.CONFLICT:
            return Fate.CONFLICT_AHEAD if on_others else Fate.CONFLICT_WITH_BASE
        case Made.NOTHING:
            return Fate.NOTHING_ON_OTHERS if on_others else Fate.NOTHING_ON_BASE
        case Made.CLEAN | Made.REFUSED:
            return None


def decide_refused(*, on_ungated: bool) -> Fate:
    """Return what is decided of a refused change once what it was tried on is settled."""
    return Fate.REFUSED_ON_UNGATED if on_ungated else Fate.REFUSED


def decide_red(onto: GateResult | None) -> Fate:
    """Return what is decided of a red change by the gate, with the same units, on what it was built
    onto; None where that is changes that nobody gated, so that no gate there would tell.
    """
    if onto is None:
        return Fate.RED_ON_UNGATED
    return Fate.RED if onto is GateResult.GREEN else Fate.BASE_RED


def decide_above(below: Fate) -> Fate:
    """Return what is decided of a change stacked on one that is not green, all the way up (facts
    S10).
    """
    if below is Fate.BELOW_KICKED or (below.code is not None and below.code.is_kick):
        return Fate.BELOW_KICKED
    return Fate.BELOW
