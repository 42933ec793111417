"""What `describe` prints can be pasted into a shell: whatever is no command is a comment."""

import subprocess

from hypothesis import given, settings

from mergequeue.documents.capabilities import (
    Capabilities,
    Committer,
    Credential,
    RequiredCheck,
    Setting,
    Setup,
    Step,
)
from mergequeue.report.describing import requeue_answer, setup_text
from mergequeue.vocabulary.words import Method, ProviderMerges, StackMerge
from tests.support.drawn import capabilities

BARE = Capabilities(
    merges=ProviderMerges.PATHS,
    stack_merge=StackMerge.SEQUENTIAL,
    linear_stacks=False,
    methods=(Method.MERGE, Method.SQUASH),
    required_approvals=0,
)
SETUP = Setup(
    status_context="merge-queue",
    credential=Credential(id="1"),
    required_checks=(
        RequiredCheck(context="ci"),
        RequiredCheck(context="merge-queue", integration="7"),
    ),
    settings=(Setting(name="auto-merge", value="off", want="on"),),
    steps=(
        Step(title="Require\nthe status", command="forge protect main"),
        Step(title="Make the app", url="https://example.invalid/apps\nrm -rf x"),
    ),
)


def test_the_least_is_said_of_a_provider_without_a_setup() -> None:
    assert setup_text(BARE, "main", "/srv/x.git") == (
        "# the queue merges into main of /srv/x.git\n"
        "# merge methods: merge, squash\n"
        "# approvals required: 0\n"
        "# merges are committed by: nobody known; pass --committer to apply and run\n"
    )


def test_a_setup_is_said_fact_by_fact_and_step_by_step() -> None:
    whole = BARE.model_copy(
        update={
            "setup": SETUP,
            "queue_label": "mq/",
            "committer": Committer(name="Bot", email="bot@example.invalid"),
        }
    )
    assert setup_text(whole, "main", "x").splitlines()[3:] == [
        "# a change is queued by: mq/<method>",
        "# merges are committed by: Bot <bot@example.invalid>",
        "# required check: ci",
        "# required check: merge-queue, from 7 alone",
        "# auto-merge is off, and should be on",
        "",
        "# 1. Require\\x0athe status",
        "forge protect main",
        "",
        "# 2. Make the app",
        "# open https://example.invalid/apps\\x0arm -rf x",
    ]


@settings(max_examples=25)
@given(capabilities)
def test_a_shell_runs_the_steps_commands_and_nothing_else(described: Capabilities) -> None:
    setup = described.setup
    if setup is not None:
        steps = tuple(
            step.model_copy(update={"command": f"echo {number}"}) if step.command else step
            for number, step in enumerate(setup.steps)
        )
        described = described.model_copy(
            update={"setup": setup.model_copy(update={"steps": steps})}
        )
    commands = [] if setup is None else [n for n, step in enumerate(setup.steps) if step.command]
    text = setup_text(described, "main", "x")
    ran = subprocess.run(["sh"], input=text.encode(), capture_output=True, check=True)
    assert ran.stdout.decode().split() == [str(number) for number in commands]


def test_requeueing_says_whether_anything_was_written() -> None:
    assert requeue_answer("one", was_out=True).startswith("one is queued again")
    assert requeue_answer("one", was_out=False).endswith("nothing was written")
