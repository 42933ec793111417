"""Where a pull request stands: in its status while a run goes on, on the pages of the jobs, and for
whoever asks with `status` and `stats`.
"""

import json
import threading
import time
from pathlib import Path

import pytest

from tests.actions.test_apply_step import red_and_green, step
from tests.fakes.github.runverbs import finish
from tests.fakes.github.story import GitHub
from tests.github.queue import Queue, queue_of
from tests.github.test_applying_a_run import queued, send, validated
from tests.support.programs import Ran

SQUASH = "merge-queue: squash"


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    return queue_of(github, tmp_path)


def asked(queue: Queue, *words: str) -> Ran:
    ran = queue._step({"GITHUB_TOKEN": queue.github.reader.text}, *words, "--provider", "github")
    assert ran.status == 0, ran.err
    return ran


def told(github: GitHub, number: int) -> list[str]:
    """Return every status of a pull request's head, the oldest first."""
    head = github.repository.pulls[number].head_sha
    return [status.description or "" for status in github.repository.statuses.get(head, [])]


def test_its_status_says_where_it_stands_while_its_gate_runs(github: GitHub, queue: Queue) -> None:
    queued(github, "one/a", "one/b")
    run, verdicts = validated(queue)

    def validate() -> None:
        until = time.monotonic() + 60
        while not (told(github, 1) and told(github, 2)) and time.monotonic() < until:
            time.sleep(0.02)
        for verdict in verdicts:
            send(github, run, verdict)
        finish(github, None, run)

    validation = threading.Thread(target=validate)
    validation.start()
    ran = step(queue, run, interval="0.05")
    validation.join()
    assert ran.status == 0, ran.err
    assert told(github, 1) == ["Being gated", "merging"]
    assert told(github, 2) == ["Being gated", "merging"]
    github.wrote()


def test_the_page_of_a_job_says_it_too(github: GitHub, queue: Queue) -> None:
    queued(github, "one/a", "one/b", "one/c")
    folder = queue.clone.parent
    for name in ("output", "summary"):
        (folder / name).write_text("")
    environment = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_REPOSITORY": "acme/acme",
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "GITHUB_TOKEN": github.reader.text,
        "MERGEQUEUE_INPUT_BATCH": "2",
        "MERGEQUEUE_INPUT_DEPTH": "1",
        "RUNNER_TEMP": str(folder),
    }
    ran = queue._step(environment, "action", "plan")
    assert ran.status == 0, ran.err
    page = (folder / "summary").read_text()
    assert page.count("`In a batch of 2 being gated`") == 2
    assert "`Queued, 3rd of 3, ready for the next batch`" in page


def test_status_and_stats_tell_of_pull_requests(github: GitHub, queue: Queue) -> None:
    run = red_and_green(queue)
    assert step(queue, run).status == 0
    github.label(github.open_pull("next", {"one/c": "new\n"}), SQUASH)
    lines = asked(queue, "status").out.splitlines()
    assert lines[0].startswith("main: 1 queued, 0 being gated or landing; no run is at work")
    assert lines[3].split()[:2] == ["1", "3"]
    assert "Queued, 1st of 1: no run has seen it yet" in lines[3]
    assert lines[4].split()[:2] == ["-", "2"]
    assert "Kicked back, KICK_RED" in lines[4]
    assert lines[6].split()[:2] == ["landed", "1"]
    assert "stands  Queued, 1st of 1" in asked(queue, "status", "#3").out
    assert "stands  Landed as " in asked(queue, "status", "1").out
    total = json.loads(asked(queue, "stats", "-o", "json").out)["total"]
    assert (total["queued"], total["landed"], total["turned_away"]["gate"]) == (2, 1, 1)
    github.wrote()
