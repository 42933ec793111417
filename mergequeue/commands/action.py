"""`mergequeue action`: what the actions call, a step of a workflow each."""

import click

from mergequeue.commands import (
    action_apply,
    action_await,
    action_control,
    action_describe,
    action_dispatch,
    action_keep,
    action_page,
    action_plan,
    action_validate,
)


@click.group("action", short_help="The steps that the GitHub Actions are made of.")
def command() -> None:
    """Run one step of a workflow: each option may be given as MERGEQUEUE_INPUT_<NAME>, too.

    By hand, use ls, plan, validate, apply and describe.
    """


for _step in (
    action_plan.command,
    action_validate.command,
    action_apply.command,
    action_describe.command,
    action_await.command,
    action_control.command,
    action_dispatch.command,
    action_keep.command,
    action_page.command,
):
    command.add_command(_step)
