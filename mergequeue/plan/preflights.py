"""How a change's pre-flights stand, and what is to be done about them (seed 2, Pre-flights; pure).

Of each pre-flight the newest run at the change's head counts:

| newest run at the head | what is done |
| --- | --- |
| passed, on any tip | it counts as passed |
| it runs, or waits for its turn | the change waits |
| failed, on the base's tip or since the change was queued | the change goes back |
| failed before that, or cancelled | it is run again, and the change waits |
| cancelled again since it was queued | its command runs; without one it waits for a person |
| none | its command runs in validation; without one the change goes on, and its batch tells |

A failure is on the base's tip for certain only where the head carries that tip: which commit of the
base a check was run with, no provider says. One failed pre-flight decides, even with others still
running. Planning and apply ask the same question here, so apply runs again what planning named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mergequeue.changes.decided import Decided, Tip, kick, wait
from mergequeue.documents.changes import Change
from mergequeue.documents.config import PreflightTable
from mergequeue.documents.preflight import NamedCheck, NamedState, Preflight, PreflightState
from mergequeue.plan.arrange import Below, stack_order
from mergequeue.ports import Memory
from mergequeue.report import preflights as words
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId

Tables = Mapping[str, PreflightTable]
"""The base's pre-flights by name, in the order of its file."""


@dataclass(frozen=True)
class Known:
    """What is known of one change's pre-flights."""

    has_checks: bool
    """Whether the provider tells how checks stand."""
    passed: frozenset[str] = frozenset()
    """Those that passed at its head in an earlier run."""
    checks: tuple[NamedCheck, ...] | str = ()
    """How the checks stand that were asked for, or why that cannot be read."""
    carries_tip: bool = False
    """Whether its head carries the base's tip."""
    queued_at: datetime | None = None
    """When it was queued, as far as the queue has seen it before."""


@dataclass(frozen=True)
class Standing:
    """How the pre-flights of one change stand together."""

    records: tuple[Preflight, ...] = ()
    passed: tuple[Preflight, ...] = ()
    failed: tuple[str, ...] = ()
    """Those that failed, which is the change's own."""
    waits: str = ""
    """What it waits for, in words; empty where it waits for no check."""
    commands: tuple[str, ...] = ()
    """Those whose command validation has to run."""
    reruns: tuple[NamedCheck, ...] = ()
    """Checks for the provider to run again."""
    notices: tuple[str, ...] = ()
    """What else a person may want to know."""


def passed_at_head(memory: Memory, change: Change) -> frozenset[str]:
    """Return the pre-flights that the queue remembers as passed at a change's head."""
    entry = memory.entries.get(change.id)
    known = entry is not None and entry.head == change.head
    return frozenset(entry.preflights) if known and entry is not None else frozenset()


def queued_since(memory: Memory, change: Change) -> datetime | None:
    """Return when a change was queued: as the queue remembers it, or else the provider says."""
    entry = memory.entries.get(change.id)
    return entry.queued_at if entry is not None and entry.queued else change.queued_at


def fails_again(memory: Memory, id_: ChangeId, head: CommitId, tip: CommitId) -> str:
    """Return why a change that is queued again would fail its pre-flights again; empty where it may
    pass: it has another head, or the base moved on from the tip that they failed on.
    """
    entry = memory.entries.get(id_)
    away = entry.turned_away if entry is not None else None
    if away is None or away.code is not Code.KICK_PREFLIGHT:
        return ""
    return away.reason if (away.commit, away.tip) == (head, tip) else ""


def checks_wanted(tables: Tables, passed: frozenset[str], *, has_checks: bool) -> tuple[str, ...]:
    """Return the names of the checks to ask a provider for: of those that have not passed yet."""
    if not has_checks:
        return ()
    wanted = [table.check for name, table in tables.items() if table.check and name not in passed]
    return tuple(dict.fromkeys(wanted))


def held_back(
    ids: Sequence[ChangeId], held: Mapping[ChangeId, int], below: Below
) -> list[ChangeId]:
    """Return the ids with those behind the others whose pre-flights have yet to run, so that one
    holds up nobody; what is stacked on one goes with it. A larger number is further behind.
    """
    ranks = dict(held)
    for id_ in stack_order(ids, below):
        beneath = below.get(id_)
        ranks[id_] = max(ranks.get(id_, 0), ranks.get(beneath, 0) if beneath is not None else 0)
    return sorted(ids, key=lambda id_: ranks[id_])


def nowhere_run(tables: Tables, *, has_checks: bool) -> str | None:
    """Return the pre-flight that nothing can run: a check's, where the provider has none."""
    if has_checks:
        return None
    return next((name for name, table in tables.items() if not table.command.strip()), None)


def standing_of(tables: Tables, known: Known) -> Standing:
    """Return how the pre-flights of one change stand."""
    if isinstance(known.checks, str):
        return Standing(waits=words.unread(known.checks))
    checks = {check.name: check for check in known.checks}
    found = [
        _decided(name, table, known, checks.get(table.check)) for name, table in tables.items()
    ]
    records = [one.record for one in found if one.record is not None]
    return Standing(
        records=tuple(records),
        passed=tuple(record for record in records if record.state is PreflightState.PASSED),
        failed=_names(found, PreflightState.FAILED),
        waits=_waits(found),
        commands=tuple(
            one.record.name for one in found if one.record is not None and one.is_command
        ),
        reruns=tuple(one.rerun for one in found if one.rerun is not None),
        notices=tuple(one.notice for one in found if one.notice),
    )


def has_failed(checks: tuple[NamedCheck, ...] | str) -> bool:
    """Return whether a check failed, so that whose failure it is has to be found out."""
    return not isinstance(checks, str) and any(check.state is NamedState.FAILED for check in checks)


def decide_standing(standing: Standing, change: Change, tip: Tip) -> Decided | None:
    """Return what a change's pre-flights keep it from; None where it may join a batch, once its
    commands have run.
    """
    if standing.failed:
        detail = words.failed_detail(standing.failed)
        decided = kick(Code.KICK_PREFLIGHT, change, tip, detail=detail)
    elif standing.waits:
        decided = wait(Code.WAIT_PREFLIGHT, standing.waits)
    else:
        return None
    return replace(decided, preflights=standing.records)


@dataclass(frozen=True)
class _One:
    """How one pre-flight stands."""

    record: Preflight | None
    """None where the change goes on without it."""
    is_command: bool = False
    rerun: NamedCheck | None = None
    stuck: str = ""
    notice: str = ""


def _decided(name: str, table: PreflightTable, known: Known, check: NamedCheck | None) -> _One:
    if name in known.passed:
        return _One(Preflight(name=name, state=PreflightState.PASSED))
    if not known.has_checks or not table.check or check is None:
        return _One(Preflight(name=name, state=PreflightState.DUE), is_command=True)
    match check.state:
        case NamedState.PASSED:
            passed = Preflight(
                name=name, state=PreflightState.PASSED, duration_ms=check.duration_ms
            )
            return _One(passed)
        case NamedState.RUNNING:
            state = PreflightState.AGAIN if check.again else PreflightState.RUNNING
            return _One(Preflight(name=name, state=state, why=check.reason))
        case NamedState.FAILED if _is_its_own(check, known):
            return _One(Preflight(name=name, state=PreflightState.FAILED))
        case NamedState.FAILED | NamedState.CANCELLED:
            return _again(name, table, check, known)
        case NamedState.MISSING if table.command.strip():
            return _One(Preflight(name=name, state=PreflightState.DUE), is_command=True)
        case _:
            return _One(None, notice=words.passed_over(name, check.reason))


def _again(name: str, table: PreflightTable, check: NamedCheck, known: Known) -> _One:
    record = Preflight(name=name, state=PreflightState.AGAIN)
    is_spent = check.again and _is_since_queued(check, known)
    if check.id and not is_spent:
        return _One(record, rerun=check)
    if table.command.strip():
        return _One(record, is_command=True)
    why = words.cancelled_again(name) if is_spent else words.stuck(name, check.reason)
    return _One(record, stuck=why)


def _is_its_own(check: NamedCheck, known: Known) -> bool:
    """Whether a failure counts against the change: it may be the older base's, and mended since."""
    return known.carries_tip or _is_since_queued(check, known)


def _is_since_queued(check: NamedCheck, known: Known) -> bool:
    return (
        known.queued_at is not None
        and check.ended_at is not None
        and check.ended_at >= known.queued_at
    )


def _waits(found: Sequence[_One]) -> str:
    stuck = next((one.stuck for one in found if one.stuck), "")
    if stuck:
        return stuck
    awaited = [one for one in found if one.record is not None and not one.is_command]
    again = _names(awaited, PreflightState.AGAIN)
    if again:
        return words.again(again)
    running = _names(awaited, PreflightState.RUNNING)
    return words.running(running) if running else ""


def _names(found: Sequence[_One], state: PreflightState) -> tuple[str, ...]:
    return tuple(
        one.record.name for one in found if one.record is not None and one.record.state is state
    )
