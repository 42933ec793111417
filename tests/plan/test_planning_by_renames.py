"""CASES A: git's guess of a rename carries an edit into a look-alike of another module."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from mergequeue.ports import MergesTrees, Settled, ThreeWay
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import EventKind, Rule
from tests.support.planning import PlanningQueue
from tests.support.repositories import Content, Playground

MODULES = ("m1", "m2", "m3")
UNITS = "".join(f'[unit.{name}]\npaths = ["{name}/**"]\n' for name in MODULES)


def text(**edited: str) -> str:
    """Return the file that every module has a copy of, some lines edited."""
    lines = {f"l{number}": f"line {number}" for number in range(1, 31)}
    return "".join(f"{line}\n" for line in (lines | edited).values())


@dataclass
class RenamesAlways:
    """A merge function that takes what following renames gives, wherever that lands."""

    trees: MergesTrees

    def merge(self, merges: Sequence[ThreeWay]) -> tuple[Settled, ...]:
        return tuple(
            Settled(made.tree, Rule.RENAMES, made.conflicts, made.unrelated)
            for made in self.trees.merge_by_renames(merges)
        )


@pytest.fixture
def queue(playground: Playground) -> PlanningQueue:
    """Main moved each module's file and edited it; the change edits what was m2's."""
    files: dict[str | bytes, Content] = {f"{name}/old/T": text() for name in MODULES}
    queue = PlanningQueue(playground, files, UNITS)
    queue.add("1", {"m2/old/T": text(l18="edited")})
    moves: dict[str | bytes, Content] = {}
    for name in MODULES:
        moves |= {f"{name}/old/T": None, f"{name}/new/T": text(l1=f"package {name}")}
    # m2's own file is rewritten beyond likeness, so a copy of another module looks the nearest.
    queue.advance(moves | {"m2/new/T": "nothing alike\n"})
    return queue


def test_an_edit_that_would_land_in_another_module_is_the_authors_conflict(
    queue: PlanningQueue,
) -> None:
    [verdict] = queue.plan().verdicts

    assert verdict.code is Code.KICK_CONFLICT
    assert verdict.paths == ("m2/old/T",)


def test_where_a_merge_does_reach_another_module_that_one_is_gated_and_it_is_said(
    queue: PlanningQueue,
) -> None:
    with queue.planner() as (planner, listing):
        renaming = replace(planner, merging=RenamesAlways(planner.trees))
        plan = renaming.plan(listing, depth=8, batch=1)

    [change] = plan.admitted
    assert change.affected is not None
    assert "m2" in change.affected
    beyond = set(change.affected) - {"m2"}
    assert beyond
    [notice] = [one for one in queue.heard.happenings if one.kind is EventKind.NOTICE]
    assert all(unit in notice.reason for unit in beyond)
