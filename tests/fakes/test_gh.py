"""GitHub's own command line against the fake, as a person types it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.github.runverbs import finish, report_job, upload
from tests.fakes.github.story import GitHub

GH = Path(sys.executable).parent / "gh"


class Person:
    """Somebody at a shell who is logged in."""

    def __init__(self, github: GitHub, login: str, folder: Path) -> None:
        self.folder = folder
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "XDG_CACHE_HOME": str(folder),
            "GH_CONFIG_DIR": str(folder),
            "GH_HOST": "github.localhost",
            "GH_REPO": "github.localhost/acme/acme",
            "GH_TOKEN": github.token(login).text,
            "GH_NO_UPDATE_NOTIFIER": "1",
            "GH_PROMPT_DISABLED": "1",
            "HTTP_PROXY": github.url,
        }

    def gh(self, *words: str, ok: bool = True, stdin: str = "") -> str:
        """Run gh, and return what it prints."""
        done = subprocess.run(
            [str(GH), *words],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            env=self.env,
            timeout=120,
        )
        assert (done.returncode == 0) == ok, (words, done.stdout, done.stderr)
        return done.stdout if ok else done.stderr


@pytest.fixture
def maintainer(github: GitHub, tmp_path: Path) -> Person:
    folder = tmp_path / "maintainer"
    folder.mkdir()
    return Person(github, "maintainer", folder)


@pytest.fixture
def admin_at_shell(github: GitHub, tmp_path: Path) -> Person:
    folder = tmp_path / "admin"
    folder.mkdir()
    return Person(github, "admin", folder)


def test_pull_requests_are_listed_and_viewed(github: GitHub, maintainer: Person) -> None:
    github.require_checks("merge-queue")
    for name in ("one", "two", "three"):
        github.open_pull(name, {name: "1\n"}, labels=["merge-queue: squash"])
    listed = json.loads(
        maintainer.gh("pr", "list", "--json", "number,title,labels,mergeStateStatus,headRefName")
    )
    assert [(one["number"], one["mergeStateStatus"]) for one in listed] == [
        (3, "BLOCKED"),
        (2, "BLOCKED"),
        (1, "BLOCKED"),
    ]
    assert [one["name"] for one in listed[0]["labels"]] == ["merge-queue: squash"]
    viewed = maintainer.gh("pr", "view", "2")
    assert "title:\tTwo\nstate:\tOPEN\nauthor:\tauthor" in viewed


def test_a_person_asks_for_the_queue_and_takes_it_back(github: GitHub, maintainer: Person) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = github.open_pull("fix-it", {"a": "1\n"})
    maintainer.gh("pr", "merge", "1", "--auto", "--squash")
    wanted = pull.auto_merge
    assert wanted is not None
    assert (wanted.method, wanted.enabled_by) == ("squash", "maintainer")
    maintainer.gh("pr", "merge", "1", "--disable-auto")
    assert pull.auto_merge is None
    assert github.wrote() == [
        "maintainer: auto-merge of #1 on by squash",
        "maintainer: auto-merge of #1 off",
    ]


def test_auto_on_a_green_one_merges_at_once(github: GitHub, maintainer: Person) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    maintainer.gh("pr", "merge", "1", "--auto", "--squash")
    assert (pull.merged, pull.merged_by) == (True, "maintainer")
    assert github.wrote() == ["maintainer: merged #1 by squash"]


def test_a_merge_that_the_rules_forbid_is_refused(github: GitHub, maintainer: Person) -> None:
    github.require_checks("merge-queue")
    github.open_pull("fix-it", {"a": "1\n"})
    said = maintainer.gh("pr", "merge", "1", "--squash", ok=False)
    assert "the base branch policy prohibits the merge" in said


def test_labels_and_comments(github: GitHub, maintainer: Person) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"}, labels=["red"])
    maintainer.gh("label", "create", "merge-queue: squash", "--color", "1d76db")
    maintainer.gh("pr", "edit", "1", "--add-label", "merge-queue: squash", "--remove-label", "red")
    assert pull.labels == ["merge-queue: squash"]
    assert (pull.timeline[-1].actor, pull.timeline[-2].actor) == ("maintainer", "maintainer")
    maintainer.gh("pr", "comment", "1", "--body", "Hello")
    assert [(one.author, one.body) for one in pull.comments] == [("maintainer", "Hello")]
    assert sorted(github.wrote()) == [
        "maintainer: comment on #1",
        "maintainer: label 'merge-queue: squash' made",
        "maintainer: label 'merge-queue: squash' put on #1",
        "maintainer: label 'red' taken off #1",
    ]


def test_api_follows_every_page(github: GitHub, maintainer: Person) -> None:
    for name in ("one", "two", "three"):
        github.open_pull(name, {name: "1\n"})
    shown = maintainer.gh("api", "--paginate", "repos/acme/acme/pulls", "--jq", ".[].number")
    assert shown.split() == ["3", "2", "1"]


def test_secrets_and_variables_of_an_environment(github: GitHub, admin_at_shell: Person) -> None:
    gh = admin_at_shell.gh
    body = '{"deployment_branch_policy": null}'
    gh("api", "-X", "PUT", "repos/acme/acme/environments/merge-queue", "--input", "-", stdin=body)
    gh("secret", "set", "KEY", "--env", "merge-queue", stdin="hush")
    gh("secret", "set", "PLAIN", "--body", "hush too")
    gh("variable", "set", "CLIENT_ID", "--body", "Iv1")
    gh("variable", "set", "CLIENT_ID", "--body", "Iv2")
    gh("variable", "set", "PLACE", "--env", "merge-queue", "--body", "here")
    environment = github.repository.environments["merge-queue"]
    assert environment.secrets == {"KEY": b"hush"}
    assert github.repository.secrets == {"PLAIN": b"hush too"}
    assert github.repository.variables == {"CLIENT_ID": "Iv2"}
    assert environment.variables == {"PLACE": "here"}
    assert gh("variable", "get", "CLIENT_ID") == "Iv2\n"
    assert "KEY" in gh("secret", "list", "--env", "merge-queue")
    github.explain("environment merge-queue set up")
    github.explain("secret")
    github.explain("variable")


def test_a_workflow_is_started_watched_and_its_artifact_downloaded(
    github: GitHub, maintainer: Person
) -> None:
    github.commit("main", {".github/workflows/queue.yaml": "on: workflow_dispatch\n"})
    started: list[str] = []
    github.repository.on_dispatch = lambda run: started.append(run.event)
    maintainer.gh("workflow", "run", "queue.yaml")
    assert started == ["workflow_dispatch"]
    (run,) = github.repository.runs.values()
    report_job(github, run, "plan")
    upload(github, run, "mergequeue-plan", {"plan.json": "{}\n"})
    finish(github, None, run)
    (listed,) = json.loads(
        maintainer.gh("run", "list", "--json", "databaseId,status,conclusion,event")
    )
    assert listed == {
        "databaseId": run.id,
        "status": "completed",
        "conclusion": "success",
        "event": "workflow_dispatch",
    }
    maintainer.gh("run", "download", str(run.id), "--name", "mergequeue-plan", "--dir", "got")
    assert (maintainer.folder / "got/plan.json").read_text() == "{}\n"
    github.explain("dispatched .github/workflows/queue.yaml on main")
