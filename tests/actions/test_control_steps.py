"""What people control, over the fake GitHub: a pause, the lane, try runs, several bases."""

import json
from pathlib import Path

import pytest

from tests.actions.test_apply_step import output, step
from tests.fakes.github.runverbs import QUEUE, finish, start_run
from tests.fakes.github.story import GitHub
from tests.github.queue import PROJECT, Queue, queue_of
from tests.github.test_applying_a_run import app_of, queued, send, validated
from tests.support.programs import CONFIGURATION, Ran

HEEDED = {"mergequeue.toml": f"[control]\npriority = true\ntries = true\n{CONFIGURATION}"}


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    github.app.permissions["actions"] = "write"
    return queue_of(github, tmp_path)


@pytest.fixture
def heeding(queue: Queue) -> Queue:
    queue.github.commit("main", HEEDED, "Heed what people ask for", by="admin")
    return queue


def act(queue: Queue, name: str, **inputs: str) -> Ran:
    """Run an action's step as the runner starts it."""
    (queue.clone.parent / "output").write_text("")
    (queue.clone.parent / "summary").write_text("")
    environment = {
        **app_of(queue.github),
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTOR": "maintainer",
        "GITHUB_OUTPUT": str(queue.clone.parent / "output"),
        "GITHUB_REPOSITORY": "acme/acme",
        "GITHUB_STEP_SUMMARY": str(queue.clone.parent / "summary"),
        "GITHUB_TOKEN": queue.github.reader.text,
        "RUNNER_TEMP": str(queue.clone.parent),
        **{f"MERGEQUEUE_INPUT_{key.upper()}": value for key, value in inputs.items()},
    }
    return queue._step(environment, "action", name)


def test_a_queue_is_paused_by_a_job_and_every_pull_request_says_why_until_it_is_resumed(
    github: GitHub, queue: Queue
) -> None:
    first, second = queued(github, "one/a", "two/b")
    paused = act(queue, "control", do="pause", reason="The release is cut")
    assert paused.status == 0, paused.err
    assert "::notice title=Merge queue::main: the queue is paused since" in paused.err
    queue.round()
    assert queue.became() == {"1": "WAIT_PAUSED", "2": "WAIT_PAUSED"}
    for pull in (first, second):
        status = github.repository.statuses[pull.head_sha][-1]
        assert status.state == "pending"
        assert "by maintainer: The release is cut" in (status.description or "")
    assert act(queue, "control", do="resume").status == 0
    queue.round()
    assert queue.became() == {"1": "merged", "2": "merged"}
    github.explain(".")


def test_a_pause_without_a_reason_is_refused(queue: Queue) -> None:
    ran = act(queue, "control", do="pause")
    assert ran.status == 2
    assert "::error title=MQ1001::" in ran.err


def test_a_labelled_pull_request_merges_first(github: GitHub, heeding: Queue) -> None:
    _, second = queued(github, "one/a", "one/b")
    github.label(second, "merge-queue: priority")
    heeding.round()
    merged = [event["change"] for event in heeding.last.events if event["kind"] == "merged"]
    assert merged == ["2", "1"]
    github.explain(".")
    assert second.labels == []


def test_a_try_run_is_told_on_the_pull_request_which_is_neither_queued_nor_merged(
    github: GitHub, heeding: Queue
) -> None:
    queued(github, "one/a")
    good = github.open_pull("good", {"two/new": "n\n"}, draft=True)
    bad = github.open_pull("bad", {"two/text": "bug\n"})
    for pull in (good, bad):
        github.label(pull, "merge-queue: try")
    heeding.round()
    assert heeding.became() == {"1": "merged"}
    assert [(pull.merged, pull.labels) for pull in (good, bad)] == [(False, [])] * 2
    (said,) = good.comments
    assert said.body.startswith("**Try run: green.**")
    (told,) = bad.comments
    assert told.body.startswith("**Try run: red.**")
    assert "exit status 1" in told.body
    assert not {good.head_sha, bad.head_sha} & set(github.repository.statuses)
    heeding.plan()
    plan = json.loads((heeding.clone / "verdicts-2" / "plan.json").read_text())
    assert (plan["tries"], plan["untried"]) == ([], [])
    github.explain(".")


def test_a_try_run_that_a_job_is_started_for_is_all_that_it_plans(
    github: GitHub, queue: Queue
) -> None:
    queued(github, "one/a")
    github.open_pull("other", {"two/new": "n\n"})
    ran = act(queue, "plan", try_run="2")
    assert ran.status == 0, ran.err
    assert json.loads(output(queue, "matrix")) == {
        "include": [{"change": "2", "label": "#2, a try run"}]
    }
    plan = json.loads(Path(output(queue, "plan")).read_text())
    assert (plan["partitions"], [one["id"] for one in plan["tries"]]) == ([], ["2"])
    by_hand = queue._step(queue._reading(), "try", "2", "--provider", "github")
    assert (by_hand.status, "2: try run green" in by_hand.err) == (0, True), by_hand.err


def test_apply_merges_into_the_base_that_the_run_was_of_and_into_no_branch_besides(
    github: GitHub, queue: Queue
) -> None:
    queued(github, "one/a")
    github.commit("release/1", PROJECT, "A release", by="admin")
    run, verdicts = validated(queue)
    for verdict in verdicts:
        send(github, run, verdict)
    finish(github, None, run)
    for branch in ("Main", "topic", ""):
        ran = step(queue, run, base="main release/1", branch=branch)
        assert ran.status == 2
        assert "the queue's bases are main, release/1" in ran.err
    ran = step(queue, run, base="release/1", branch="release/1")
    assert "MQ3027" in ran.err
    ran = step(queue, run, base="main release/1", branch="main")
    assert ran.status == 0, ran.err
    assert github.repository.pulls[1].merged
    github.explain(".")


def test_an_event_starts_a_run_on_each_base_that_it_may_be_about(
    github: GitHub, queue: Queue
) -> None:
    finish(github, None, start_run(github))
    github.commit("release/1", PROJECT, "A release", by="admin")
    started: list[str] = []
    runs = github.repository.runs
    github.repository.on_dispatch = lambda run: started.append(run.branch)
    for target, expected in [("release/1", ["release/1"]), ("topic", ["main"]), ("main", [])]:
        ran = act(queue, "dispatch", base="main release/1", target=target, workflow=QUEUE)
        assert ran.status == 0, ran.err
        assert output(queue, "dispatched") == ("true" if expected else "false")
        assert started == expected  # what was started for release/1 has not ended
        started.clear()
    assert len(runs) == 3
    github.explain(".")
