"""The page that a CI shows of a job: a picture of the queue, and a row for each change.

The picture is a Mermaid chart, which GitHub draws: a box a line, in it a box a batch of several
changes and a box a stack, in merge order from the left. Nothing that anybody typed is in it but
ids, which are letters, digits, `.`, `_` and `-`; titles and reasons stand in the table, as code
spans.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mergequeue.report.picture import Doing
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.text import code_span, cut, one_line

DRAWN = 100
"""How many changes the picture shows at most; GitHub draws no chart of more than 500 arrows."""
_CELL_BYTES = 300
_COUNT_BYTES = 100
"""What is kept free for the sentence that counts what has no room."""
_COLORS: Mapping[Doing, str] = {
    Doing.QUEUED: "fill:#eaeef2,stroke:#6e7781,color:#24292f",
    Doing.GATED: "fill:#fff8c5,stroke:#9a6700,color:#24292f",
    Doing.GREEN: "fill:#dafbe1,stroke:#1a7f37,color:#24292f",
    Doing.MERGED: "fill:#1a7f37,stroke:#1a7f37,color:#ffffff",
    Doing.KICKED: "fill:#ffebe9,stroke:#cf222e,color:#24292f",
    Doing.WAITS: "fill:#ddf4ff,stroke:#0969da,color:#24292f",
    Doing.TRY_GREEN: "fill:#ffffff,stroke:#1a7f37,color:#24292f",
    Doing.TRY_OVER: "fill:#ffffff,stroke:#cf222e,color:#24292f",
    Doing.WOULD_MERGE: "fill:#dafbe1,stroke:#1a7f37,color:#24292f,stroke-dasharray:4",
    Doing.WOULD_KICK: "fill:#ffebe9,stroke:#cf222e,color:#24292f,stroke-dasharray:4",
    Doing.WOULD_WAIT: "fill:#ddf4ff,stroke:#0969da,color:#24292f,stroke-dasharray:4",
}


@dataclass(frozen=True)
class Row:
    """One change as the page shows it."""

    id: ChangeId
    doing: Doing
    title: str = ""
    why: str = ""
    """Why, in one line."""
    command: str = ""
    """What a person types next; empty where nothing is to be done."""
    url: str = ""
    """Where the provider shows it; empty where that is unknown."""
    below: ChangeId | None = None
    """The open change that it is stacked on."""


@dataclass(frozen=True)
class View:
    """The queue as the page shows it."""

    base: BranchName
    lines: Sequence[Sequence[Sequence[ChangeId]]]
    """The partitions, each as its batches, each as its changes in merge order."""
    rows: Mapping[ChangeId, Row]
    """Every change, those of no line too, in the order of the table."""


def page(heading: str, view: View, limit: int = limits.SUMMARY_BYTES) -> str:
    """Return the page as Markdown; one sentence where nothing is queued.

    It is no longer than `limit` bytes: the rows that do not fit are counted.
    """
    parts = [f"### {one_line(heading)}"]
    if not view.rows:
        return "\n\n".join([*parts, f"Nothing is queued for {code_span(view.base)}."])
    if view.lines:
        parts.append(_fenced(_chart(view)))
    left = sum(1 for _ in _ids(view.lines)) - DRAWN
    if left > 0:
        parts.append(f"{left} more changes are queued than the picture shows.")
    above = "\n\n".join([*parts, ""])
    return above + _fitting(list(_table(view.rows.values())), limit - len(above.encode()))


def _fitting(lines: list[str], limit: int) -> str:
    """Return a table's lines as far as they fit, and a sentence that counts those that do not."""
    whole = "\n".join(lines)
    if len(whole.encode()) <= limit:
        return whole
    room, kept = limit - _COUNT_BYTES, list[str]()
    for line in lines:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept.append(line)
    left = len(lines) - len(kept)
    return "\n".join([*kept, "", f"{left} more changes have no room in this table."])


def _fenced(lines: Iterable[str]) -> str:
    return "\n".join(["```mermaid", *lines, "```"])


def _ids(lines: Sequence[Sequence[Sequence[ChangeId]]]) -> Iterator[ChangeId]:
    return (change for line in lines for batch in line for change in batch)


def _chart(view: View) -> Iterator[str]:
    drawn = {change: f"c{at}" for at, change in enumerate(_ids(view.lines)) if at < DRAWN}
    yield "flowchart LR"
    for number, line in enumerate(view.lines):
        kept = [[change for change in batch if change in drawn] for batch in line]
        batches = [batch for batch in kept if batch]
        if not batches:
            continue
        yield f'  subgraph line{number}["line {number}"]'
        yield "    direction LR"
        for place, batch in enumerate(batches):
            yield from _batch(f"line{number}batch{place}", batch, view, drawn)
        order = [change for batch in batches for change in batch]
        yield from (f"    {drawn[one]} --> {drawn[next_]}" for one, next_ in pairwise(order))
        yield "  end"
    for doing, colors in _COLORS.items():
        yield f"  classDef {_class(doing)} {colors}"


def _batch(
    name: str, batch: Sequence[ChangeId], view: View, drawn: Mapping[ChangeId, str]
) -> Iterator[str]:
    boxed = len(batch) > 1
    if boxed:
        yield f'    subgraph {name}["batch"]'
    for place, run in enumerate(_stacks(batch, view.rows)):
        if len(run) > 1:
            yield f'      subgraph {name}stack{place}["stack"]'
        for change in run:
            doing = view.rows[change].doing
            yield f'      {drawn[change]}["{change}<br/>{doing}"]:::{_class(doing)}'
        if len(run) > 1:
            yield "      end"
    if boxed:
        yield "    end"


def _stacks(batch: Sequence[ChangeId], rows: Mapping[ChangeId, Row]) -> list[list[ChangeId]]:
    """Return a batch cut where a change is not stacked on the one right before it."""
    runs: list[list[ChangeId]] = []
    for change in batch:
        if runs and rows[change].below == runs[-1][-1]:
            runs[-1].append(change)
        else:
            runs.append([change])
    return runs


def _class(doing: Doing) -> str:
    return doing.name.lower()


def _table(rows: Iterable[Row]) -> Iterator[str]:
    yield "| change | | state | why | what to type |"
    yield "| --- | --- | --- | --- | --- |"
    for row in rows:
        name = f"[{row.id}]({row.url})" if row.url else row.id
        cells = (name, _span(row.title), row.doing.value, _span(row.why), _span(row.command))
        yield f"| {' | '.join(cells)} |"


def _span(text: str) -> str:
    """Return a text as a code span of a table's cell: a bar would end that even there.

    A bar is escaped; one behind a backslash, which would be escaped in its place, stands off it.
    """
    if not text:
        return ""
    return code_span(cut(text, _CELL_BYTES)).replace("\\|", "\\ |").replace("|", "\\|")
