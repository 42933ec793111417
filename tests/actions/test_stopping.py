"""A job that is cancelled while it validates keeps what it decided, and says so."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.fakes.github import results
from tests.fakes.github.runverbs import start_run
from tests.fakes.github.story import GitHub
from tests.github.queue import queue_of
from tests.github.test_applying_a_run import queued
from tests.support.programs import PROGRAM, environ


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_what_was_decided_is_uploaded_and_the_job_says_that_it_was_stopped(
    github: GitHub, tmp_path: Path, told: signal.Signals
) -> None:
    queue = queue_of(github, tmp_path)
    queued(github, "one/a", "two/slow")
    queue.plan()
    plans = tmp_path / "plans" / "mergequeue-plan@2"
    plans.mkdir(parents=True)
    (plans / "plan.json").write_bytes((queue.clone / "verdicts-1" / "plan.json").read_bytes())
    run = start_run(github)
    given = {
        "ACTIONS_RESULTS_URL": f"{github.url}/",
        "ACTIONS_RUNTIME_TOKEN": results.token_for(run),
        "GITHUB_ACTIONS": "true",
        "GITHUB_API_URL": github.api_url,
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_REPOSITORY": "acme/acme",
        "GITHUB_RUN_ATTEMPT": "2",
        "GITHUB_SERVER_URL": github.url,
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_TOKEN": github.reader.text,
        "MERGEQUEUE_INPUT_GATE": "sh -c 'test ! -e two/slow || exec sleep 600'",
        "MERGEQUEUE_INPUT_PARALLEL": "2",
        "MERGEQUEUE_INPUT_PLANS": str(tmp_path / "plans"),
        "RUNNER_TEMP": str(tmp_path),
    }
    with subprocess.Popen(
        [*PROGRAM, "action", "validate"],
        cwd=queue.clone,
        env=environ(**given),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        waited_for = {("decided", "1"), ("gate", "2")}
        while waited_for:
            event = json.loads(process.stdout.readline())
            waited_for.discard((event["kind"], event.get("change")))
        process.send_signal(told)
        _, err = process.communicate()
    assert process.returncode == 130, err
    assert "what was decided stands" in err
    assert "::error" not in err
    assert [artifact.name for artifact in run.artifacts] == [
        "mergequeue-verdict-1@2",
        "mergequeue-suspects-2@2.1",  # the gate that was cancelled is in no verdict
    ]
    page = (tmp_path / "summary").read_text()
    assert "1<br/>green" in page
    github.explain(".")
