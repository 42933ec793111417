"""The priority lane: who goes first in a line, and who never does."""

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.config import Configuration, ControlTable
from mergequeue.plan.arrange import stack_order
from mergequeue.plan.lane import lane_first, lane_of
from mergequeue.vocabulary.ids import ChangeId
from tests.plan.test_planner import FILES, lines
from tests.support.listings import queued
from tests.support.planning import PlanningQueue
from tests.support.repositories import Playground

HEEDED = Configuration(control=ControlTable(priority=True))


@st.composite
def queues(
    draw: st.DrawFn,
) -> tuple[list[ChangeId], dict[ChangeId, ChangeId | None], set[ChangeId]]:
    """Any changes in any order, stacked on each other without a cycle, some marked."""
    ids = [ChangeId(str(number)) for number in range(draw(st.integers(1, 10)))]
    below = {id_: draw(st.sampled_from([None, *ids[:place]])) for place, id_ in enumerate(ids)}
    return draw(st.permutations(ids)), below, draw(st.sets(st.sampled_from(ids)))


@given(queues())
def test_marked_changes_go_first_with_what_they_are_stacked_on_and_nobody_else_is_moved(
    queue: tuple[list[ChangeId], dict[ChangeId, ChangeId | None], set[ChangeId]],
) -> None:
    ids, below, marked = queue
    changes = [queued(id_, id_, priority=id_ in marked) for id_ in ids]
    lane = lane_of(changes, below)
    order = stack_order(lane_first(ids, lane), below)

    beneath = set()
    for id_ in marked:
        at: ChangeId | None = id_
        while at is not None:
            beneath.add(at)
            at = below[at]
    assert lane == beneath
    assert set(order[: len(lane)]) == lane
    for id_ in ids:
        lower = below[id_]
        assert lower is None or order.index(lower) < order.index(id_)
    outside = [id_ for id_ in ids if id_ not in lane]
    assert [id_ for id_ in order if id_ not in lane] == stack_order(outside, below)
    inside = [id_ for id_ in ids if id_ in lane]
    assert order[: len(lane)] == stack_order(inside, below)


def test_a_plan_has_the_lane_first_in_its_line_and_says_who_is_in_it(
    playground: Playground,
) -> None:
    queue = PlanningQueue(playground, FILES)
    queue.add("1", {"parser/x": "1\n"})
    queue.add("2", {"web/x": "2\n"})
    lower = queue.add("3", {"parser/y": "3\n"})
    queue.add("4", {"parser/y": "3\n", "parser/z": "4\n"}, lower, priority=True)
    with queue.planner() as (planner, listing):
        plan = planner.plan(listing, depth=8, batch=1, configuration=HEEDED)
    assert lines(plan) == [["3", "4", "1"], ["2"]]
    assert [change.priority for change in plan.admitted] == [True, True, False, False]
    assert plan.partitions[0][2].beneath == ("3", "4")


def test_a_mark_that_the_base_does_not_allow_moves_nobody_and_is_said(
    playground: Playground,
) -> None:
    queue = PlanningQueue(playground, FILES)
    queue.add("1", {"parser/x": "1\n"})
    queue.add("2", {"parser/y": "2\n"}, priority=True)
    plan = queue.plan()
    assert lines(plan) == [["1", "2"]]
    assert not any(change.priority for change in plan.admitted)
    [said] = [one for one in queue.heard.happenings if one.change == "2"]
    assert "`priority = true` under [control]" in said.reason
