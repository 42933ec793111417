"""A change's fate, with everything that is known of it, as the verdict that apply reads (facts
V16).
"""

from dataclasses import dataclass, replace

from mergequeue.changes.decided import Decided, Tip, kick, refuse, wait
from mergequeue.documents.gate import GateRecord
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.preflight import Preflight
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Affected, Candidate, GateEnd
from mergequeue.report import preflights as preflight_words
from mergequeue.report import refusals, resolutions, validating
from mergequeue.verdicts.actions import Decide
from mergequeue.verdicts.blame import Fate
from mergequeue.verdicts.units import NOTHING
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.text import path_text
from mergequeue.vocabulary.words import Decision, Rule


@dataclass(frozen=True)
class Gated:
    """A batch's gate: what it ran on, and how it ended."""

    commit: CommitId
    """The commit at the batch's top."""
    end: GateEnd | None
    """None where nothing was to be gated."""


@dataclass(frozen=True)
class FailedPreflight:
    """A pre-flight that failed, on the change alone."""

    name: str
    end: GateEnd
    beneath: GateEnd | None = None
    """How it ended on what the change was merged onto; None where it did not run there."""


@dataclass(frozen=True)
class Case:
    """What is known of a change when its fate is decided."""

    change: PlannedChange
    onto: CommitId | None = None
    """What its candidate was built onto; None where none was tried."""
    onto_end: GateEnd | None = None
    """How the gate ended on that, where it was asked for after a red."""
    candidate: Candidate | None = None
    gated: Gated | None = None
    beyond: Affected = NOTHING
    """What its merge reaches beyond the plan."""
    cause: ChangeId | None = None
    """The nearest change that it is stacked on and that is not green by itself."""
    below: str = ""
    """That one's reason."""
    gates: tuple[GateRecord, ...] = ()
    """Every gate run that led here."""
    preflights: tuple[Preflight, ...] = ()
    """Those that ran on it, in order."""
    failed: FailedPreflight | None = None


def verdict_of(plan: Plan, decide: Decide, case: Case) -> Verdict:
    """Return the verdict on one change."""
    decided = _decided(plan, decide, case)
    change, batch, gated = case.change, decide.gated, case.gated
    candidate = case.candidate
    end = gated.end if gated is not None else None
    return Verdict(
        base_commit=plan.base_commit,
        change=change,
        decision=decided.decision,
        code=decided.code,
        reason=decided.reason,
        report=decided.report,
        paths=decided.paths,
        after=decide.beneath[-1] if decide.beneath else None,
        onto=case.onto,
        candidate_commit=candidate.commit if candidate is not None else None,
        method=change.method if decide.fate is Fate.GREEN else None,
        batch=batch.members if batch is not None else (),
        gated_commit=gated.commit if gated is not None else None,
        depth=batch.place if batch is not None else 0,
        duration_ms=end.duration_ms if end is not None else 0,
        gate=end.line if end is not None else "",
        regenerate=candidate.regeneration if candidate is not None and end is not None else "",
        gates=case.gates,
        preflights=case.preflights,
    )


def _decided(plan: Plan, decide: Decide, case: Case) -> Decided:
    match decide.fate:
        case Fate.GREEN:
            note = validating.green(
                renames=_by_renames(case),
                settled=_settled(case),
                beyond=case.beyond,
                retried=_retried(case),
            )
            return Decided(Decision.MERGE, reason=note)
        case Fate.RED | Fate.REFUSED | Fate.NOTHING_ON_BASE | Fate.PREFLIGHT_FAILED:
            return _kicked(plan, decide, case)
        case _:
            return _waiting(plan, decide, case)


def _kicked(plan: Plan, decide: Decide, case: Case) -> Decided:
    change = case.change
    tip = Tip(plan.base, case.onto or plan.base_commit)
    match decide.fate:
        case Fate.RED:
            summary = _summary(case)
            decided = kick(Code.KICK_RED, change, tip, detail=validating.red_detail(summary))
            report = validating.red_report(
                decided.report,
                renames=_by_renames(case),
                settled=_settled(case),
                halved=decide.halved,
            )
            reason = validating.red(summary, settled=_settled(case), halved=decide.halved)
            return replace(decided, reason=reason, report=report)
        case Fate.PREFLIGHT_FAILED:
            return _preflight_failed(change, tip, _failed(case))
        case Fate.NOTHING_ON_BASE:
            return refuse(change, tip, refusals.adds_nothing_refused(plan.base))
        case _:
            return refuse(change, tip, _refusal(case), paths=_refused_paths(case))


def _preflight_failed(change: PlannedChange, tip: Tip, failed: FailedPreflight) -> Decided:
    name, end = failed.name, failed.end
    detail = preflight_words.failed_detail([name], end.summary)
    decided = kick(Code.KICK_PREFLIGHT, change, tip, detail=detail)
    report = preflight_words.failed_report(decided.report, end.line, tip.commit)
    return replace(
        decided, reason=preflight_words.failed(name, end.summary, end.line), report=report
    )


def _failed(case: Case) -> FailedPreflight:
    if case.failed is None:
        msg = "a failed pre-flight is on record"
        raise ValueError(msg)
    return case.failed


def _waiting(plan: Plan, decide: Decide, case: Case) -> Decided:
    paths = _paths(case)
    code = decide.fate.code
    if code is None:
        msg = f"{decide.fate} is no reason to wait"
        raise ValueError(msg)
    match decide.fate:
        case Fate.CONFLICT_AHEAD:
            return replace(wait(code, validating.conflict_ahead(paths, _why(case))), paths=paths)
        case Fate.CONFLICT_WITH_BASE:
            why = validating.conflict_with_base(paths, plan.base_commit, _why(case))
            return replace(wait(code, why), paths=paths)
        case Fate.BASE_RED:
            summary = case.onto_end.summary if case.onto_end is not None else ""
            return wait(code, validating.base_red(case.onto or plan.base_commit, summary))
        case Fate.PREFLIGHT_UNPROVEN:
            failed = _failed(case)
            summary = failed.beneath.summary if failed.beneath is not None else ""
            onto = case.onto or plan.base_commit
            return wait(code, preflight_words.fails_beneath(failed.name, onto, summary))
        case Fate.BELOW | Fate.BELOW_KICKED if case.cause is not None:
            kicked = decide.fate is Fate.BELOW_KICKED
            return wait(code, validating.below(case.cause, case.below, kicked=kicked))
        case _:
            return wait(code, _plain(decide.fate, case))


def _plain(fate: Fate, case: Case) -> str:
    match fate:
        case Fate.RED_ON_UNGATED:
            return validating.red_on_ungated(_summary(case))
        case Fate.REFUSED_ON_UNGATED:
            return validating.refused_on_ungated(_refusal(case))
        case Fate.NOTHING_ON_OTHERS:
            return validating.nothing_on_others()
        case Fate.PASSED_LATE:
            return preflight_words.PASSED_LATE
        case Fate.PASSED_ALONE:
            return preflight_words.PASSED_ALONE
        case Fate.HEAD_GONE:
            return validating.head_gone(case.change.head)
        case _:
            return ""


def _summary(case: Case) -> str:
    return case.gated.end.summary if case.gated is not None and case.gated.end is not None else ""


def _retried(case: Case) -> str:
    end = case.gated.end if case.gated is not None else None
    return validating.retried_for(end.again) if end is not None and end.retries else ""


def _refusal(case: Case) -> str:
    return case.candidate.refused if case.candidate is not None else ""


def _refused_paths(case: Case) -> tuple[str, ...]:
    return tuple(map(path_text, case.candidate.paths)) if case.candidate is not None else ()


def _paths(case: Case) -> tuple[str, ...]:
    conflicts = case.candidate.conflicts if case.candidate is not None else ()
    return tuple(path_text(conflict.path) for conflict in conflicts)


def _why(case: Case) -> str:
    return resolutions.conflict_note(case.candidate.conflicts) if case.candidate is not None else ""


def _settled(case: Case) -> str:
    return resolutions.settled_note(case.candidate.resolved) if case.candidate is not None else ""


def _by_renames(case: Case) -> bool:
    return case.candidate is not None and case.candidate.rule is Rule.RENAMES
