"""Halving over GitHub: in the jobs of a matrix, and over runs that are cut off."""

import json
from pathlib import Path

import pytest

from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import Pin
from mergequeue.documents.reading import read_document, write_document
from mergequeue.documents.suspects import Suspicion
from mergequeue.plan.matrix import matrix_of
from mergequeue.vocabulary.ids import ChangeId
from tests.fakes.github.runverbs import finish, start_run, upload
from tests.fakes.github.story import GitHub
from tests.github.queue import Queue, queue_of
from tests.github.test_applying_a_run import app_of, apply
from tests.support.programs import CONFIGURATION, Ran

BATCHES = CONFIGURATION.replace("[queue]\n", "[queue]\nbatch = 2\n")


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    """Return a queue of batches of two, with four pull requests in it of which one is bad."""
    queue = queue_of(github, tmp_path)
    github.commit("main", {"mergequeue.toml": BATCHES}, "Batches", by="admin")
    return queue


def queued(github: GitHub, count: int, *, bad: int) -> None:
    for number in range(1, count + 1):
        text = "bug\n" if number == bad else "new\n"
        pull = github.open_pull(f"topic-{number}", {f"one/{number}": text})
        github.enable_auto_merge(pull, "squash")


def planned(queue: Queue) -> Plan:
    queue.plan()
    raw = (queue.clone / f"verdicts-{queue.rounds}" / "plan.json").read_bytes()
    return read_document(raw, Plan, "the plan")


def gates(ran: Ran) -> list[list[str]]:
    lines = [json.loads(line) for line in ran.out.splitlines() if line.startswith("{")]
    return [line["changes"] for line in lines if line["kind"] == "gate"]


def validate_jobs(queue: Queue, plan: Plan) -> list[list[str]]:
    """Validate each job of the matrix; return what their gates ran on."""
    return [
        batch for job in matrix_of(plan).jobs for batch in gates(queue.validate("--only", job.only))
    ]


def test_a_red_batch_on_ungated_ones_is_resolved_in_the_next_run(
    github: GitHub, queue: Queue
) -> None:
    queued(github, 5, bad=4)
    first = validate_jobs(queue, planned(queue))
    assert first == [["1", "2"], ["3", "4"], ["3"], ["5"]]
    queue.apply()
    became = queue.became()
    assert {became[number] for number in ("1", "2", "3")} == {"merged"}
    assert {became[number] for number in ("4", "5")} == {"WAIT_BEHIND"}
    plan = planned(queue)
    assert plan.suspects == (("4",),)
    assert [job.members for job in matrix_of(plan).jobs] == [("4", "5")]
    assert validate_jobs(queue, plan) == [["4"], ["5"]]
    queue.apply()
    assert queue.became()["4"] == "KICK_RED"
    assert queue.became()["5"] == "merged"
    assert planned(queue).suspects == ()
    github.wrote()


def test_a_run_that_is_cut_off_while_a_job_halves_is_gone_on_with(
    github: GitHub, queue: Queue
) -> None:
    queued(github, 3, bad=2)
    plan = planned(queue)
    pins = tuple(Pin(id=change.id, commit=change.head) for change in plan.admitted[:2])
    said = Suspicion(base_commit=plan.base_commit, job=ChangeId("2"), changes=pins)
    run = start_run(github)
    upload(github, run, "mergequeue-plan", {"plan.json": write_document(plan)})
    upload(github, run, "mergequeue-suspects-2@1.1", {"suspects.json": write_document(said)})
    finish(github, None, run, conclusion="cancelled")
    assert apply(queue, run, app_of(github)).status == 0
    assert set(queue.became().values()) == {"WAIT_BEHIND"}
    plan = planned(queue)
    assert plan.suspects == (("1", "2"),)
    assert [job.members for job in matrix_of(plan).jobs] == [("1", "2")]
    github.wrote()
