"""What a hook may reach is the base's word, whatever a change writes into its own copy."""

import os
from pathlib import Path

import pytest

from tests.support.hooks import needs_landlock
from tests.support.programs import Project, environ, make_project, run_program
from tests.support.repositories import Playground

pytestmark = needs_landlock

SECRET = "s3cr3t-t0k3n"
CONFIGURATION = """\
[queue]
gate = "sh gate"
rest = "rest"
[unit.one]
paths = ["one/**"]
[unit.two]
paths = ["two/**"]
[sandbox]
{sandbox}
"""


@pytest.fixture
def secret(playground: Playground) -> Path:
    path = playground.folder / "data" / "secret"
    path.parent.mkdir()
    path.write_text("secret\n")
    return path


def project_with(playground: Playground, sandbox: str, gate: str) -> Project:
    configuration = CONFIGURATION.format(sandbox=sandbox)
    return make_project(playground, {"mergequeue.toml": configuration, "gate": gate})


def test_no_variable_of_the_queues_own_reaches_a_gate(playground: Playground) -> None:
    project = make_project(playground)
    project.queue("it", {"one/new": "n\n"})
    names = ("MERGEQUEUE_TOKEN", "GITHUB_TOKEN", "GITHUB_ENV", "ACTIONS_RUNTIME_TOKEN", "AWS_KEY")
    words = ("run", "--committer", "Q <q@example.invalid>", "--gate", "sh -c env")
    ran = run_program(project.clone, *words, env=environ(**dict.fromkeys(names, SECRET)))
    assert ran.last()["it"]["kind"] == "merged"
    assert "TMPDIR=" in ran.err
    assert SECRET not in ran.out + ran.err


def test_a_change_opens_nothing_by_its_own_configuration(
    playground: Playground, secret: Path
) -> None:
    project = project_with(playground, "", f"cat {secret} || env | grep CREDENTIAL")
    grants = f'allow = ["write:{secret.parent}"]\npassthrough = ["CREDENTIAL"]'
    project.queue("it", {"mergequeue.toml": CONFIGURATION.format(sandbox=grants)})
    words = ("run", "--committer", "Q <q@example.invalid>")
    ran = run_program(project.clone, *words, env=environ(CREDENTIAL="x"))
    # The base alone cannot read it either, so nobody is to blame.
    assert ran.last()["it"]["code"] == "WAIT_BASE_RED"
    assert playground.tip("main") == project.base


def test_what_the_base_allows_can_be_read_and_what_it_passes_is_there(
    playground: Playground, secret: Path
) -> None:
    # A machine may have a Docker that would be refused otherwise.
    grants = f'allow = ["{secret.parent}"]\npassthrough = ["CREDENTIAL"]\nunix_sockets = false'
    gate = f'grep secret {secret} && test "$CREDENTIAL" = x && ! echo more >> {secret}'
    project = project_with(playground, grants, gate)
    project.queue("it", {"one/new": "n\n"})
    words = ("run", "--committer", "Q <q@example.invalid>", "--sandbox=required")
    ran = run_program(project.clone, *words, env=environ(CREDENTIAL="x"))
    assert ran.last()["it"]["kind"] == "merged", ran.err
    assert secret.read_text() == "secret\n"


def test_the_facts_command_is_a_hook_like_any_other(playground: Playground, secret: Path) -> None:
    facts = f'echo "$1" >&2; cat {secret} >&2; echo \'{{"affected": [], "units": ["/"]}}\''
    project = make_project(playground, {"facts": facts})
    project.queue("it", {"one/new": "n\n"})
    ran = project.run("--facts", "sh facts")
    assert "affected" in ran.err
    assert "Permission denied" in ran.err
    assert "secret\n" not in ran.err


@pytest.mark.parametrize(
    ("grants", "named"),
    [
        ('allow = ["~/.cache"]', "~/.cache"),
        ('passthrough = ["GITHUB_TOKEN"]', "GITHUB_TOKEN"),
    ],
)
def test_a_grant_that_is_none_stops_the_queue_and_blames_nobody(
    playground: Playground, grants: str, named: str
) -> None:
    project = project_with(playground, grants, "true")
    head = project.queue("it", {"one/new": "n\n"})
    ran = project.run()
    assert ran.status == 1
    assert "error MQ2004" in ran.err
    assert named in ran.err
    assert playground.tip("mq/squash/it") == head


def test_a_program_of_nowhere_stops_its_line_and_blames_nobody(playground: Playground) -> None:
    program = playground.folder / "gate"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    project = make_project(playground)
    head = project.queue("it", {"one/new": "n\n"})
    ran = project.run("--gate", str(program))
    assert ran.status == 1
    assert "MQ2007" in ran.err
    assert playground.tip("mq/squash/it") == head


@pytest.mark.parametrize("outer", ["required", "off"])
def test_a_queue_inside_a_hook_is_never_less_strict_than_the_hook(
    playground: Playground, outer: str
) -> None:
    project = make_project(playground)
    head = project.queue("it", {"one/new": "n\n"})
    words = ("run", "--committer", "Q <q@example.invalid>", "--sandbox=best-effort")
    ran = run_program(project.clone, *words, env=environ(MERGEQUEUE_SANDBOX=outer))
    assert ran.status == 1
    assert "error MQ2010" in ran.err
    assert playground.tip("mq/squash/it") == head


def test_a_hook_is_told_the_mode_that_it_runs_in(playground: Playground) -> None:
    project = project_with(
        playground,
        'mode = "required"\nunix_sockets = false',
        'test "$MERGEQUEUE_SANDBOX" = required',
    )
    project.queue("it", {"one/new": "n\n"})
    assert project.run().last()["it"]["kind"] == "merged"
    assert "MERGEQUEUE_SANDBOX" not in os.environ
