"""The picture of a queue at work: its lines, what each change is doing, and what each waits for.

    line 0   ✔ lexer ─ ● parser ─ ○ parser-docs
    line 1   ✘ web-title

A `Picture` is what the happenings so far add up to; `after` adds one more, and `drawing_of` makes
it something that rich can show, as high as the terminal has room for. Neither prints, nor reads a
clock.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from mergequeue.documents.event import Happening
from mergequeue.vocabulary.ids import ChangeId, short
from mergequeue.vocabulary.text import cut, one_line
from mergequeue.vocabulary.words import Decision, EventKind

Item = TypeVar("Item")

_REASON_BYTES = 110
_LEFT_FREE = 4
"""Lines of the terminal that the picture leaves to what gates print above it."""
_LOWEST = 6
"""Lines that the picture takes at least, however low the terminal is."""


class Doing(StrEnum):
    """What a change is doing right now."""

    QUEUED = "queued"
    GATED = "in its gate"
    GREEN = "green"
    MERGED = "merged"
    KICKED = "kicked back"
    WAITS = "waits"
    TRY_GREEN = "try run green"
    TRY_OVER = "try run not green"
    WOULD_MERGE = "would merge"
    WOULD_KICK = "would go back"
    WOULD_WAIT = "would wait"


_MATTERS = (
    Doing.GATED,
    Doing.GREEN,
    Doing.KICKED,
    Doing.WAITS,
    Doing.QUEUED,
    Doing.TRY_OVER,
    Doing.TRY_GREEN,
    Doing.MERGED,
    Doing.WOULD_KICK,
    Doing.WOULD_WAIT,
    Doing.WOULD_MERGE,
)
"""Which changes are shown first where there is no room for all."""

_LOOKS: Mapping[Doing, tuple[str, str]] = {
    Doing.QUEUED: ("○", "dim"),
    Doing.GATED: ("●", "yellow"),
    Doing.GREEN: ("◆", "green"),
    Doing.MERGED: ("✔", "bold green"),
    Doing.KICKED: ("✘", "bold red"),
    Doing.WAITS: ("…", "cyan"),
    Doing.TRY_GREEN: ("◇", "green"),
    Doing.TRY_OVER: ("◇", "red"),
    Doing.WOULD_MERGE: ("✔", "dim green"),
    Doing.WOULD_KICK: ("✘", "dim red"),
    Doing.WOULD_WAIT: ("…", "dim cyan"),
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
    coded = happening.reason or (happening.code or "")
    match happening.kind:
        case EventKind.GATE:
            commit = f" on {short(happening.commit)}" if happening.commit else ""
            return Place(Doing.GATED, f"runs{commit}")
        case EventKind.MERGED:
            return Place(Doing.MERGED, happening.reason)
        case EventKind.KICKED:
            return Place(Doing.KICKED, coded)
        case EventKind.WAITING:
            return Place(Doing.WAITS, coded)
        case EventKind.DECIDED:
            return _place_decided(happening, coded)
        case EventKind.TRIED:
            is_green = happening.decision in {Decision.MERGE, Decision.MERGED}
            return Place(Doing.TRY_GREEN if is_green else Doing.TRY_OVER, coded)
        case _:
            return place


def _place_decided(happening: Happening, coded: str) -> Place:
    match happening.decision:
        case Decision.MERGE:
            return Place(Doing.GREEN, happening.reason or "merges once those beneath it have")
        case Decision.KICK:
            return Place(Doing.KICKED, coded)
        case Decision.MERGED:
            return Place(Doing.MERGED, "on the base already")
        case _:
            return Place(Doing.WAITS, coded)


def drawing_of(picture: Picture) -> RenderableType:
    """Return the picture as something rich can show: the lines, then a row a change.

    Where that is higher than the terminal, what matters least is only counted.
    """
    return _Drawing(picture)


@dataclass(frozen=True)
class _Drawing:
    picture: Picture

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        yield _drawing(self.picture, max(options.max_height - _LEFT_FREE, _LOWEST))


def _drawing(picture: Picture, height: int) -> RenderableType:
    height -= 1 if picture.notice else 0
    shown = tuple(range(len(picture.lines)))
    changes = tuple(picture.places)
    if len(shown) + len(changes) > height:
        shown = _first(shown, lambda number: _line_rank(picture, number), height // 3 - 1)
        rest = height - len(shown) - (len(shown) < len(picture.lines))
        if len(changes) > rest:
            changes = _first(
                changes, lambda id_: _MATTERS.index(picture.places[id_].doing), rest - 1
            )
    drawn: list[RenderableType] = [
        _line_drawing(number, picture.lines[number], picture) for number in shown
    ]
    if len(shown) < len(picture.lines):
        drawn.append(Text(f"and {len(picture.lines) - len(shown)} lines more", style="dim"))
    drawn.append(_table(picture, changes))
    if len(changes) < len(picture.places):
        drawn.append(_rest(picture, changes))
    if picture.notice:
        drawn.append(Text(one_line(picture.notice), style="dim", no_wrap=True, overflow="ellipsis"))
    return Group(*drawn)


def _table(picture: Picture, changes: Sequence[ChangeId]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for change in changes:
        place = picture.places[change]
        symbol, style = _LOOKS[place.doing]
        table.add_row(
            Text(f"{symbol} {change}", style=style, no_wrap=True, overflow="ellipsis"),
            Text(place.doing, style=style, no_wrap=True),
            Text(one_line(cut(place.why, _REASON_BYTES)), overflow="ellipsis", no_wrap=True),
        )
    return table


def _rest(picture: Picture, shown: Collection[ChangeId]) -> Text:
    left = [place.doing for id_, place in picture.places.items() if id_ not in shown]
    counts = [f"{left.count(doing)} {doing}" for doing in _MATTERS if doing in left]
    return Text(f"and {', '.join(counts)} more", style="dim", no_wrap=True, overflow="ellipsis")


def _line_rank(picture: Picture, number: int) -> int:
    places = (picture.places.get(change, Place()) for change in picture.lines[number])
    return min((_MATTERS.index(place.doing) for place in places), default=len(_MATTERS))


def _first(items: Sequence[Item], rank: Callable[[Item], int], count: int) -> tuple[Item, ...]:
    """Return `count` of the items, those of the lowest rank, in the order that they have."""
    ranked = sorted(range(len(items)), key=lambda at: (rank(items[at]), at))
    return tuple(items[at] for at in sorted(ranked[: max(count, 0)]))


def _line_drawing(number: int, line: tuple[ChangeId, ...], picture: Picture) -> Text:
    text = Text(f"line {number}   ", style="dim", no_wrap=True, overflow="ellipsis")
    for index, change in enumerate(line):
        symbol, style = _LOOKS[picture.places.get(change, Place()).doing]
        text.append(" ─ " if index else "", style="dim")
        text.append(f"{symbol} {change}", style=style)
    return text
