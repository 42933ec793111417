"""`mergequeue status` and `stats`: what a person sees of a queue, whoever runs it."""

import json
import re
import signal
import subprocess
import time

import pytest

from mergequeue.vocabulary.ids import CommitId
from tests.github.queue import run_here
from tests.support.programs import CONFIGURATION, Project, Ran, make_project, start_program
from tests.support.repositories import Playground

STATE = "refs/mergequeue/state/main"
OVER = "no run is at work; the last that changed anything did at now"
TIME = re.compile(r"[0-9]{2}:[0-9]{2} UTC")


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def here(project: Project, *words: str) -> Ran:
    return run_here(project.clone, *words, env={})


def run(project: Project) -> None:
    ran = here(project, "run", "--committer", "Q <q@example.invalid>")
    assert ran.status == 0, ran.err


def test_the_queue_is_told_without_running_it_and_nothing_is_written(project: Project) -> None:
    assert here(project, "stats").out == (
        "nothing happened in these days that the queue remembers\n"
    )
    merges = project.queue("merges", {"one/text": "A\nb\nc\nd\ne\n"})
    red = project.queue("red", {"two/text": "bug\n"})
    run(project)
    landed = project.playground.tip("main")
    later = project.queue("later", {"one/more": "m\n"}, method="rebase")
    project.playground.branch("mq/sqaush/typo", later)
    before = project.playground.refs()
    ran = here(project, "status")
    assert ran.status == 0, ran.err
    lines = TIME.sub("now", ran.out).splitlines()
    assert lines[0] == f"main: 1 queued, 0 being gated or landing; {OVER}"
    assert lines[2].split() == ["place", "change", "head", "where", "it", "stands"]
    assert lines[3].startswith(f"1      later   {later[:12]}  Queued, 1st of 1: no run has seen it")
    assert lines[4].startswith(f"-      red     {red[:12]}  Kicked back, KICK_RED: The gate is red")
    assert lines[6] == f"landed  merges  {merges[:12]} as {landed[:12]}, now"
    assert "`mq/sqaush/typo`" in lines[-1]
    assert ran.err == ""
    _each_is_told_whole(project, landed)
    _stats_are_of_what_it_remembers(project)
    assert project.playground.refs() == before


def _each_is_told_whole(project: Project, landed: CommitId) -> None:
    red = here(project, "status", "red").out
    assert "title   Change red" in red
    assert "mend what is red, push, and queue it again" in red
    assert "The gate was `sh gate`, with the units behind it: two" in red
    merged = here(project, "status", "merges").out.splitlines()
    assert f"stands  Landed as {landed}" in merged
    queued = here(project, "status", "later").out.splitlines()
    assert "stands  Queued, 1st of 1" in queued


def _stats_are_of_what_it_remembers(project: Project) -> None:
    total = json.loads(here(project, "stats", "--days", "1", "-o", "json").out)["total"]
    assert (total["queued"], total["landed"], total["turned_away"]["gate"]) == (2, 1, 1)
    assert (total["batches_passed"], total["batches_ended"]) == (1, 2)
    table = here(project, "stats").out
    assert "turned away: 1 gate" in table
    assert "over 80 % of batches passing" in table


def test_while_a_run_goes_on_it_is_told_what_is_gated_and_stopping_it_loses_nothing(
    playground: Playground,
) -> None:
    seen = playground.folder / "seen"
    seen.mkdir()
    settings = f'{CONFIGURATION}[sandbox]\nallow = ["{seen}"]\n'
    project = make_project(playground, {"mergequeue.toml": settings})
    project.queue("slow", {"two/text": "A\n"})
    project.queue("behind", {"two/text": "A\nb\n"}, on=[project.base])
    gate = f"sh -c 'until [ -e {seen}/go ]; do sleep 0.05; done'"
    words = ("--committer", "Q <q@example.invalid>", "--depth=1", "--gate", gate)
    run = start_program(project.clone, "run", *words)
    try:
        status = _once_gated(project, run)
    finally:
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=60)
    assert TIME.sub("now", status[0]) == (
        "main: 2 queued, 1 being gated or landing; a run is at work, as of now"
    )
    assert status[3].endswith("Being gated")
    assert "Queued, 2nd of 2, ready for the next batch" in status[4]
    after = here(project, "status").out.splitlines()
    assert "0 being gated or landing; no run is at work" in after[0]
    assert after[3].endswith("Queued, 1st of 2, ready for the next batch")


def _once_gated(project: Project, run: subprocess.Popen[bytes]) -> list[str]:
    """Return the lines of `status` once the run has said what it gates."""
    until = time.monotonic() + 60
    while b"queue/now.json" not in _remembered(project):
        assert run.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)
    return here(project, "status").out.splitlines()


def _remembered(project: Project) -> set[bytes]:
    refs = project.playground.refs()
    return set(project.playground.files(refs[STATE])) if STATE in refs else set()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("status", "nobody"), "MQ1016"),
        (("status", "bad/name"), "MQ1001"),
        (("status", "--base", "nope"), "MQ1010"),
        (("stats", "--base", "nope"), "MQ1010"),
        (("stats", "--days", "0"), "MQ1001"),
    ],
)
def test_what_is_not_there_is_an_error(project: Project, words: tuple[str, ...], code: str) -> None:
    ran = here(project, *words)
    assert ran.out == ""
    assert code in ran.err
