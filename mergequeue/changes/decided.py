"""What was decided of one change, as a value: the words of a verdict before it is one."""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.documents.changes import Change
from mergequeue.documents.preflight import Preflight
from mergequeue.documents.verdict import Verdict
from mergequeue.report.kicks import kick_report
from mergequeue.report.resolutions import few
from mergequeue.report.waits import wait_reason
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, CommitId
from mergequeue.vocabulary.words import Decision


@dataclass(frozen=True)
class Tip:
    """The base as it is: what everything of a plan is decided against."""

    base: BranchName
    commit: CommitId


@dataclass(frozen=True)
class Decided:
    """A decision with its code and words."""

    decision: Decision
    code: Code | None = None
    reason: str = ""
    report: str = ""
    paths: tuple[str, ...] = ()
    with_: tuple[str, ...] = ()
    head: CommitId | None = None
    """Where its head is now, if that is not where it was listed."""
    preflights: tuple[Preflight, ...] = ()
    """How its pre-flights stand, where they are the reason."""


MERGED = Decided(Decision.MERGED, reason="the base carries its head already")
"""A change that has landed."""


def kick(  # noqa: PLR0913 (each is one fact of a report, as there)
    code: Code,
    change: Change,
    tip: Tip,
    *,
    detail: str = "",
    paths: Sequence[str] = (),
    with_: Sequence[str] = (),
    whys: Sequence[str] = (),
) -> Decided:
    """Hand a change back, with the report that its author reads.

    `whys` say of each file why it is at issue, as plain text; the verdict's reason ends in them.
    """
    report = kick_report(
        code,
        change=change,
        base=tip.base,
        on=tip.commit,
        paths=paths,
        with_=with_,
        detail=detail,
        whys=whys,
    )
    reason = " ".join([report.partition("\n")[0], *([few(whys)] if whys else [])])
    return Decided(Decision.KICK, code, reason, report, tuple(paths), tuple(with_))


def refuse(change: Change, tip: Tip, sentence: str, *, paths: Sequence[str] = ()) -> Decided:
    """Hand a change back for something that its author has to fix."""
    return kick(Code.KICK_REFUSED, change, tip, detail=sentence, paths=paths)


def wait(code: Code, detail: str = "", *, head: CommitId | None = None) -> Decided:
    """Keep a change queued, saying what ends the wait (CASES I)."""
    return Decided(Decision.WAIT, code, wait_reason(code, detail=detail), head=head)


def planning_verdict(change: Change, decided: Decided, base_commit: CommitId) -> Verdict:
    """Return planning's verdict; one on a head that moved is about the new head (facts P9)."""
    if decided.head is not None:
        change = change.model_copy(update={"head": decided.head})
    return Verdict(
        base_commit=base_commit,
        change=change,
        decision=decided.decision,
        code=decided.code,
        reason=decided.reason,
        report=decided.report,
        paths=decided.paths,
        with_=decided.with_,
        preflights=decided.preflights,
    )
