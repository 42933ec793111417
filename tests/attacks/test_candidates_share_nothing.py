"""A gate that runs a change's code spoils its own box, and nothing else."""

import signal
import tempfile

import pytest

from tests.support.programs import CONFIGURATION, Project, environ, make_project, run_program
from tests.support.repositories import Playground

SPOILS = {
    "its repository is linked elsewhere": "rm -rf .git; ln -s {elsewhere} .git",
    "its repository runs things": (
        "rm -rf .git; git init -q .; git config core.fsmonitor '{elsewhere}/ran'; "
        "git config core.hooksPath {elsewhere}; printf '#!/bin/sh\\n:>{elsewhere}/mark\\n' "
        ">{elsewhere}/ran; chmod 755 {elsewhere}/ran"
    ),
    "its folders lose their rights": (
        'mkdir -p deep/er "$HOME/h"; ln -s {elsewhere} "$TMPDIR/l"; '
        'chmod 0 deep "$HOME" "$TMPDIR" .'
    ),
    "it takes its own program away": "rm -f gate mergequeue.toml",
}


@pytest.mark.parametrize("script", SPOILS.values(), ids=SPOILS.keys())
def test_a_box_that_a_gate_spoiled_is_gone_and_the_next_is_whole(
    playground: Playground, script: str
) -> None:
    elsewhere = playground.folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("kept\n")
    # Where the base lets a gate reach another folder, it still spoils nothing of the queue's.
    lent = CONFIGURATION + f'[sandbox]\nallow = ["write:{elsewhere}"]\n'
    gate = script.format(elsewhere=elsewhere) + "\n"
    project = make_project(playground, {"gate": gate, "mergequeue.toml": lent})
    project.queue("a-first", {"one/new": "n\n"})
    project.queue("b-second", {"one/newer": "n\n"})
    ran = project.run("--parallel", "1")
    assert ran.status == 0
    assert {e["kind"] for e in ran.last().values()} == {"merged"}
    assert (elsewhere / "kept").read_text() == "kept\n"
    assert not (elsewhere / "mark").exists()


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def test_a_gate_that_would_kill_the_queue_merges_nothing_and_loses_nothing(
    project: Project,
) -> None:
    """Where the kernel keeps signals inside, the queue is still there, and the gate is red."""
    head = project.queue("it", {"one/new": "n\n"})
    words = ("run", "--committer", "Q <q@example.invalid>", "--gate", "sh -c 'kill -9 $PPID'")
    # What a killed program leaves goes with the test.
    with tempfile.TemporaryDirectory() as temporary:
        ran = run_program(project.clone, *words, env=environ(TMPDIR=temporary))
    killed = ran.status == -signal.SIGKILL
    assert killed or "Operation not permitted" in ran.err
    assert project.playground.tip("main") == project.base
    assert project.playground.tip("mq/squash/it") == head
    assert project.run("--gate", "true").last()["it"]["kind"] == "merged"


def test_the_gate_and_the_units_are_the_bases_and_no_changes_own(project: Project) -> None:
    own = '[queue]\ngate = "true"\nrest = "rest"\n[unit.elsewhere]\npaths = ["one/**"]\n'
    project.queue("it", {"mergequeue.toml": own, "one/text": "bug\n"})
    ran = project.run()
    assert ran.last()["it"]["code"] == "KICK_RED"
    assert project.playground.tip("main") == project.base
