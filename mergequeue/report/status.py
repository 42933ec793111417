"""What `status` tells of a plain-git queue: a row a change, and everything about one of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.provider import KickBack, StatusPost
from mergequeue.report.columns import column_lines, folded
from mergequeue.report.kicks import kicked_reason
from mergequeue.report.notices import NOTHING_QUEUED
from mergequeue.vocabulary.ids import ChangeId, CommitId, short
from mergequeue.vocabulary.limits import PATH_BYTES_SHOWN, PATHS_SHOWN
from mergequeue.vocabulary.text import code_span, cut, one_line
from mergequeue.vocabulary.words import Method, StatusState

MERGES_SHOWN = 5
"""How many of the newest merges stand beneath the queue."""

_WAITING = "waiting: "


@dataclass(frozen=True)
class QueueRow:
    """One change as the queue's records have it."""

    change: ChangeId
    branch: str
    method: Method
    head: CommitId
    place: int | None = None
    """Its place in the queue; None where no run has recorded one."""
    status: StatusPost | None = None
    """The newest status, on whichever of its heads."""
    kick: KickBack | None = None
    """The kick-back that keeps it out of the queue; None where none stands."""
    refused: str = ""
    """What its author has to do before it can be queued; empty where nothing."""


def queue_lines(
    rows: Sequence[QueueRow],
    merged: Sequence[MergedChange],
    strays: Sequence[str],
    width: int | None,
) -> list[str]:
    """Return the queue in its order, those that were kicked back last, and the newest merges.

    `strays` are branches that somebody may take for queued ones.
    """
    head = ("place", "change", "method", "head", "state", "why")
    table = [head] if rows else []
    for row in rows:
        state, why = state_of(row)
        place = "-" if row.place is None else str(row.place)
        table.append((place, row.change, row.method, short(row.head), state, why))
    lines = column_lines(table, width) if rows else [NOTHING_QUEUED]
    newest = [
        ("merged", merge.id, f"{short(merge.head)} as {short(merge.commit)}")
        for merge in reversed(merged[-MERGES_SHOWN:])
    ]
    lines += ["", *column_lines(newest, width)] if newest else []
    lines += ["", *folded(_strays(strays), width)] if strays else []
    return lines


def change_lines(row: QueueRow, width: int | None) -> list[str]:
    """Return everything about one change: where it stands, and the whole report of a kick-back."""
    state, why = state_of(row)
    place = "none yet" if row.place is None else str(row.place)
    facts = [
        ("change", row.change),
        ("branch", row.branch),
        ("head", row.head),
        ("method", row.method),
        ("place", place if row.kick is None else "none: it is out of the queue"),
        ("state", f"{state}: {why}"),
    ]
    lines = column_lines(facts, width)
    return [*lines, "", *report_lines(row.kick, width)] if row.kick else lines


def merged_lines(merge: MergedChange, width: int | None) -> list[str]:
    """Return what there is to say of a change that has merged."""
    return column_lines(
        [
            ("change", merge.id),
            ("head", merge.head),
            ("method", merge.method),
            ("state", f"merged, as {merge.commit}"),
        ],
        width,
    )


def report_lines(kick: KickBack, width: int | None) -> list[str]:
    """Return a kick-back's report, and beneath it what validation said and which gate it ran."""
    lines: list[str] = []
    for line in kick.report.rstrip("\n").split("\n"):
        lines += folded(line, width)
    if kick.claim and kick.claim not in kick.report:
        lines += ["", *folded(f"Its verdict says: {code_span(kick.claim)}", width)]
    if kick.reproduce is not None:
        units = " ".join(map(one_line, kick.change.affected or ()))
        behind = f", with the units behind it: {units}" if units else ""
        lines += ["", *folded(f"The gate was {code_span(kick.reproduce.gate)}{behind}", width)]
        if kick.reproduce.regenerate:
            regenerate = code_span(kick.reproduce.regenerate)
            lines += folded(f"Files are regenerated with {regenerate}", width)
    return lines


def _strays(branches: Sequence[str]) -> str:
    named = ", ".join(code_span(cut(branch, PATH_BYTES_SHOWN)) for branch in branches[:PATHS_SHOWN])
    methods = ", ".join(f"mq/{method}/<name>" for method in Method)
    return f"queues nothing, since it names no merge method: {named} (push to {methods})"


def state_of(row: QueueRow) -> tuple[str, str]:
    """Return the state of a change in a word or two, and why it is in it."""
    if row.kick is not None:
        return "kicked back", f"{row.kick.code}: {kicked_reason(row.kick.report, row.kick.claim)}"
    if row.refused:
        return "refused", row.refused
    if row.place is None:
        return "new", "no run has seen it yet; the next one queues it"
    status = row.status
    if status is None:
        return "queued", "a run has taken it in; none has decided it yet"
    if status.commit != row.head:
        return "queued", f"pushed since {short(status.commit)} was looked at; the next run takes it"
    match status.state:
        case StatusState.SUCCESS:
            return "merging", "a run is merging it now, or was stopped there; the next one goes on"
        case StatusState.FAILURE:
            return "queued", "queued again as it stands; the next run takes it"
        case _:
            return "waits", status.description.removeprefix(_WAITING)
