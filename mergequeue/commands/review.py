"""`mergequeue review`: a person's or a program's review of a change of a plain-git queue."""

import re

import click

from mergequeue.commands import options
from mergequeue.commands.providers import open_plain_git
from mergequeue.commands.tools import Hooks, Standing, open_bench
from mergequeue.plaingit.reviewing import Given
from mergequeue.report.describing import review_answer
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, parse_change
from mergequeue.vocabulary.limits import CLAIM_BYTES
from mergequeue.vocabulary.text import cut
from mergequeue.vocabulary.words import ReviewState

_COMMIT = re.compile(r"[0-9a-f]{7,40}\Z")


@click.command("review", short_help="Review a change of a plain-git queue.")
@click.argument("change")
@click.option("--approve", "state", flag_value=ReviewState.APPROVED.value, help="Approve its head.")
@click.option(
    "--request-changes",
    "state",
    flag_value=ReviewState.CHANGES_REQUESTED.value,
    help="Ask for changes to its head.",
)
@click.option(
    "--commit", metavar="COMMIT", help="The head that was looked at; any other is refused."
)
@click.option("--message", default="", metavar="TEXT", help="What its author is told with it.")
@click.option(
    "--as",
    "given_by",
    metavar="'NAME <ADDRESS>'",
    callback=options.identity,
    help="Who reviews. [git's user.name and user.email]",
)
@options.several(options.base, options.remote)
@click.pass_obj
def command(
    standing: Standing,
    change: str,
    state: str | None,
    commit: str | None,
    message: str,
    given_by: Identity | None,
    base: BranchName,
    remote: str,
) -> None:
    """Review the head of a change, where mergequeue.toml on the base names required reviewers.

    CHANGE is its id as `mergequeue ls` shows it. A newer review of the same person takes the place
    of an older one. This writes the queue's records on the remote.
    """
    try:
        id_ = parse_change(change)
    except ValueError as error:
        raise USAGE(f"CHANGE: {error}") from error
    if state is None:
        raise USAGE("neither --approve nor --request-changes is given", "Give one of the two.")
    if commit is not None and not _COMMIT.match(commit):
        raise USAGE("--commit is no commit: 7 to 40 digits of its id, in lower case")
    with open_bench(standing, remote, base, Hooks()) as bench:
        by = given_by or bench.workshop.user
        if by is None:
            raise USAGE(
                "nothing names who reviews",
                "Set user.name and user.email of git, or give --as 'Name <address>'.",
            )
        given = Given(by, ReviewState(state), commit or "", cut(message, CLAIM_BYTES))
        head = open_plain_git(standing, bench, base).review(id_, given)
        required = bench.configuration.reviewers.required
    standing.terminal.line(review_answer(id_, head, str(by), required))
