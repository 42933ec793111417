"""What tests of verdict directories share: a plan, verdicts, and what lies in a folder."""

from datetime import UTC, datetime
from pathlib import Path

from mergequeue.documents.changes import Change
from mergequeue.documents.plan import Plan
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import Decision, Method

BASE = CommitId("a" * 40)


class _All:
    def __contains__(self, change: object) -> bool:
        return True


ALL = _All()
"""What a plan admitted that admitted every change."""


def plan(depth: int = 1) -> Plan:
    return Plan(
        base=BranchName("main"),
        remote_url="file:///origin.git",
        base_commit=BASE,
        commit_date=datetime(2024, 1, 1, tzinfo=UTC),
        depth=depth,
        batch=1,
    )


def verdict(change: str, reason: str = "") -> Verdict:
    return Verdict(
        base_commit=BASE,
        change=Change(
            id=ChangeId(change),
            head=CommitId("b" * 40),
            base=BranchName("main"),
            method=Method.SQUASH,
        ),
        decision=Decision.WAIT,
        code=Code.WAIT_BEHIND,
        reason=reason,
    )


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def plant(folder: Path, change: str, raw: bytes) -> None:
    place = folder / change
    place.mkdir()
    (place / "verdict.json").write_bytes(raw)
