"""`mergequeue demo`: the whole queue at work on a repository of its own."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from mergequeue.commands import options
from mergequeue.commands.passes import Wishes
from mergequeue.commands.providers import PLAIN_GIT, writing_door
from mergequeue.commands.run import Keeper, run_until_still, stoppable
from mergequeue.commands.status import read_records
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.demo.world import WISHES, WITHDRAWN, World, withdraw, write_world
from mergequeue.documents.event import Happening
from mergequeue.host.files import empty_folder, new_folder
from mergequeue.plaingit.listing import Records
from mergequeue.report.demo import Story, closing_lines, opening_lines
from mergequeue.report.ending import HistoryRow, Outcome, history_lines, outcomes_of
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import EventKind, SandboxMode

_BASE = BranchName("main")
_COMMITTER = Identity("The demo's queue", "demo@mergequeue.invalid")


@click.command("demo", short_help="Show the whole queue at work, in a minute or two.")
@click.option(
    "--in",
    "place",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="An empty folder to make the repository in. [a new temporary one]",
)
@options.sandbox
@click.pass_obj
def command(standing: Standing, place: Path | None, sandbox: SandboxMode | None) -> None:
    """Show the whole queue at work on a repository that it makes: two minutes at most."""
    folder = new_folder() if place is None else empty_folder(standing.path(place))
    world = write_world(folder)
    for line in opening_lines(str(folder), len(WISHES)):
        standing.terminal.line(line)
    started = standing.clock.now()
    seen = Keeper()
    inside = replace(standing, root=world.clone, tells_programs=False)
    wishes = Wishes(
        base=_BASE,
        remote="origin",
        door=writing_door(PLAIN_GIT, "origin", inside),
        committer=_COMMITTER,
        parallel=4,
        sandbox=sandbox,
    )
    with stoppable(standing) as (stop, cancelling):
        run_until_still(inside, wishes, stop, cancelling, also=(seen, _Withdrawing(world)))
    seconds = (standing.clock.now() - started).total_seconds()
    lines = closing_lines(
        _stories(outcomes_of(seen.happenings), read_records(inside, "origin", _BASE)),
        _history(inside),
        str(world.folder),
        seconds,
        standing.terminal.product_width,
    )
    standing.terminal.product(("\n".join(lines) + "\n").encode())


class _Withdrawing:
    """Takes one change back the moment its gate starts, as an author with second thoughts would."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._done = False

    def emit(self, happening: Happening) -> None:
        if happening.kind is EventKind.GATE and happening.change == WITHDRAWN and not self._done:
            self._done = True
            withdraw(self._world, WITHDRAWN)


def _stories(outcomes: Mapping[ChangeId, Outcome], records: Records) -> list[Story]:
    merged = {merge.id: merge for merge in records.merged}
    kicks = {
        entry.intent.id: entry.state.kick
        for entry in records.entries
        if entry.kicked and entry.state
    }
    stories = []
    for wish in WISHES:
        id_ = ChangeId(wish.name)
        outcome = outcomes.get(id_, Outcome("not seen", ""))
        stories.append(Story(id_, wish.shows, outcome, merged.get(id_), kicks.get(id_)))
    return stories


def _history(standing: Standing) -> list[str]:
    with open_shop(standing, "origin") as shop:
        landed: list[HistoryRow] = []
        here: CommitId | None = shop.reads.fetch_branch(_BASE)
        while here is not None:
            facts = shop.reads.commit(here)
            title = facts.message.partition("\n")[0]
            landed.append(HistoryRow(facts.id, len(facts.parents), title, facts.author.name))
            here = facts.parents[0] if facts.parents else None
    return history_lines(landed)
