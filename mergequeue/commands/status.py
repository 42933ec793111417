"""`mergequeue status`: the queue as its records have it, for people; it writes nothing."""

from collections.abc import Sequence

import click

from mergequeue.commands import options
from mergequeue.commands.tools import Standing, open_shop
from mergequeue.plaingit.listing import Entry, Records
from mergequeue.plaingit.reading import PlainGitReads
from mergequeue.report.status import QueueRow, change_lines, merged_lines, queue_lines
from mergequeue.vocabulary.errors import NO_SUCH_CHANGE, USAGE
from mergequeue.vocabulary.ids import BranchName, ChangeId, parse_change


@click.command("status", short_help="Show the queue, and why each change waits.")
@click.option(
    "--change",
    metavar="ID",
    help="Say everything about one change: a kicked-back one with the whole report.",
)
@options.several(options.base, options.remote)
@click.pass_obj
def command(standing: Standing, change: str | None, base: BranchName, remote: str) -> None:
    """Show the plain-git queue without running it: each change's state, and why it is in it."""
    id_ = _change(change) if change is not None else None
    records = read_records(standing, remote, base)
    width = standing.terminal.product_width
    lines = _one(records, id_, width) if id_ is not None else _all(records, width)
    standing.terminal.product(("\n".join(lines) + "\n").encode())


def read_records(standing: Standing, remote: str, base: BranchName) -> Records:
    """Return what the remote records of a base's queue."""
    with open_shop(standing, remote) as shop:
        return PlainGitReads(shop.reads, remote=remote, user=shop.user).records(base)


def _change(text: str) -> ChangeId:
    try:
        return parse_change(text)
    except ValueError as error:
        raise USAGE(f"--change: {error}") from error


def _all(records: Records, width: int | None) -> Sequence[str]:
    rows = [_row(entry) for entry in records.entries]
    strays = [ref.removeprefix("refs/heads/") for ref in records.strays]
    return queue_lines(rows, records.merged, strays, width)


def _one(records: Records, id_: ChangeId, width: int | None) -> Sequence[str]:
    for entry in records.entries:
        if entry.intent.id == id_:
            return change_lines(_row(entry), width)
    for merge in reversed(records.merged):
        if merge.id == id_:
            return merged_lines(merge, width)
    raise NO_SUCH_CHANGE(
        f"no branch of the remote is the change {id_}, and no merge of it is remembered"
    )


def _row(entry: Entry) -> QueueRow:
    intent, state = entry.intent, entry.state
    return QueueRow(
        change=intent.id,
        branch=intent.branch,
        method=intent.method,
        head=intent.head,
        place=state.place if state else None,
        status=state.status if state else None,
        kick=state.kick if state and entry.kicked else None,
        refused=intent.refused,
    )
