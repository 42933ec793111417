"""When an older review covers a merge of the base that changes generated files (facts 3.8)."""

import pytest

from mergequeue.apply.outcomes import Wait
from mergequeue.apply.owed import decide_regenerated, decide_unproven, paths_at_stake, stale_of
from mergequeue.changes.history import BaseMerge
from mergequeue.plan.review import Owed
from mergequeue.ports import Difference, Generation, Regenerated
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import RepoPath, Unit
from tests.support.graphs import commit_id
from tests.support.planned import tree

GENERATED, CODE = RepoPath(b"gen/a"), RepoPath(b"tools/gen")
MERGE = BaseMerge(commit_id("merge"), commit_id("first"), commit_id("second"))
OWED = Owed(MERGE, tree("plain"), (GENERATED,))
UNITS = (Unit("gen"),)
PROVEN = Generation(UNITS)


def said(wait: Wait | None) -> str:
    assert wait is not None
    assert wait.code is Code.WAIT_NOT_APPROVED
    assert MERGE.commit[:12] in wait.reason
    assert "gen/a" in wait.reason
    return wait.reason


def test_only_a_regeneration_that_runs_nothing_of_the_change_is_run() -> None:
    assert decide_unproven(OWED, PROVEN, regenerates=True) is None


@pytest.mark.parametrize(
    ("generation", "regenerates", "words"),
    [
        (PROVEN, False, "nothing here regenerates them"),
        (None, True, "several merge bases"),
        (Generation(UNITS, code=(CODE,)), True, "touches what generates them: tools/gen"),
        (Generation(UNITS, unbounded_by="no generator"), True, "not known: no generator"),
        (Generation(), True, "no unit generates them"),
    ],
)
def test_what_cannot_be_proven_waits_and_says_why(
    generation: Generation | None,
    regenerates: bool,  # noqa: FBT001 (a row of the table)
    words: str,
) -> None:
    assert words in said(decide_unproven(OWED, generation, regenerates=regenerates))


def test_the_regeneration_has_to_give_the_very_tree_of_the_merge() -> None:
    made = Regenerated(tree("merged"), ran=True)
    assert decide_regenerated(OWED, made, tree("merged")) is None
    assert "something else" in said(decide_regenerated(OWED, made, tree("otherwise")))
    refused = Regenerated(None, "It wrote `evil`.")
    assert "It wrote `evil`." in said(decide_regenerated(OWED, refused, tree("merged")))


def test_everything_that_the_change_alters_is_at_stake() -> None:
    def differing(path: bytes) -> Difference:
        return Difference(RepoPath(path), 0o100644, 0o100644, "1" * 40)

    at_stake = paths_at_stake(
        [differing(b"b"), differing(b"a")], [differing(b"c"), differing(b"a")]
    )
    assert at_stake == (b"a", b"b", b"c")
    stale = stale_of(OWED, commit_id("plain"), PROVEN, at_stake)
    assert (stale.units, stale.outputs, stale.touched) == (UNITS, (GENERATED,), at_stake)
