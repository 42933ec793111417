"""action-apply's step over the fake GitHub: the dashboard that it keeps, and shadow mode."""

import json
from pathlib import Path

import pytest

from mergequeue.vocabulary.errors import STATUS_FAILED
from tests.fakes.github.faults import Fault
from tests.fakes.github.records import Issue
from tests.fakes.github.runrecords import Run
from tests.fakes.github.runverbs import QUEUE, finish, start_run
from tests.fakes.github.story import GitHub
from tests.github.queue import Queue, queue_of
from tests.github.test_applying_a_run import app_of, queued, send, validated
from tests.support.programs import Ran

APPLY = ".github/workflows/queue-apply.yaml"


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    return queue_of(github, tmp_path)


def red_and_green(queue: Queue) -> Run:
    """Return a run that has validated #1, which is green, and #2, which is red."""
    _, bad = queued(queue.github, "one/a", "two/bug")
    queue.github.push(bad, {"two/text": "bug\n"})
    run, verdicts = validated(queue)
    for verdict in verdicts:
        send(queue.github, run, verdict)
    finish(queue.github, None, run)
    queue.github.wrote()
    return run


def step(queue: Queue, run: Run, **inputs: str) -> Ran:
    """Run the step as the runner starts it, and end the run that it is of."""
    own = start_run(queue.github, APPLY, "workflow_run")
    for name in ("output", "summary"):
        (queue.clone.parent / name).write_text("")
    environment = {
        **app_of(queue.github),
        "GITHUB_ACTIONS": "true",
        "GITHUB_OUTPUT": str(queue.clone.parent / "output"),
        "GITHUB_REPOSITORY": "acme/acme",
        "GITHUB_RUN_ID": str(own.id),
        "GITHUB_STEP_SUMMARY": str(queue.clone.parent / "summary"),
        "MERGEQUEUE_INPUT_RUN": f"acme/acme/runs/{run.id}",
        "MERGEQUEUE_INPUT_WORKFLOW": QUEUE,
        **{f"MERGEQUEUE_INPUT_{name.upper()}": value for name, value in inputs.items()},
    }
    ran = queue._step(environment, "action", "apply")
    finish(queue.github, None, own)
    return ran


def output(queue: Queue, name: str) -> str:
    lines = (queue.clone.parent / "output").read_text().splitlines()
    (at,) = [number for number, line in enumerate(lines) if line.startswith(f"{name}<<")]
    return lines[at + 1]


def dashboard(github: GitHub) -> Issue:
    (issue,) = github.repository.issues.values()
    return issue


def test_the_dashboard_is_written_when_apply_starts_and_when_it_ends(
    github: GitHub, queue: Queue
) -> None:
    run = red_and_green(queue)
    github.app.permissions["issues"] = "write"
    ran = step(queue, run, dashboard="true")
    assert ran.status == 0, ran.err
    writes = [line.partition(": ")[2] for line in github.wrote()]
    first, pinned, last = (
        writes.index(line)
        for line in (
            "opened the issue #3",
            "pinned the issue #3",
            "changed the issue #3: body, state",
        )
    )
    merging = writes.index("status merge-queue is success on #1")
    assert first < pinned < merging < last
    body = dashboard(github).body or ""
    assert "### main at " in body
    assert 'c0["1<br/>merged"]' in body
    assert "| kicked back |" in body


def test_the_right_to_write_issues_is_asked_for_only_where_there_is_a_dashboard(
    github: GitHub, queue: Queue
) -> None:
    run = red_and_green(queue)
    assert step(queue, run).status == 0
    lent = [token for token in github.tokens.values() if token.permissions and token.app]
    assert not any("issues" in (token.permissions or {}) for token in lent)
    github.app.permissions["issues"] = "write"
    assert step(queue, run, dashboard="true").status == 0
    asked = [
        set(token.permissions) - {"metadata"}
        for token in github.tokens.values()
        if token.permissions and "issues" in token.permissions
    ]
    assert asked == [{"issues"}]
    github.explain(".")


def test_an_app_that_may_write_no_issues_merges_all_the_same_and_a_warning_says_why(
    github: GitHub, queue: Queue
) -> None:
    run = red_and_green(queue)
    ran = step(queue, run, dashboard="true")
    assert ran.status == 0
    assert github.repository.pulls[1].merged
    warnings = [line for line in ran.err.splitlines() if line.startswith("::warning title=Dash")]
    assert warnings
    assert all("Issues: Read and write" in line for line in warnings)
    assert github.repository.issues == {}
    github.explain(".")


def test_a_github_that_breaks_on_issues_stops_no_merge(github: GitHub, queue: Queue) -> None:
    run = red_and_green(queue)
    github.app.permissions["issues"] = "write"
    github.faults.add("GET .*/repos/acme/acme/issues$", Fault.REFUSED, times=99, status=422)
    assert step(queue, run, dashboard="true").status == 0
    assert github.repository.pulls[1].merged
    github.explain(".")


def test_shadow_mode_writes_nothing_and_its_page_says_what_would_have_been(
    github: GitHub, queue: Queue
) -> None:
    run = red_and_green(queue)
    tip, labels = github.repository.git.tip("main"), dict(github.repository.labels)
    statuses = {sha: list(found) for sha, found in github.repository.statuses.items()}
    github.app.permissions["issues"] = "write"
    ran = step(queue, run, dry_run="true", dashboard="true")
    assert ran.status == 0, ran.err
    assert set(github.wrote()) == {"nobody: lent a token of acme-queue for acme/acme"}
    assert github.repository.git.tip("main") == tip
    assert github.repository.statuses == statuses
    assert github.repository.labels == labels
    assert github.repository.issues == {}
    good, bad = github.repository.pulls[1], github.repository.pulls[2]
    assert (good.state, good.labels, good.comments) == ("open", [], [])
    assert (bad.state, bad.labels, bad.comments) == ("open", [], [])
    assert bad.auto_merge is not None
    page = (queue.clone.parent / "summary").read_text()
    assert "### Would have applied: main at " in page
    assert 'c0["1<br/>would merge"]:::would_merge' in page
    assert "| would go back |" in page
    assert "| merged |" not in page
    assert "| kicked back |" not in page
    assert json.loads(output(queue, "merged")) == []


def test_what_merged_is_an_output(github: GitHub, queue: Queue) -> None:
    run = red_and_green(queue)
    assert step(queue, run).status == 0
    assert json.loads(output(queue, "merged")) == ["1"]
    assert github.wrote("dispatched") == []
    github.explain(".")


def test_an_apply_that_ends_in_an_error_leaves_its_page_the_dashboard_and_what_merged_before_it(
    github: GitHub, queue: Queue
) -> None:
    _, other = queued(github, "one/a", "two/b")
    run, verdicts = validated(queue)
    for verdict in verdicts:
        send(github, run, verdict)
    finish(github, None, run)
    github.app.permissions["issues"] = "write"
    github.faults.add(f"POST .*/statuses/{other.head_sha}", Fault.REFUSED, times=99, status=422)
    ran = step(queue, run, dashboard="true")
    assert (ran.status, STATUS_FAILED.code in ran.err) == (1, True), ran.err
    assert json.loads(output(queue, "merged")) == ["1"]
    page = (queue.clone.parent / "summary").read_text()
    assert "### Applied: main at " in page
    assert "| merged |" in page
    assert 'c0["1<br/>merged"]' in (dashboard(github).body or "")
    github.explain(".")


# --- the next run --------------------------------------------------------------------------------


def one_red_and_one_behind(queue: Queue) -> Run:
    """Return a run that found #1 red and did not come to #2, where the app may start runs."""
    queue.github.app.permissions["actions"] = "write"
    bad, _ = queued(queue.github, "one/bug", "one/b")
    queue.github.push(bad, {"one/text": "bug\n"})
    run, (first, _) = validated(queue)
    send(queue.github, run, first)
    finish(queue.github, None, run)
    queue.github.wrote()
    return run


def test_where_some_went_back_and_nothing_merged_the_next_run_is_started(
    github: GitHub, queue: Queue
) -> None:
    ran = step(queue, one_red_and_one_behind(queue))
    assert ran.status == 0, ran.err
    assert queue_events(ran) == {"1": "kicked", "2": "waiting"}
    assert f"{QUEUE} was started on main" in ran.err
    assert github.wrote("dispatched") == [f"acme-queue[bot]: dispatched {QUEUE} on main"]
    github.explain(".")


def test_a_run_that_will_see_it_all_the_same_is_enough(github: GitHub, queue: Queue) -> None:
    run = one_red_and_one_behind(queue)
    start_run(github, event="workflow_dispatch")
    ran = step(queue, run)
    assert ran.status == 0, ran.err
    assert github.wrote("dispatched") == []
    github.explain(".")


def test_where_the_next_run_cannot_be_started_a_warning_says_so_and_what_to_do(
    github: GitHub, queue: Queue
) -> None:
    run = one_red_and_one_behind(queue)
    github.faults.add("POST .*/dispatches$", Fault.REFUSED, times=99, status=403)
    ran = step(queue, run)
    assert ran.status == 0, ran.err
    (warning,) = [line for line in ran.err.splitlines() if "next run was not started" in line]
    assert warning.startswith("::warning title=")
    github.explain(".")


def queue_events(ran: Ran) -> dict[str, str]:
    return {change: event["kind"] for change, event in ran.last().items()}
