"""Workflows run by act, on this machine and without containers, against the fake GitHub.

What act does not enforce (permissions, environments, concurrency, filters of triggers), a test of
the files holds (test_files.py).
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.fakes.github import results
from tests.fakes.github.records import Repository
from tests.fakes.github.runrecords import Run
from tests.fakes.github.story import GitHub
from tests.support.npm import installed

ROOT = Path(__file__).parents[2]
STAND_INS = Path(__file__).parent / "stand_ins"
_USED = re.compile(r"uses: (actions/[\w-]+)@([0-9a-f]{40})")
_NUMBERED = re.compile(r"-[0-9]+\Z")
_ESBUILD = [
    "--bundle",
    "--keep-names",
    "--platform=node",
    "--target=node20",
    "--format=cjs",
    "--define:import.meta.url=__here",
    "--banner:js=const __here=require('url').pathToFileURL(__filename).href;",
    "--log-level=error",
]


@dataclass
class Acted:
    """What came of a workflow that was run."""

    status: int
    text: str
    """What its jobs printed, in order."""
    jobs: dict[str, str]
    """How each job ended, by the name that people see."""


def stand_ins(home: str) -> Path:
    """Return the folder of the actions that stand for GitHub's own, bundled once."""

    def bundle(made: Path) -> None:
        for script in made.glob("*/index.mjs"):
            target = script.with_suffix(".cjs")
            esbuild = made / "node_modules" / ".bin" / "esbuild"
            subprocess.run([esbuild, script, *_ESBUILD, f"--outfile={target}"], check=True)

    return installed(STAND_INS, home, bundle)


@dataclass(frozen=True)
class Called:
    """The repository whose workflows are called."""

    name: str
    """`OWNER/REPO@<commit>`."""
    folder: Path
    """A clone of it at that commit."""


@cache
def pins() -> tuple[tuple[str, str], ...]:
    """Return the actions from elsewhere that ours use, each with the commit it is pinned to."""
    texts = [path.read_text() for path in (ROOT / ".github" / "workflows").glob("*.yaml")]
    texts += [path.read_text() for path in ROOT.glob("action-*/action.yml")]
    return tuple(sorted({found for text in texts for found in _USED.findall(text)}))


_CALLED = re.compile(r"uses: \./(\.github/workflows/reusable-[a-z-]+\.yaml)")


def add_the_queue(github: GitHub, folder: Path, files: Mapping[str, str]) -> None:
    """Commit the queue's own files to main, as a project that hosts it has them, and `files`."""
    own = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in own_files()}
    texts = {name: content.encode() for name, content in files.items()}
    github.move("main", _pushed(github.repository, folder, own | texts), by="admin")


def call_the_queue(github: GitHub, folder: Path, files: Mapping[str, str]) -> Called:
    """Commit `files` to main, and workflows that call the queue's in a repository of its own."""
    own = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in own_files()}
    queue = github.add_repository("acme", "mq")
    commit = _pushed(queue, folder / "queue", own)
    queue.git.set_ref("refs/heads/main", commit)
    from_there = f"""    with:
      actions-repository: {queue.full_name}
      actions-ref: {commit}
"""
    texts = {name: content.encode() for name, content in files.items()}
    for name in ("queue.yaml", "queue-apply.yaml"):
        text = own[f".github/workflows/{name}"].decode()
        text = _CALLED.sub(rf"uses: {queue.full_name}/\1@{commit}", text)
        texts[f".github/workflows/{name}"] = text.replace("    with:\n", from_there).encode()
    github.move("main", _pushed(github.repository, folder / "project", texts), by="admin")
    return Called(f"{queue.full_name}@{commit}", folder / "queue")


def own_files() -> list[Path]:
    """Return the files of this project that its actions and workflows need."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "--",
         "action-*", "bin", "mergequeue", "requirements.lock", ".github"],
        check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    return [ROOT / name for name in listed if (ROOT / name).is_file()]


def _pushed(repository: Repository, folder: Path, files: Mapping[str, bytes]) -> str:
    """Commit files to a clone of a repository's main, push that, and return the commit."""
    git = ["git", "-C", str(folder), "-c", "user.name=Admin", "-c", "user.email=admin@example.com"]
    subprocess.run(["git", "clone", "-q", repository.git.path, folder], check=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        if (ROOT / name).is_file():
            shutil.copymode(ROOT / name, folder / name)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "Host the queue"], check=True)
    tip = subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    subprocess.run([*git, "push", "-q", "origin", f"{tip}:refs/heads/incoming"], check=True)
    repository.git.set_ref("refs/heads/incoming", None)
    return tip


@dataclass(frozen=True)
class Runner:
    """What runs workflows: a folder of its own, and the actions that stand for GitHub's."""

    github: GitHub
    folder: Path
    stand_ins: Path
    wheels: Path
    """What each job's environment is made from: packages that were fetched once."""
    called: Called | None = None

    def act(
        self,
        run: Run,
        event: str,
        *,
        payload: Mapping[str, Any] | None = None,
        secrets: Mapping[str, str] | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[str]:
        """Start the workflow of a run as GitHub would; `wait_for` says how it ended."""
        folder = self.folder / f"run-{run.id}-{run.attempt}"
        (folder / "home").mkdir(parents=True)
        work = folder / "work"
        git = self.github.repository.git.path
        subprocess.run(["git", "clone", "-q", git, work], check=True)
        subprocess.run(["git", "-C", work, "checkout", "-q", "--detach", run.sha], check=True)
        (folder / "event.json").write_text(json.dumps(payload or {}))
        command = [
            str(Path(sys.executable).parent / "act"), event, "--json",
            "-W", str(work / run.workflow), "-e", str(folder / "event.json"),
            "-P", "ubuntu-latest=-self-hosted", "--no-cache-server", "--no-skip-checkout",
            "--action-cache-path", str(folder / "cache"), "-a", run.actor,
        ]  # fmt: skip
        held = {"GITHUB_TOKEN": self.github.token("github-actions[bot]", _READS).text}
        command += _options("-s", {**held, **(secrets or {})})
        command += _options("--var", variables or {})
        command += _options("--env", self._environment(run))
        for name, commit in pins():
            own = self.stand_ins / name.partition("/")[2]
            command += ["--local-repository", f"{name}@{commit}={own}"]
        if self.called is not None:
            command += ["--local-repository", f"{self.called.name}={self.called.folder}"]
        return subprocess.Popen(
            command,
            cwd=work,
            env={"HOME": str(folder / "home"), "PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _environment(self, run: Run) -> dict[str, str]:
        """Return what the runner gives every step of a job."""
        github = self.github
        return {
            "ACTIONS_RESULTS_URL": f"{github.url}/",
            "ACTIONS_RUNTIME_TOKEN": results.token_for(run),
            "GITHUB_API_URL": github.api_url,
            "GITHUB_GRAPHQL_URL": github.graphql_url,
            "GITHUB_REPOSITORY": github.repository.full_name,
            "GITHUB_RUN_ATTEMPT": str(run.attempt),
            "GITHUB_RUN_ID": str(run.id),
            "GITHUB_SERVER_URL": github.url.replace("127.0.0.1", "github.localhost"),
            "PIP_FIND_LINKS": str(self.wheels),
            "PIP_NO_INDEX": "1",
        }


def requested(github: GitHub, run: Run, action: str = "requested") -> dict[str, Any]:
    """Return the event that tells another workflow of a run."""
    head = github.repositories.get(run.repository)
    told = {
        "id": run.id,
        "path": run.workflow,
        "head_branch": run.branch,
        "head_sha": run.sha,
        "head_repository": {"full_name": head.full_name if head else ""},
        "event": run.event,
        "created_at": run.created_at,
        "status": run.status,
        "conclusion": run.conclusion,
    }
    return {"action": action, "workflow_run": told}


def _options(name: str, values: Mapping[str, str]) -> list[str]:
    return [word for key, value in values.items() for word in (name, f"{key}={value}")]


_READS = {
    "actions": "read",
    "contents": "read",
    "metadata": "read",
    "pull_requests": "read",
    "statuses": "read",
}


def wait_for(process: subprocess.Popen[str]) -> Acted:
    """Return what came of a workflow, once it has ended."""
    printed, _ = process.communicate()
    lines: list[str] = []
    jobs: dict[str, str] = {}
    for line in printed.splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            lines.append(line)
            continue
        lines.append(str(told.get("msg", "")).rstrip())
        if "jobResult" in told:
            name = str(told["job"]).rpartition("/")[2].strip()
            # act numbers the jobs of a matrix behind their names, and GitHub does not.
            jobs[_NUMBERED.sub("", name) if told.get("matrix") else name] = told["jobResult"]
    return Acted(process.returncode, "\n".join(lines), jobs)
