"""`mergequeue token`: has the queue's app lend a token, and hands it to the steps of a job."""

import os
import re

import click

from mergequeue.commands.github import committer_of, lent_token
from mergequeue.commands.tools import Standing
from mergequeue.github.addresses import repo_named
from mergequeue.github.apps import APPLY_PERMISSIONS
from mergequeue.host.runner import Runner
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.text import quoted

_PERMISSION = re.compile(r"(?P<name>[a-z_]+)=(?P<level>read|write|admin)\Z")


def _permissions(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    found = {}
    for value in values:
        named = _PERMISSION.match(value)
        if named is None:
            raise USAGE(
                f"--permission: {quoted(value)} is no permission",
                "Name it as GitHub does, such as --permission actions=write.",
            )
        found[named["name"]] = named["level"]
    return found or dict(APPLY_PERMISSIONS)


@click.command("token", short_help="Lend a step of a job a token of the queue's app.")
@click.option(
    "--repository",
    envvar="GITHUB_REPOSITORY",
    required=True,
    metavar="OWNER/REPO",
    help="The one repository that the token is for. [GITHUB_REPOSITORY]",
)
@click.option(
    "--permission",
    "permissions",
    multiple=True,
    callback=_permissions,
    metavar="NAME=LEVEL",
    help="What the token may, such as actions=write. Repeatable. [what apply needs]",
)
@click.pass_obj
def command(standing: Standing, repository: str, permissions: dict[str, str]) -> None:
    """Have the queue's app lend a token of an hour, for one repository.

    The app is MERGEQUEUE_APP_CLIENT_ID, proven with MERGEQUEUE_APP_PRIVATE_KEY. The token is masked
    and then left as the step's output `token`, with `committer` ("Name <address>" of the app's bot)
    and `slug` beside it. It is printed nowhere, so outside of a job this is refused.
    """
    runner = Runner.of(os.environ, standing.terminal.command)
    if runner is None or runner.outputs is None:
        raise USAGE(
            "there is no step that the token could be left for, and it is printed nowhere",
            "Run this as a step of a workflow; by hand, apply takes the app's key itself.",
        )
    lent = lent_token(standing, repo_named(repository), permissions)
    token = lent.token()
    runner.output("token", token)
    runner.output("committer", str(committer_of(standing, lent)))
    runner.output("slug", lent.slug())
    standing.terminal.line(f"{lent.slug()} lends a token for {repository}, for an hour")
