"""The provider in the documentation is a whole one: it loads, and a change goes through it."""

import json
import re
from pathlib import Path

import pytest

from mergequeue.documents.changes import Change
from mergequeue.documents.provider import (
    ApprovalQuestion,
    DescribeQuestion,
    GreenQuestion,
    KickBack,
    MarkRequest,
    MergeRequest,
    Repository,
    StatusPost,
)
from mergequeue.providers.checked import CheckedReads, CheckedWrites
from mergequeue.providers.loading import load_provider, parse_name
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, TreeId
from mergequeue.vocabulary.words import Mark, ProviderMerges, StatusState
from tests.support.repositories import Playground

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "provider.md"
MAIN = BranchName("main")


class World:
    def __init__(self, playground: Playground, folder: Path) -> None:
        self.playground = playground
        self.url = str(playground.origin)
        self.base = playground.branch("main", playground.commit({"a": "1\n", "b": "1\n"}))
        self.head = playground.branch("fix", playground.commit({"a": "2\n"}, parents=self.base))
        self.write({"7": {"branch": "fix", "method": "squash", "queued": True}})
        file = folder / "provider.py"
        [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
        file.write_text(code)
        raw = load_provider(parse_name(f"{file}:FileProvider"))
        self.reads = CheckedReads(raw, "FileProvider")
        self.writes = CheckedWrites(raw, "FileProvider")

    @property
    def file(self) -> Path:
        return self.playground.origin / "queue.json"

    def write(self, queue: dict[str, dict[str, object]]) -> None:
        self.file.write_text(json.dumps(queue))

    def record(self) -> dict[str, object]:
        queue: dict[str, dict[str, object]] = json.loads(self.file.read_text())
        return queue["7"]

    def listed(self) -> tuple[Change, ...]:
        return self.reads.list_changes(Repository(base=MAIN, remote_url=self.url)).changes

    def merge(self, commit: CommitId, onto: CommitId) -> bool:
        [change] = self.listed()
        request = MergeRequest(
            change=change, commit=commit, onto=onto, tree=TreeId("0" * 40), message="Fix a"
        )
        return self.writes.merge_change(request).merged


@pytest.fixture
def world(playground: Playground, tmp_path: Path) -> World:
    return World(playground, tmp_path)


def test_it_describes_itself_and_lists_its_change(world: World) -> None:
    described = world.reads.describe(DescribeQuestion(base=MAIN, remote_url=world.url))
    assert described.merges is ProviderMerges.PATHS
    [change] = world.listed()
    assert (change.id, change.head, change.branch) == ("7", world.head, "fix")


def test_it_approves_the_commit_that_was_reviewed_and_no_other(world: World) -> None:
    [change] = world.listed()
    asked = [ApprovalQuestion(change=change, commit=world.head)]
    before = world.reads.approvals_at(asked)[change.id]
    approved = {**world.record(), "approved_at": world.head}
    world.write({"7": approved})
    after = world.reads.approvals_at(asked)[change.id]
    assert not isinstance(before, str)
    assert not isinstance(after, str)
    assert (before.approved, after.approved) == (False, True)


def test_a_status_is_green_on_the_head_it_was_posted_on(world: World) -> None:
    [change] = world.listed()
    post = StatusPost(
        change=change.id,
        repo=change.repo,
        commit=world.head,
        context="merge-queue",
        state=StatusState.SUCCESS,
        description="green",
    )
    world.writes.post_status([post])
    question = GreenQuestion(base=MAIN, remote_url=world.url, context="merge-queue")
    assert [green.id for green in world.reads.list_green(question)] == ["7"]
    new = world.playground.commit({"a": "3\n"}, parents=world.head)
    world.playground.branch("fix", new)
    assert world.reads.list_green(question) == ()


def test_it_merges_onto_the_tip_that_was_predicted_and_onto_no_other(world: World) -> None:
    moved = world.playground.commit({"b": "2\n"}, parents=world.base)
    world.playground.branch("main", moved)
    assert not world.merge(world.head, world.base)
    assert world.merge(world.head, moved)
    tip = world.playground.tip("main")
    assert world.playground.files(tip) == {b"a": b"2\n", b"b": b"2\n"}
    listing = world.reads.list_changes(Repository(base=MAIN, remote_url=world.url))
    assert listing.changes == ()
    assert [(merge.head, merge.commit) for merge in listing.merged] == [(world.head, tip)]


def test_a_kick_back_shows_its_report_and_takes_the_change_out(world: World) -> None:
    [change] = world.listed()
    kick = KickBack(change=change, commit=world.head, code=Code.KICK_RED, report="It is red.")
    world.writes.kick_back(kick)
    marks = [MarkRequest(change=ChangeId("7"), repo=change.repo, mark=Mark.KICKED_BACK)]
    assert world.writes.mark(marks) == ()
    assert world.listed() == ()
    assert world.record()["report"] == "It is red."
