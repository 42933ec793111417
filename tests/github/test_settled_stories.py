"""Settled conflicts on the fake GitHub, whose own merge would stop on them."""

from pathlib import Path

import pytest

from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.queue import Queue, clone_of

LOG = "# Changelog\n\n## Unreleased\n\n- zero\n"
ENTRY = (
    'CHANGELOG.md: prose (matches "**/*.md" (built-in default)); CHANGELOG.md### Unreleased: kind 2'
)


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    project = {
        "mergequeue.toml": '[queue]\ngate = "true"\n',
        "CHANGELOG.md": LOG,
        "code.py": "x = 1\n",
    }
    github.commit("main", project, "The project", by="admin")
    github.require_checks("merge-queue", app=github.app, name="queue")
    return Queue(github, clone_of(github, tmp_path))


def adding(github: GitHub, name: str, intent: str = "squash", **code: str) -> Pull:
    """Open a pull request with an entry of its name in the changelog; queue it."""
    files = {f"{file}.py": text for file, text in code.items()}
    pull = github.open_pull(name, files | {"CHANGELOG.md": f"{LOG}- {name}\n"})
    github.label(pull, f"merge-queue: {intent}")
    return pull


def test_changelog_entries_land_one_by_one_through_update_commits(
    github: GitHub, queue: Queue
) -> None:
    adding(github, "one")
    second = adding(github, "two", "merge")
    reviewed = second.head_sha
    queue.round()
    assert queue.became() == {"1": "merged", "2": "merged"}
    assert github.files()["CHANGELOG.md"] == f"{LOG}- one\n- two\n"
    pushed = github.repository.git.object(second.head_sha)
    assert next(str(parent) for parent in pushed.parent_ids) == reviewed
    assert ENTRY in pushed.message
    assert pushed.author.name == "acme-queue[bot]"
    github.wrote()


def test_what_does_not_settle_or_merges_by_rebase_goes_back_and_is_told_why(
    github: GitHub, queue: Queue
) -> None:
    code = adding(github, "code", code="x = 2\n")
    rebased = adding(github, "rebased", "rebase")
    github.commit("main", {"CHANGELOG.md": f"{LOG}- base\n", "code.py": "x = 3\n"}, by="admin")
    queue.round()
    assert queue.became() == {"1": "KICK_CONFLICT", "2": "KICK_REFUSED"}
    (comment,) = code.comments
    assert "code.py#line 1: both sides changed the same lines" in comment.body
    (comment,) = rebased.comments
    assert "in what the queue settles only by bringing the base into its branch" in comment.body
    github.wrote()
