"""What validation says: the reason of each verdict, what a kick's report adds, and its notices."""

from collections.abc import Sequence
from datetime import timedelta

from mergequeue.documents.duration import duration_of
from mergequeue.ports import Affected, GateEnd, GateResult
from mergequeue.vocabulary.ids import ChangeId, CommitId, short
from mergequeue.vocabulary.limits import CLAIM_BYTES
from mergequeue.vocabulary.text import code_span, cut, one_line

NEAR_LIMIT = 0.8
"""The part of its time limit from which a green gate's use of it is told."""

_NAMED = 3
"""How many files or units a line names before it only counts."""

_WHY_BYTES = 300
"""How much of a reason is said again in another one."""

SETTLED = "Conflicts were settled in its candidate"
"""How the reason and the report of a red change go on where any were (facts V18)."""

HALVING = "Halving the batch found it"
"""How the reason and the report of a change end that halving found (seed 2)."""


def red(summary: str, *, settled: str, halved: bool) -> str:
    """Return the reason of a red kick: what failed, and what was settled in its candidate."""
    what = f"the gate is red: {one_line(summary)}" if summary else "the gate is red"
    notes = [f"{SETTLED}: {settled}"] if settled else []
    notes += [HALVING] if halved else []
    return ". ".join([what, *notes])


def red_report(report: str, *, renames: bool, settled: str, halved: bool) -> str:
    """Return a red kick's report with what the merge did to it, and how the change was found."""
    notes = ["Its candidate was merged by following renames."] if renames else []
    notes += [f"{SETTLED}: {code_span(settled)}"] if settled else []
    notes += [f"{HALVING}."] if halved else []
    return "\n\n".join([report.rstrip("\n"), *notes]) + "\n"


def red_detail(summary: str) -> str:
    """Return the first line of a red kick's report."""
    failed = f": {code_span(summary)}" if summary else ""
    return f"The gate is red with it, and green without it{failed}."


def base_red(onto: CommitId, summary: str) -> str:
    """Return why a change waits whose gate is red on what it was built onto, too, and what failed
    there.
    """
    failed = f": {one_line(summary)}" if summary else ""
    return f"the gate is red on it, and red too on {short(onto)}, which it was built onto{failed}"


def red_on_ungated(summary: str) -> str:
    """Return why a red change waits in a job that gated nothing beneath it."""
    failed = f" ({one_line(summary)})" if summary else ""
    return f"the gate is red{failed} on changes not validated here, and may be so for one of them"


def refused_on_ungated(why: str) -> str:
    """Return why a refused change waits in a job that gated nothing beneath it."""
    return f"it cannot be built on changes that are not validated here: {one_line(why)}"


def conflict_ahead(paths: Sequence[str], note: str) -> str:
    """Return why a change waits that conflicts with what is beneath it; `note` says why it does."""
    return f"it conflicts in {_some(paths)} with a change ahead of it{_because(note)}"


def conflict_with_base(paths: Sequence[str], base_commit: CommitId, note: str) -> str:
    """Return why a change waits that conflicts with the base, which planning did not find."""
    base = f"the base at {short(base_commit)}"
    why = _because(note)
    return f"it conflicts in {_some(paths)} with {base}, where planning found it clean{why}"


def nothing_on_others() -> str:
    """Return why a change waits that changes nothing on those ahead of it."""
    return (
        "changes ahead of it do all that it does, so it changes nothing on them; they may yet fail"
    )


def head_gone(commit: CommitId) -> str:
    """Return why a change waits whose commits cannot be had."""
    return f"its head {short(commit)}, or what it is stacked on, can no longer be fetched"


def below(change: ChangeId, why: str, *, kicked: bool) -> str:
    """Return why a change waits for the one that it is stacked on."""
    became = "was kicked back" if kicked else "waits"
    return f"change {change}, which it is stacked on, {became}" + (
        f": {cut(one_line(why), _WHY_BYTES)}" if why else ""
    )


def retried_for(line: str) -> str:
    """Return why a gate was run again: for a line of its output that has a pattern of the base."""
    return f"run again since it said {cut(one_line(line), _WHY_BYTES)!r}"


def gate_why(why: str, again: str) -> str:
    """Return what is recorded of a gate's run: why it ended so, and what it was run again for."""
    return "; ".join(one_line(part) for part in (why, again) if part)


def gate_noted(end: GateEnd) -> str:
    """Return the notice on a gate that was run again, or nearly had all of its time; empty for any
    other.
    """
    notes = [f"the gate was {retried_for(end.again)}"] if end.retries else []
    if end.limit is not None and end.result is GateResult.GREEN:
        used = timedelta(milliseconds=end.longest_ms)
        if used >= end.limit * NEAR_LIMIT:
            notes.append(f"the gate took {limit_use(used, end.limit)}")
    return "; ".join(notes)


def limit_use(used: timedelta, limit: timedelta) -> str:
    """Return how much of its time limit a gate used."""
    whole = timedelta(seconds=round(used.total_seconds()))
    return f"{whole} of its time limit of {duration_of(limit)} ({used / limit:.0%})"


def green(*, renames: bool, settled: str, beyond: Affected, retried: str = "") -> str:
    """Return the reason of a green verdict: what was settled, gated beyond the plan, or again."""
    notes = ["merged by following renames"] if renames else []
    notes += [f"the gate was {retried}"] if retried else []
    notes += [settled] if settled else []
    if beyond.unbounded_by:
        why = one_line(beyond.unbounded_by)
        notes.append(f"its merge changes more than its own diff, and {why}, so all was gated")
    elif beyond.units:
        more = _some(beyond.units)
        notes.append(f"its merge reaches {more} beyond its own diff, and that was gated too")
    return "; ".join(notes)


def regenerated(paths: Sequence[str]) -> str:
    """Return the notice that generated files were rewritten in a candidate."""
    return f"its merge left {_some(paths)} stale, so that was generated anew"


def unpackable(size: int) -> str:
    """Return the notice that a candidate's generated files are too much to carry to apply."""
    return f"its regenerated files make a bundle of {size} bytes, which apply would not read"


def base_gate(onto: CommitId) -> str:
    """Return the notice that the gate runs on a commit as it stands (facts V21)."""
    return f"it is red, so the gate runs on {short(onto)}, which it was built onto"


def suspects_unwritten(problem: str) -> str:
    """Return the notice that a later run will not know how far this one's halving came."""
    return f"whom it suspects could not be written, so a later run begins anew: {one_line(problem)}"


def try_is_green(note: str) -> str:
    """Return what a green try run comes to; `note` is what its verdict says besides."""
    said = "green on the base alone; nothing is queued or merged for that"
    return f"{said} ({note})" if note else said


def partition_failed(number: int, undecided: Sequence[ChangeId], problem: str, remedy: str) -> str:
    """Return what a line of changes stopped on, which of them stay queued, and what to do."""
    left = f" (still queued: {', '.join(undecided)})" if undecided else ""
    return f"line {number} stopped{left}: {problem} ({remedy.rstrip('.')})"


def _because(note: str) -> str:
    return f" ({cut(one_line(note), CLAIM_BYTES)})" if note else ""


def _some(names: Sequence[str]) -> str:
    if not names:
        return "some files"
    more = len(names) - _NAMED
    return ", ".join(one_line(name) for name in names[:_NAMED]) + (
        f" and {more} more" if more > 0 else ""
    )
