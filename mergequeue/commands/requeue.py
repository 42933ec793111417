"""`mergequeue requeue`: a person queues a kicked-back change again, as it stands."""

from collections.abc import Sequence

import click

from mergequeue.commands import options
from mergequeue.commands.providers import open_plain_git, read_plain_git
from mergequeue.commands.tools import Bench, Hooks, Standing, open_bench
from mergequeue.documents.changes import Change
from mergequeue.documents.provider import Approval, ApprovalQuestion
from mergequeue.memory.keeping import RemoteMemoryReads
from mergequeue.plaingit.listing import Entry
from mergequeue.plaingit.reading import PlainGitReads
from mergequeue.plan.preflights import fails_again
from mergequeue.plan.reviewers import Since, decide_reviewed
from mergequeue.ports import ThreeWay, Wanted
from mergequeue.report.describing import requeue_answer
from mergequeue.report.resolutions import few
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, parse_change
from mergequeue.vocabulary.text import path_text


@click.command("requeue", short_help="Queue a kicked-back change again as it stands.")
@click.argument("change")
@options.several(options.base, options.remote)
@click.pass_obj
def command(standing: Standing, change: str, base: BranchName, remote: str) -> None:
    """Queue a kicked-back change again at the commit it has, without a new push.

    CHANGE is its id as `mergequeue ls` shows it. One whose required reviewer asks for changes to
    that commit is refused, and so is one that failed a pre-flight there, until the base moves on,
    or that was kicked back for a conflict with the base which is still there. This writes the
    queue's records on the remote.
    """
    try:
        id_ = parse_change(change)
    except ValueError as error:
        raise USAGE(f"CHANGE: {error}") from error
    with open_bench(standing, remote, base, Hooks()) as bench:
        _refuse_conflicting(bench, remote, base, id_)
        if bench.configuration.preflight:
            _refuse_failing(bench, remote, base, id_)
        if bench.configuration.reviewers.required:
            _refuse_turned_away(bench, remote, base, id_)
        was_out = open_plain_git(standing, bench, base).requeue(id_)
    standing.terminal.line(requeue_answer(id_, was_out=was_out))


def _refuse_conflicting(bench: Bench, remote: str, base: BranchName, id_: ChangeId) -> None:
    """Raise for a change whose conflict with the base is still there (seed 2, Who may queue).

    Nothing ahead of it that lands changes that. One that conflicts with a change ahead is let in.
    """
    shop = bench.workshop
    records = read_plain_git(shop, remote).records(base)
    kicked = [
        entry.intent
        for entry in records.entries
        if entry.intent.id == id_ and entry.state is not None and entry.kicked
        if entry.state.kick is not None and entry.state.kick.code is Code.KICK_CONFLICT
    ]
    for intent in kicked:
        tip = shop.reads.fetch_branch(base)
        if shop.reads.fetch_commits([Wanted(intent.head)]):
            continue
        carried = shop.reads.graph([intent.head], tip).parents
        beneath = [merge.head for merge in records.merged if merge.head in carried]
        (made,) = bench.merging.merge([ThreeWay(tip, intent.head, recorded=_last(beneath))])
        if made.tree is None and made.conflicts:
            named = few([path_text(conflict.path) for conflict in made.conflicts])
            raise USAGE(
                f"{id_} would be kicked back again: it conflicts with {base} as it is in {named}",
                f"Merge {base} into it, settle these files and push; `mergequeue keep` does that "
                "where both sides only added lines.",
            )


def _last(heads: Sequence[CommitId]) -> CommitId | None:
    return heads[-1] if heads else None


def _refuse_failing(bench: Bench, remote: str, base: BranchName, id_: ChangeId) -> None:
    """Raise for a change whose pre-flights failed at this head and tip (seed 2, Pre-flights)."""
    shop = bench.workshop
    memory = RemoteMemoryReads(shop.reads, base).recall()
    tip = shop.reads.fetch_branch(base)
    for entry in read_plain_git(shop, remote).records(base).entries:
        why = fails_again(memory, id_, entry.intent.head, tip) if entry.intent.id == id_ else ""
        if why:
            raise USAGE(
                f"{id_} failed a pre-flight at this very head and tip of {base}: {why}",
                "Push a new head to its branch, or queue it once the base has moved on.",
            )


def _refuse_turned_away(bench: Bench, remote: str, base: BranchName, id_: ChangeId) -> None:
    """Raise for a change that would be handed back at once (seed 2, Pre-flights)."""
    shop = bench.workshop
    reads = read_plain_git(shop, remote)
    reviewers = bench.configuration.reviewers
    for entry in reads.records(base).entries:
        answer = _now(reads, entry, base, reviewers.required) if entry.intent.id == id_ else ""
        if isinstance(answer, str):
            continue
        lacks = decide_reviewed(reviewers, answer, {answer.head}, Since())
        if lacks is not None and lacks.code.is_kick:
            raise USAGE(
                f"{id_} would be kicked back again: {lacks.reason}",
                "Have them review it again, or somebody else approve its head, and queue it then.",
            )


def _now(
    reads: PlainGitReads, entry: Entry, base: BranchName, reviewers: tuple[str, ...]
) -> Approval | str:
    intent = entry.intent
    change = Change(id=intent.id, head=intent.head, base=base, method=intent.method)
    question = ApprovalQuestion(change=change, commit=intent.head, reviewers=reviewers)
    return reads.approvals_at([question])[intent.id]
