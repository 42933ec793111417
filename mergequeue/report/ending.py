"""What a run ends with: what happened to each change and why, and the base's history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mergequeue.documents.event import Happening
from mergequeue.report.columns import column_lines
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, short
from mergequeue.vocabulary.text import one_line
from mergequeue.vocabulary.words import EventKind


@dataclass(frozen=True)
class Outcome:
    """What finally became of one change."""

    word: str
    """`merged`, `kicked back` or `waits`."""
    why: str
    """The code and the reason, or where it is on the base."""


@dataclass(frozen=True)
class HistoryRow:
    """One commit of the base's history, as a history shows it."""

    commit: str
    parents: int
    subject: str
    author: str


_FINAL = {EventKind.MERGED: "merged", EventKind.KICKED: "kicked back", EventKind.WAITING: "waits"}
_COUNTED = {"merged": "merged", "kicked back": "kicked back", "waits": "waiting"}


def outcomes_of(happenings: Sequence[Happening]) -> Mapping[ChangeId, Outcome]:
    """Return the last thing that became of each change, in the order in which that happened."""
    outcomes: dict[ChangeId, Outcome] = {}
    for happening in happenings:
        if happening.kind not in _FINAL or happening.change is None:
            continue
        outcomes.pop(happening.change, None)
        code = f"{happening.code}: " if happening.code else ""
        outcome = Outcome(_FINAL[happening.kind], f"{code}{happening.reason}")
        outcomes[happening.change] = outcome
    return outcomes


def outcome_lines(outcomes: Mapping[ChangeId, Outcome], width: int | None) -> list[str]:
    """Return a row a change: its name, what became of it, and why, folded to a terminal's width."""
    rows = [(change, outcome.word, outcome.why) for change, outcome in outcomes.items()]
    return column_lines(rows, width) if rows else []


def news_of(
    told: Mapping[ChangeId, Outcome], outcomes: Mapping[ChangeId, Outcome]
) -> Mapping[ChangeId, Outcome]:
    """Return what became of changes since `told` was: those that it does not have as they are."""
    return {change: outcome for change, outcome in outcomes.items() if told.get(change) != outcome}


def history_lines(landed: Sequence[HistoryRow]) -> list[str]:
    """Return the base's newest commits, newest first: subject, author and whether it is a merge."""
    lines = []
    for one in landed:
        shape = "merge of two" if one.parents > 1 else ""
        lines.append(one_line(f"{short(one.commit)}  {shape:<12}  {one.subject}  ({one.author})"))
    return lines


def summary_line(outcomes: Mapping[ChangeId, Outcome]) -> str:
    """Return how many changes merged, were kicked back, and wait."""
    counts = [
        f"{sum(1 for one in outcomes.values() if one.word == word)} {counted}"
        for word, counted in _COUNTED.items()
    ]
    return ", ".join(counts)


def green_but_waiting(waits: Sequence[Code]) -> list[str]:
    """Return a line that counts, by code, changes found green and not merged; none for none."""
    if not waits:
        return []
    counts = ", ".join(f"{waits.count(code)} {code}" for code in sorted(set(waits)))
    return [f"{len(waits)} found green and not merged: {counts}"]
