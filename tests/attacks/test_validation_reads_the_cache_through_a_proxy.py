"""Validation reads the cache through a proxy: a hook looks entries up, and writes none."""

import json
from collections.abc import Iterator

import pytest

from mergequeue.cache.lookup import PATH
from tests.support.answering import Answers, answering, told
from tests.support.programs import CONFIGURATION, Project, Ran, environ, make_project, run_program
from tests.support.repositories import Playground

REAL = "the-runners-own-token"
SERVICE = PATH.rpartition("/")[0]
HOSTILE = f"""
import json, os, urllib.error, urllib.request
print("environment", json.dumps(dict(os.environ)))
root, token = os.environ["ACTIONS_RESULTS_URL"], os.environ["ACTIONS_RUNTIME_TOKEN"]
for method in ("GetCacheEntryDownloadURL", "CreateCacheEntry", "FinalizeCacheEntryUpload"):
    asked = urllib.request.Request(root + "{SERVICE[1:]}/" + method, b'{{"key": "k"}}')
    asked.add_header("Authorization", "Bearer " + token)
    asked.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(asked) as answer:
            print("answer", method, answer.status, answer.read().decode())
    except urllib.error.HTTPError as error:
        print("answer", method, error.code)
"""


@pytest.fixture(scope="module")
def service() -> Iterator[Answers]:
    with answering() as answers:
        yield answers


def hostile(playground: Playground, more: str = "") -> Project:
    """Return a project whose base has `more` configuration, with a hostile change queued."""
    files: dict[str | bytes, str] = {
        "gate": "exec python3 -I hostile.py\n",
        "mergequeue.toml": CONFIGURATION + more,
    }
    project = make_project(playground, files)
    project.queue("it", {"one/new": "n\n", "hostile.py": HOSTILE})
    return project


def run(project: Project, *words: str, **variables: str) -> Ran:
    """Run the queue as a job of a CI's does, with these of the runner's variables."""
    environment = environ(**variables)
    whole = ("run", "--committer", "Q <q@example.invalid>", *words)
    return run_program(project.clone, *whole, env=environment)


@pytest.mark.parametrize("more", ["", "[sandbox]\ntcp_connect = []\n"], ids=["open", "confined"])
def test_a_hook_looks_up_and_does_nothing_else_with_the_runners_cache(
    playground: Playground, service: Answers, more: str
) -> None:
    """Where the base lets a hook connect nowhere, the proxy is the one place that it may."""
    project = hostile(playground, more)
    service.asked.clear()
    service.handler = lambda _: told({"ok": True, "signed_download_url": "https://blobs.example"})
    ran = run(
        project,
        "--remote-cache-read",
        ACTIONS_RESULTS_URL=service.root + "/",
        ACTIONS_RUNTIME_TOKEN=REAL,
    )
    assert ran.last()["it"]["kind"] == "merged"
    said = [line.partition("] ")[2] for line in ran.err.splitlines() if "] answer" in line]
    assert [line.split()[1:3] for line in said] == [
        ["GetCacheEntryDownloadURL", "200"],
        ["CreateCacheEntry", "403"],
        ["FinalizeCacheEntryUpload", "403"],
    ]
    assert "https://blobs.example" in said[0]
    assert service.lines == [f"POST {PATH}"]
    assert service.asked[0].headers["Authorization"] == f"Bearer {REAL}"
    (shown,) = [line for line in ran.err.splitlines() if "] environment" in line]
    environment = json.loads(shown.partition("] environment ")[2])
    assert environment["ACTIONS_RESULTS_URL"].startswith("http://127.0.0.1:")
    assert REAL not in ran.out + ran.err
    assert service.root not in environment.values()


@pytest.mark.parametrize("command", ["run", "validate"])
def test_without_the_runners_credential_nothing_starts(
    playground: Playground, command: str
) -> None:
    project = hostile(playground)
    words = {"run": ("run",), "validate": ("validate", "--stdin", "--verdicts", "verdicts")}
    plan = b"" if command == "run" else plan_of(project)
    ran = run_program(project.clone, *words[command], "--remote-cache-read", stdin=plan)
    assert ran.status == 2
    assert "MQ1020" in ran.err
    assert project.playground.tip("main") == project.base


def plan_of(project: Project) -> bytes:
    listed = run_program(project.clone, "ls")
    words = ("plan", "--out", "plan.json")
    assert run_program(project.clone, *words, stdin=listed.out.encode()).status == 0
    return (project.clone / "plan.json").read_bytes()
