"""GitHub's own client for JavaScript against the fake."""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.github.story import GitHub
from tests.fakes.needs import NPM

HERE = Path(__file__).parent / "octokit"
pytestmark = [pytest.mark.network, NPM]


@pytest.fixture(scope="session")
def octokit(real_home: str) -> Path:
    """The folder with the locked octokit, installed once beside the packages of this Python."""
    files = sorted(HERE.iterdir())
    mark = hashlib.sha256(b"".join(one.read_bytes() for one in files)).hexdigest()[:16]
    place = Path(sys.prefix) / f"octokit-{mark}"
    with Path(sys.prefix, "octokit.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other workers of this run wait for the one that installs
        if not place.exists():
            new = place.with_suffix(".new")
            shutil.rmtree(new, ignore_errors=True)
            shutil.copytree(HERE, new)
            words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
            env = {**os.environ, "HOME": real_home}  # npm's settings say where packages come from
            subprocess.run(words, cwd=new, check=True, env=env)
            new.rename(place)
    return place


def test_octokit_lists_labels_comments_enables_and_merges(github: GitHub, octokit: Path) -> None:
    github.require_checks("merge-queue")
    first = github.open_pull("one", {"one": "1\n"})
    github.commit("release", {"r": "1\n"})
    second = github.open_pull("two", {"two": "1\n"}, base="release")
    github.open_pull("three", {"three": "1\n"})
    token = github.token("maintainer").text
    said = subprocess.run(
        ["node", str(octokit / "story.mjs")],
        check=True,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "API_URL": github.api_url, "TOKEN": token},
        timeout=120,
    )
    assert json.loads(said.stdout) == {
        "numbers": [3, 2, 1],
        "method": "SQUASH",
        "state": "pending",
        "refusal": {
            "status": 409,
            "message": "Head branch was modified. Review and try the merge again.",
        },
        "merged": True,
    }
    assert (first.labels, [one.body for one in first.comments]) == (["blue"], ["Hello"])
    assert first.auto_merge is not None
    assert second.merged
    assert github.wrote() == [
        "maintainer: label 'blue' put on #1",
        "maintainer: label 'red' put on #1",
        "maintainer: label 'red' taken off #1",
        "maintainer: comment on #1",
        "maintainer: status merge-queue is pending on #1",
        "maintainer: auto-merge of #1 on by squash",
        "maintainer: refused 409: merge of #2 by merge",
        "maintainer: merge of #2 by squash",
    ]
