"""The actions and workflows as files: what GitHub enforces, and act does not, is read from them."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTIONS = sorted(path.parent.name for path in ROOT.glob("action-*/action.yml"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yaml"))
PINNED = re.compile(r"uses: (?:\./\S+|[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$")
ENVIRONMENT = "merge-queue"
WRITES = {"actions", "contents", "pull-requests", "statuses"}


def action(name: str) -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / name / "action.yml").read_text())
    assert isinstance(loaded, dict)
    return loaded


def workflow(name: str) -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yaml").read_text())
    assert isinstance(loaded, dict)
    return loaded


def triggers(loaded: dict[Any, Any]) -> dict[str, Any]:
    """Return what starts a workflow; YAML reads its bare `on` as true."""
    found = loaded[True]
    assert isinstance(found, dict)
    return found


def jobs() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path in WORKFLOWS:
        for name, job in workflow(path.stem)["jobs"].items():
            yield path.stem, name, job


def steps_of(name: str) -> list[dict[str, Any]]:
    found = action(name)["runs"]["steps"]
    assert isinstance(found, list)
    return found


def all_texts() -> Iterator[tuple[str, str]]:
    for path in [*WORKFLOWS, *(ROOT / name / "action.yml" for name in ACTIONS)]:
        yield str(path.relative_to(ROOT)), path.read_text()


def test_there_are_these_actions_and_these_workflows() -> None:
    assert [
        f"action-{name}"
        for name in (
            "apply",
            "await",
            "control",
            "describe",
            "dispatch",
            "keep",
            "page",
            "plan",
            "validate",
        )
    ] == ACTIONS
    assert {path.stem for path in WORKFLOWS} == {
        "ci",
        "queue",
        "queue-apply",
        "queue-control",
        "queue-keep",
        "queue-page",
        "queue-try",
        "reusable-queue",
        "reusable-queue-apply",
        "reusable-queue-control",
        "reusable-queue-keep",
    }


@pytest.mark.parametrize(
    "command",
    [
        ["actionlint", "-no-color", "-shellcheck", "shellcheck"],
        ["zizmor", "--offline", "--no-progress", "--persona", "auditor", "."],
    ],
    ids=["actionlint", "zizmor"],
)
def test_the_linters_find_nothing(command: list[str], tmp_path: Path) -> None:
    # Of a copy, since a linter reads whatever lies in the folder it is given.
    for name in (".github", *ACTIONS):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / ".git").mkdir()  # actionlint looks for the project by it
    folder = Path(sys.executable).parent
    ran = subprocess.run(
        [folder / command[0], *command[1:]],
        cwd=tmp_path,
        env={"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_everything_from_elsewhere_is_pinned_by_its_commit_with_the_version_beside_it() -> None:
    for name, text in all_texts():
        for line in text.splitlines():
            used = line.strip().removeprefix("- ")
            if used.startswith("uses:"):
                assert PINNED.match(used), f"{name}: {used}"


def test_no_script_holds_an_expression() -> None:
    for stem, name, job in jobs():
        for step in job.get("steps", []):
            assert "${{" not in step.get("run", ""), f"{stem}: {name}"
            assert "${{" not in step.get("with", {}).get("script", ""), f"{stem}: {name}"
    for name in ACTIONS:
        for step in steps_of(name):
            assert "${{" not in step.get("run", ""), name
            assert "${{" not in step.get("with", {}).get("script", ""), name


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_makes_one_call_of_the_program_and_hands_every_input_on(name: str) -> None:
    loaded = action(name)
    ran = [step for step in steps_of(name) if "run" in step]
    assert [step["run"] for step in ran] == [
        f'"$GITHUB_ACTION_PATH/../bin/mergequeue" action {name.removeprefix("action-")}'
    ]
    handed = yaml.safe_dump(loaded["runs"])
    for given in loaded["inputs"]:
        assert f"inputs.{given} " in handed, given
    for variable, value in ran[0]["env"].items():
        if variable.startswith("MERGEQUEUE_INPUT_") and "runner.temp" not in value:
            own = variable.removeprefix("MERGEQUEUE_INPUT_").lower().replace("_", "-")
            assert value == f"${{{{ inputs.{own} }}}}"


@pytest.mark.parametrize("name", ACTIONS)
def test_an_input_says_its_default_or_that_it_is_required(name: str) -> None:
    for given, about in action(name)["inputs"].items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", given)
        said = about["description"]
        assert ("Required." in said) == about.get("required", False), given
        assert "Required." in said or "Default " in said, given
        assert about.get("required") or "default" in about, given


@pytest.mark.parametrize("name", ACTIONS)
def test_an_actions_readme_has_its_inputs_and_outputs(name: str) -> None:
    loaded = action(name)
    readme = (ROOT / name / "README.md").read_text()
    assert loaded["branding"].keys() == {"icon", "color"}
    assert len(loaded["description"]) <= 200
    rows = re.findall(r"^\| `([^`]+)` \| (.*) \|$", readme, re.MULTILINE)
    about = {**loaded["inputs"], **loaded.get("outputs", {})}
    assert rows == [(key, value["description"]) for key, value in about.items()]
    assert f"uses: OWNER/REPO/{name}@v1" in readme


def test_the_program_takes_the_very_inputs_that_the_actions_hand_on() -> None:
    from mergequeue.commands.action import command as group  # noqa: PLC0415 (loads the whole program)

    for name in ACTIONS:
        command = group.commands[name.removeprefix("action-")]
        (ran,) = [step for step in steps_of(name) if "run" in step]
        handed = {key for key in ran["env"] if key.startswith("MERGEQUEUE_INPUT_")}
        assert handed == {
            option.envvar for option in command.params if option.name not in {"remote", "help"}
        }, name


def test_no_job_that_runs_a_changes_code_can_write_or_sees_a_secret() -> None:
    called = workflow("reusable-queue")
    assert "secrets" not in triggers(called)["workflow_call"]
    for name, job in called["jobs"].items():
        assert "environment" not in job
        assert "secrets." not in yaml.safe_dump(job), name
        assert set(job["permissions"].values()) <= {"read"}, name
    assert called["jobs"]["validate"]["permissions"] == {"contents": "read"}
    assert workflow("queue")["jobs"]["queue"]["permissions"].keys() == WRITES


@pytest.mark.parametrize(
    ("stem", "needing"),
    [("reusable-queue-apply", {"apply", "dispatch"}), ("reusable-queue-keep", {"keep"})],
)
def test_the_secret_is_the_environments_and_only_the_jobs_that_need_it_name_it(
    stem: str, needing: set[str]
) -> None:
    named = workflow(stem)["jobs"]
    holding = {name for name, job in named.items() if "secrets." in yaml.safe_dump(job)}
    assert holding == needing
    assert {name for name, job in named.items() if job.get("environment")} == holding
    assert {named[name]["environment"] for name in holding} == {ENVIRONMENT}


def test_the_keeper_runs_the_default_branchs_copy_alone_and_one_at_a_time() -> None:
    assert triggers(workflow("queue-keep")).keys() == {
        "workflow_run",
        "schedule",
        "workflow_dispatch",
    }
    named = triggers(workflow("queue-keep"))["workflow_run"]["workflows"]
    assert named == [workflow("queue-apply")["name"]]
    concurrency = workflow("reusable-queue-keep")["concurrency"]
    assert concurrency == {
        "group": "mergequeue-keep-${{ inputs.base }}",
        "cancel-in-progress": False,
    }


def test_a_jobs_own_token_writes_nothing_but_the_page_and_then_runs_one_step() -> None:
    for stem, name, job in jobs():
        if (stem, name) == ("queue-page", "publish"):
            assert job["permissions"] == {"pages": "write", "id-token": "write"}
            assert [step["uses"].partition("@")[0] for step in job["steps"]] == [
                "actions/deploy-pages"
            ]
            continue
        assert set(job.get("permissions", {}).values()) <= {"read"}, f"{stem}: {name}"
    for path in WORKFLOWS:
        assert workflow(path.stem)["permissions"] == {}


def test_every_permission_has_its_reason() -> None:
    for path in WORKFLOWS:
        for line in path.read_text().splitlines():
            if re.match(r"\s+[a-z-]+: (read|write)\b", line):
                assert "# " in line, f"{path.name}: {line}"


def test_apply_starts_for_nothing_but_the_bases_own_run_of_the_queues_own_workflow() -> None:
    condition = workflow("reusable-queue-apply")["jobs"]["planned"]["if"]
    for needed in (
        "github.event_name == 'workflow_run'",
        "github.event.action == 'requested'",
        "github.event.workflow_run.path == inputs.queue",
        "github.event.workflow_run.head_repository.full_name == github.repository",
        (
            "contains(format(' {0} ', inputs.base), "
            "format(' {0} ', github.event.workflow_run.head_branch))"
        ),
    ):
        assert f"{needed} &&" in condition
    assert condition.endswith(
        "(github.event.workflow_run.event == 'push' || "
        "github.event.workflow_run.event == 'workflow_dispatch')"
    )
    assert workflow("reusable-queue-apply")["jobs"]["apply"]["needs"] == "planned"
    assert triggers(workflow("queue-apply")).keys() == {"workflow_run", "schedule"}
    assert (
        workflow("queue")["name"] in triggers(workflow("queue-apply"))["workflow_run"]["workflows"]
    )


def test_nothing_that_merges_is_ever_cancelled_for_a_newer_run() -> None:
    # Each waits its turn: tests/github/test_dispatches.py.
    for stem in ("queue-apply", "reusable-queue-apply"):
        assert "concurrency" not in workflow(stem)
        assert not any("concurrency" in job for job in workflow(stem)["jobs"].values())


def test_an_event_of_a_pull_request_takes_no_waiting_validations_place() -> None:
    concurrency = workflow("reusable-queue")["concurrency"]
    assert concurrency["cancel-in-progress"] is False
    assert (
        "(startsWith(github.event_name, 'pull_request') || inputs.try-run != '') && github.run_id"
        in concurrency["group"]
    )


def test_no_matrix_is_started_empty_and_one_red_job_stops_no_other() -> None:
    job = workflow("reusable-queue")["jobs"]["validate"]
    assert job["if"] == "needs.plan.outputs.any == 'true'"
    assert job["strategy"]["fail-fast"] is False
    assert job["name"] == "validate ${{ matrix.label }}"


def test_no_checkout_keeps_its_credential() -> None:
    for stem, name, job in jobs():
        for step in job.get("steps", []):
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False, f"{stem}: {name}"


def test_apply_merges_into_the_branch_that_the_run_ran_on_and_is_told_which_are_bases() -> None:
    jobs = workflow("reusable-queue-apply")["jobs"]
    ran_on = "${{ github.event.workflow_run.head_branch }}"
    (checkout, *_) = jobs["apply"]["steps"]
    assert checkout["with"]["ref"] == ran_on
    steps = jobs["apply"]["steps"]
    (given,) = [step["with"] for step in steps if "action-apply" in step.get("uses", "")]
    assert (given["base"], given["branch"]) == ("${{ inputs.base }}", ran_on)
    assert jobs["planned"]["name"].startswith("wait for the plan of ${{")


def test_a_try_run_holds_no_key_and_is_followed_by_no_apply() -> None:
    tried = workflow("queue-try")
    assert triggers(tried).keys() == {"workflow_dispatch"}
    assert set(tried["jobs"]["try"]["permissions"].values()) == {"read"}
    assert "secrets" not in tried["jobs"]["try"]
    followed = triggers(workflow("queue-apply"))["workflow_run"]["workflows"]
    assert tried["name"] not in followed


def test_only_a_person_starts_what_pauses_a_queue() -> None:
    assert triggers(workflow("queue-control")).keys() == {"workflow_dispatch"}
    job = workflow("reusable-queue-control")["jobs"]["control"]
    assert job["environment"] == ENVIRONMENT
    assert [step["uses"] for step in job["steps"] if "uses" in step][-2:] == [
        "./.mergequeue/action-control",
        "./.mergequeue/action-dispatch",
    ]
