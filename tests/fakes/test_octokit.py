"""GitHub's own client for JavaScript against the fake."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.fakes.github.story import GitHub
from tests.fakes.needs import NPM
from tests.support.npm import installed

HERE = Path(__file__).parent / "octokit"
pytestmark = [pytest.mark.network, NPM]


@pytest.fixture(scope="session")
def octokit(real_home: str) -> Path:
    """The folder with the locked octokit."""
    return installed(HERE, real_home)


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
