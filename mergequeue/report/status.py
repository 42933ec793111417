"""What `status` tells: the queue as a table, and everything about one change of it.

Seed 2, Reading the queue; the sentences are those of `stages`.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.keeping import Note
from mergequeue.documents.memory import LandedFact
from mergequeue.documents.provider import KickBack
from mergequeue.report.columns import column_lines, folded
from mergequeue.report.control import paused_sentence
from mergequeue.report.kicks import kicked_reason
from mergequeue.report.notices import NOTHING_QUEUED
from mergequeue.report.stages import (
    UNDER_WAY,
    Standing,
    clock_text,
    lands_text,
    position_text,
    standing_text,
)
from mergequeue.report.standing import Away, Overview
from mergequeue.vocabulary.ids import ChangeId, short
from mergequeue.vocabulary.limits import PATH_BYTES_SHOWN, PATHS_SHOWN
from mergequeue.vocabulary.text import code_span, cut, one_line
from mergequeue.vocabulary.words import Method, Stage

NEXT_AFTER_AWAY = (
    "a new push to its branch, or queueing it again as it is, puts it behind all others"
)
IN_THE_LANE = "in the priority lane: it goes before all of its line that are not"
NOT_KNOWN = "not known yet: nothing landed lately to go by"
_ESTIMATED = UNDER_WAY | {Stage.READY, Stage.PREFLIGHT, Stage.AGAIN}
LANDED_SHOWN = 5
"""How many of the newest landings stand beneath the queue."""


def queue_lines(
    overview: Overview,
    width: int | None,
    *,
    kicks: Sequence[KickBack] = (),
    strays: Sequence[str] = (),
) -> list[str]:
    """Return how the queue is, every change in its order, those turned away, and the newest landed.

    `kicks` are kick-backs that the provider's own records have alone, and `strays` are branches
    that somebody may take for queued ones.
    """
    lines = folded(_headline(overview), width)
    if overview.pause is not None:
        lines += folded(f"{_capital(paused_sentence(overview.pause))}.", width)
    rows = [_row(standing, overview.at) for standing in overview.standings.values()]
    rows += [("-", one.change, short(one.head), away_text(one)) for one in overview.away]
    rows += [("-", one.change.id, short(one.commit), kick_text(one)) for one in kicks]
    if rows:
        lines += ["", *column_lines([("place", "change", "head", "where it stands"), *rows], width)]
    newest = [
        ("landed", fact.id, f"{_landed_text(fact)}, {clock_text(fact.at, overview.at)}")
        for fact in overview.landed[:LANDED_SHOWN]
    ]
    lines += ["", *column_lines(newest, width)] if newest else []
    lines += ["", *folded(_strays(strays), width)] if strays else []
    return lines


def change_lines(overview: Overview, standing: Standing, width: int | None) -> list[str]:
    """Return everything about a queued change: where it stands, what is ahead of it, and when it
    should land.
    """
    return column_lines([*_facts(overview, standing)], width)


def away_lines(
    overview: Overview, away: Away | None, kick: KickBack | None, width: int | None
) -> list[str]:
    """Return everything about a change that was turned away: as the memory has it, the provider's
    own records, or both.
    """
    facts: list[tuple[str, str]] = []
    if away is not None:
        since = clock_text(away.at, overview.at)
        facts = [("change", away.change), *_titled(away.title), ("head", away.head)]
        facts += [("stands", away_text(away)), ("since", since)]
    elif kick is not None:
        facts = [("change", kick.change.id), *_titled(kick.change.title), ("head", kick.commit)]
        facts += [("stands", kick_text(kick))]
    lines = column_lines([*facts, ("next", NEXT_AFTER_AWAY)], width)
    return [*lines, "", *report_lines(kick, width)] if kick is not None else lines


def note_lines(notes: Sequence[Note], width: int | None) -> list[str]:
    """Return what the keeper said last of a change, where it said anything."""
    if not notes:
        return []
    return ["", *(part for line in notes[-1].text.split("\n") for part in folded(line, width))]


def landed_lines(overview: Overview, fact: LandedFact, width: int | None) -> list[str]:
    """Return what there is to say of a change that has landed."""
    facts = [
        ("change", fact.id),
        *_titled(fact.title),
        ("head", fact.head),
        ("method", fact.method),
        ("queued", clock_text(fact.first_queued_at, overview.at)),
        ("stands", f"Landed{f' as {fact.commit}' if fact.commit else ''}"),
        ("since", clock_text(fact.at, overview.at)),
    ]
    return column_lines(facts, width)


def merged_lines(merge: MergedChange, width: int | None) -> list[str]:
    """Return what a provider's own records say of a change that has merged."""
    facts = [
        ("change", merge.id),
        ("head", merge.head),
        ("method", merge.method),
        ("stands", f"Landed as {merge.commit}"),
    ]
    return column_lines(facts, width)


def away_text(away: Away) -> str:
    """Return how a change was turned away."""
    return f"Kicked back, {away.code}: {one_line(away.reason)}"


def kick_text(kick: KickBack) -> str:
    """Return how a change was turned away, as the provider's own records have it."""
    return f"Kicked back, {kick.code}: {kicked_reason(kick.report, kick.claim)}"


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


def _headline(overview: Overview) -> str:
    """Return how many are queued, and whether anything is at work on them."""
    count = len(overview.standings)
    under_way = sum(1 for one in overview.standings.values() if one.stage in UNDER_WAY)
    queued = NOTHING_QUEUED if not count else f"{count} queued, {under_way} being gated or landing"
    return f"{overview.base}: {queued}; {_run_text(overview)}"


def _run_text(overview: Overview) -> str:
    if overview.seen_at is None:
        return "no run has looked at it yet"
    seen = clock_text(overview.seen_at, overview.at)
    if overview.running:
        return f"a run is at work, as of {seen}"
    return f"no run is at work; the last that changed anything did at {seen}"


def _row(standing: Standing, at: datetime) -> tuple[str, str, str, str]:
    place = str(standing.position.number)
    return place, standing.change, short(standing.head), standing_text(standing, at)


def _facts(overview: Overview, standing: Standing) -> Iterator[tuple[str, str]]:
    at = overview.at
    yield "change", standing.change
    yield from _titled(standing.title)
    yield "head", standing.head
    yield "method", standing.method
    yield "stands", standing.said
    if standing.reason:
        yield "waits", standing.reason
    if standing.lands_at is not None:
        yield "when", lands_text(standing.lands_at, at)
    elif overview.typical.batch is None and standing.stage in _ESTIMATED:
        yield "when", NOT_KNOWN
    yield "place", position_text(standing.position)
    if standing.priority:
        yield "lane", IN_THE_LANE
    yield from _ahead(overview, standing.change)
    if standing.queued_at is not None:
        yield "queued", clock_text(standing.queued_at, at)
    yield "queue", _run_text(overview)


def _ahead(overview: Overview, change: ChangeId) -> Iterator[tuple[str, str]]:
    """Yield what stands ahead of a change in its line, and what is gated together with it."""
    for line in overview.lines:
        ahead: list[ChangeId] = []
        for batch in line:
            if change not in batch.changes:
                ahead += batch.changes
                continue
            others = [one for one in batch.changes if one != change]
            if others:
                yield "batch", f"together with {_named(others)}"
            yield "ahead", _named(ahead) if ahead else "nothing: it lands first in its line"
            return


def _named(changes: Sequence[ChangeId]) -> str:
    shown = ", ".join(changes[:PATHS_SHOWN])
    return (
        shown if len(changes) <= PATHS_SHOWN else f"{shown} and {len(changes) - PATHS_SHOWN} more"
    )


def _titled(title: str) -> list[tuple[str, str]]:
    return [("title", title)] if title else []


def _landed_text(fact: LandedFact) -> str:
    return f"{short(fact.head)} as {short(fact.commit)}" if fact.commit else short(fact.head)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
