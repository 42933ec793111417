"""What becomes of a change whose commits, one by one, do not give what was gated (CASES, D)."""

from datetime import UTC, datetime

import pytest

from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.apply.replay import decide_replay
from mergequeue.conflicts.replay import Replay
from mergequeue.ports import CommitFacts
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, RepoPath
from tests.support.graphs import commit_id
from tests.support.planned import tree

MAIN = BranchName("main")
AUTHOR = Identity("A", "a@example.invalid")
DATE = datetime(2030, 1, 1, tzinfo=UTC)
COMMIT = CommitFacts(
    commit_id("c"), tree("c"), (commit_id("b"),), AUTHOR, DATE, AUTHOR, DATE, "Change *it*\n"
)
STUCK = Replay(None, COMMIT, (RepoPath(b"a.txt"),))
OTHERWISE = Replay(tree("another"))


@pytest.mark.parametrize("alone", [None, STUCK])
def test_a_commit_that_conflicts_with_the_base_too_is_the_authors(alone: Replay | None) -> None:
    found = decide_replay(MAIN, STUCK, alone=alone)
    assert isinstance(found, Kick)
    assert (found.code, found.paths) == (Code.KICK_CONFLICT, STUCK.paths)
    assert "`Change *it*`" in found.detail


@pytest.mark.parametrize("alone", [None, STUCK])
def test_a_replay_that_gives_another_tree_is_refused(alone: Replay | None) -> None:
    found = decide_replay(MAIN, OTHERWISE, alone=alone)
    assert isinstance(found, Kick)
    assert found.code is Code.KICK_REFUSED


@pytest.mark.parametrize("on_tip", [STUCK, OTHERWISE])
def test_one_that_replays_onto_the_plans_base_commit_is_validated_again(on_tip: Replay) -> None:
    found = decide_replay(MAIN, on_tip, alone=OTHERWISE)
    assert isinstance(found, Wait)
    assert found.code is Code.WAIT_REVALIDATE
