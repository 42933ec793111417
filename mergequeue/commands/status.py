"""`mergequeue status`: where every change stands, for people; it writes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import click

from mergequeue.commands import options
from mergequeue.commands.looking import look
from mergequeue.commands.providers import read_plain_git, reading_door
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.documents.changes import MergedChange
from mergequeue.documents.keeping import Note
from mergequeue.documents.provider import KickBack
from mergequeue.plaingit.listing import Records
from mergequeue.plaingit.reading import PlainGitReads
from mergequeue.report.standing import Overview
from mergequeue.report.status import (
    away_lines,
    change_lines,
    landed_lines,
    merged_lines,
    note_lines,
    queue_lines,
)
from mergequeue.vocabulary.errors import NO_SUCH_CHANGE, USAGE
from mergequeue.vocabulary.ids import BranchName, ChangeId, parse_change


@click.command("status", short_help="Show the queue: where each change stands, and until when.")
@click.argument("change", required=False)
@options.several(options.base, options.remote, options.provider)
@click.pass_obj
def command(
    standing: Standing, change: str | None, base: BranchName, remote: str, provider: str
) -> None:
    """Show where every change stands and when it should land, without running anything.

    With CHANGE, everything about that one: what it waits for, what is ahead of it, and a
    kicked-back one's report. It is its id as `mergequeue ls` shows it; on GitHub, a number.
    """
    id_ = _change(change) if change is not None else None
    door = reading_door(provider, remote, standing)
    with open_shop(standing, remote, door.prepare) as shop:
        reads = door.reads(shop)
        overview = look(shop, reads, base, standing.clock.now()).overview
        own = _own(reads.records(base)) if isinstance(reads, PlainGitReads) else _Own()
    width = standing.terminal.product_width
    lines = _all(overview, own, width) if id_ is None else _one(overview, own, id_, width)
    standing.terminal.product(("\n".join(lines) + "\n").encode())


@dataclass(frozen=True)
class _Own:
    """What a provider's own records have beyond the memory; plain git's alone do."""

    kicks: tuple[KickBack, ...] = ()
    merged: tuple[MergedChange, ...] = ()
    strays: tuple[str, ...] = ()
    notes: Mapping[ChangeId, tuple[Note, ...]] = field(default_factory=dict)
    """What the keeper has said of each change."""


def read_records(standing: Standing, remote: str, base: BranchName) -> Records:
    """Return what the remote records of a plain-git queue."""
    with open_shop(standing, remote) as shop:
        return read_plain_git(shop, remote).records(base)


def _own(records: Records) -> _Own:
    entries = [entry for entry in records.entries if entry.kicked]
    kicks = [entry.state.kick for entry in entries if entry.state is not None]
    strays = tuple(ref.removeprefix("refs/heads/") for ref in records.strays)
    known = tuple(kick for kick in kicks if kick is not None)
    notes = {entry.intent.id: entry.state.notes for entry in records.entries if entry.state}
    return _Own(known, records.merged, strays, notes)


def _change(text: str) -> ChangeId:
    try:
        return parse_change(text.removeprefix("#"))
    except ValueError as error:
        raise USAGE(f"CHANGE: {error}") from error


def _all(overview: Overview, own: _Own, width: int | None) -> Sequence[str]:
    known = {one.change for one in overview.away}
    kicks = [kick for kick in own.kicks if kick.change.id not in known]
    return queue_lines(overview, width, kicks=kicks, strays=own.strays)


def _one(overview: Overview, own: _Own, id_: ChangeId, width: int | None) -> Sequence[str]:
    said = note_lines(own.notes.get(id_, ()), width)
    if id_ in overview.standings:
        return [*change_lines(overview, overview.standings[id_], width), *said]
    away = next((one for one in overview.away if one.change == id_), None)
    kick = next((kick for kick in own.kicks if kick.change.id == id_), None)
    if away is not None or kick is not None:
        return [*away_lines(overview, away, kick, width), *said]
    for fact in overview.landed:
        if fact.id == id_:
            return landed_lines(overview, fact, width)
    for merge in reversed(own.merged):
        if merge.id == id_:
            return merged_lines(merge, width)
    raise NO_SUCH_CHANGE(
        f"the change {id_} is not queued, was not turned away, and no landing of it is remembered"
    )
