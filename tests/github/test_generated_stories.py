"""Generated files on the fake GitHub: what the queue regenerates lands in a pull request through an
update commit, and what only its own code could make goes back with a label and a comment.
"""

from pathlib import Path

import pytest

from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.queue import Queue, clone_of

TOML = """\
[queue]
gate = "sh tools/gate"
regenerate = "sh tools/generate"

[unit.all]
paths = ["/**"]
outputs = ["gen/**"]
generator = ["tools/**"]
"""
PROJECT = {
    "mergequeue.toml": TOML,
    "tools/generate": "cat src/*.txt > gen/list\n",
    "tools/gate": "cat src/*.txt | cmp - gen/list\n",
    "src/a.txt": "a\n",
    "src/m.txt": "m\n",
    "gen/list": "a\nm\n",
}


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    github.commit("main", PROJECT, "The project", by="admin")
    github.require_checks("merge-queue", app=github.app, name="queue")
    return Queue(github, clone_of(github, tmp_path))


def adding(github: GitHub, letter: str, **more: str) -> Pull:
    """Open a pull request that adds a source, with the list right for the base; queue it."""
    listed = "".join(f"{each}\n" for each in sorted({"a", "m", letter}))
    files = {f"src/{letter}.txt": f"{letter}\n", "gen/list": listed}
    pull = github.open_pull(f"add-{letter}", {**files, **more})
    github.label(pull, "merge-queue: squash")
    return pull


def test_one_whose_generated_file_conflicts_lands_through_an_update_commit(
    github: GitHub, queue: Queue
) -> None:
    adding(github, "b")
    second = adding(github, "c")
    reviewed = second.head_sha
    queue.round()
    assert queue.became() == {"1": "merged", "2": "merged"}
    assert github.files()["gen/list"] == "a\nb\nc\nm\n"
    pushed = github.repository.git.object(second.head_sha)
    assert next(str(parent) for parent in pushed.parent_ids) == reviewed
    assert "gen/list" in pushed.message
    assert pushed.author.name == "acme-queue[bot]"
    github.wrote()


def test_one_that_only_its_own_code_could_regenerate_goes_back_with_a_label(
    github: GitHub, queue: Queue
) -> None:
    pull = adding(
        github, "b", **{"tools/generate": "cat src/*.txt > gen/list; cp gen/list gen/b\n"}
    )
    queue.plan()
    queue.validate()
    next(queue.clone.glob("verdicts-*/1/candidate.bundle")).unlink()
    queue.apply("--reproduce-gate", "make check", "--reproduce-regenerate", "make generate")
    assert queue.became() == {"1": "KICK_REGENERATION"}
    assert pull.labels == ["merge-queue: needs regeneration"]
    (comment,) = pull.comments
    assert "regenerate" in comment.body
    assert "`tools/generate`" in comment.body
    github.wrote()
