"""The picture of a queue at work: its lines, what each change is doing, and what each waits for.

    line 0   ✔ lexer ─ ● parser ─ ○ parser-docs
    line 1   ✘ web-title

A `Picture` is what the happenings so far add up to; `after` adds one more, and `drawing_of` makes
it something that rich can show. Neither prints, nor reads a clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mergequeue.documents.event import Happening
from mergequeue.vocabulary.ids import ChangeId, short
from mergequeue.vocabulary.text import cut, one_line
from mergequeue.vocabulary.words import Decision, EventKind

_REASON_BYTES = 110


class Doing(StrEnum):
    """What a change is doing right now."""

    QUEUED = "queued"
    GATED = "in its gate"
    GREEN = "green, waits to merge"
    MERGED = "merged"
    KICKED = "kicked back"
    WAITS = "waits"


_LOOKS: Mapping[Doing, tuple[str, str]] = {
    Doing.QUEUED: ("○", "dim"),
    Doing.GATED: ("●", "yellow"),
    Doing.GREEN: ("◆", "green"),
    Doing.MERGED: ("✔", "bold green"),
    Doing.KICKED: ("✘", "bold red"),
    Doing.WAITS: ("…", "cyan"),
}


@dataclass(frozen=True)
class Place:
    """One change's place in the picture."""

    doing: Doing = Doing.QUEUED
    why: str = ""
    """Why, or on which commit, in one line."""


@dataclass(frozen=True)
class Picture:
    """What the happenings so far add up to."""

    lines: tuple[tuple[ChangeId, ...], ...] = ()
    """The partitions, each in merge order."""
    places: Mapping[ChangeId, Place] = field(default_factory=dict)
    notice: str = ""
    """The newest notice that is about no change in particular."""


def after(picture: Picture, happening: Happening) -> Picture:
    """Return the picture with one more happening in it."""
    if happening.kind is EventKind.PARTITION:
        return _with_line(picture, happening)
    if happening.change is None:
        return replace(picture, notice=happening.reason) if happening.reason else picture
    place = _place_after(picture.places.get(happening.change, Place()), happening)
    places = {**picture.places, happening.change: place}
    for other in happening.changes:
        if happening.kind is EventKind.GATE and other != happening.change:
            places[other] = Place(Doing.GATED, f"in the batch of {happening.change}")
    return replace(picture, places=places)


def _with_line(picture: Picture, happening: Happening) -> Picture:
    first = happening.partition == 0
    lines = () if first else picture.lines
    places = dict(picture.places)
    for change in happening.changes:
        places[change] = Place()
    return replace(picture, lines=(*lines, happening.changes), places=places)


def _place_after(place: Place, happening: Happening) -> Place:
    coded = f"{happening.code}: {happening.reason}" if happening.code else happening.reason
    match happening.kind:
        case EventKind.GATE:
            commit = f" on {short(happening.commit)}" if happening.commit else ""
            return Place(Doing.GATED, f"runs{commit}")
        case EventKind.MERGED:
            commit = f"as {short(happening.commit)}" if happening.commit else ""
            return Place(Doing.MERGED, happening.reason or commit)
        case EventKind.KICKED:
            return Place(Doing.KICKED, coded)
        case EventKind.WAITING:
            return Place(Doing.WAITS, coded)
        case EventKind.DECIDED:
            return _place_decided(happening, coded)
        case _:
            return place


def _place_decided(happening: Happening, coded: str) -> Place:
    match happening.decision:
        case Decision.MERGE:
            return Place(Doing.GREEN, happening.reason)
        case Decision.KICK:
            return Place(Doing.KICKED, coded)
        case Decision.MERGED:
            return Place(Doing.MERGED, "on the base already")
        case _:
            return Place(Doing.WAITS, coded)


def drawing_of(picture: Picture) -> RenderableType:
    """Return the picture as something rich can show: the lines, then a row a change."""
    drawn: list[RenderableType] = [
        _line_drawing(number, line, picture) for number, line in enumerate(picture.lines)
    ]
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for change, place in picture.places.items():
        symbol, style = _LOOKS[place.doing]
        table.add_row(
            Text(f"{symbol} {change}", style=style),
            Text(place.doing, style=style),
            Text(one_line(cut(place.why, _REASON_BYTES)), overflow="ellipsis", no_wrap=True),
        )
    drawn.append(table)
    if picture.notice:
        drawn.append(Text(one_line(picture.notice), style="dim"))
    return Group(*drawn)


def _line_drawing(number: int, line: tuple[ChangeId, ...], picture: Picture) -> Text:
    text = Text(f"line {number}   ", style="dim", no_wrap=True, overflow="ellipsis")
    for index, change in enumerate(line):
        symbol, style = _LOOKS[picture.places.get(change, Place()).doing]
        text.append(" ─ " if index else "", style="dim")
        text.append(f"{symbol} {change}", style=style)
    return text
