"""Try runs in a plan: each on the base alone, in no line, and nobody waits for one."""

import pytest

from mergequeue.documents.changes import UnqueuedChange
from mergequeue.documents.config import Configuration, ControlTable
from mergequeue.documents.memory import Pause
from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import read_document, write_document
from mergequeue.ports import Memory
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import BAD_DOCUMENT, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, CommitId, RefName
from mergequeue.vocabulary.words import Decision
from tests.plan.test_pausing import PAUSE
from tests.plan.test_planner import FILES, codes, lines
from tests.support.planning import PlanningQueue
from tests.support.repositories import Playground

HEEDED = Configuration(control=ControlTable(tries=True))


@pytest.fixture
def queue(playground: Playground) -> PlanningQueue:
    return PlanningQueue(playground, FILES)


def ask(queue: PlanningQueue, id_: str, head: CommitId) -> None:
    """Ask for a try run of an open change that nobody queued."""
    ref = RefName(f"refs/heads/{id_}")
    queue.playground.branch(ref, head)
    queue.provider.unqueued.append(UnqueuedChange(id=ChangeId(id_), head=head, ref=ref, tried=True))


def planned(
    queue: PlanningQueue, heeded: Configuration = HEEDED, pause: Pause | None = None
) -> Plan:
    with queue.planner() as (planner, listing):
        memory = Memory(pause=pause)
        return planner.plan(listing, depth=8, batch=1, memory=memory, configuration=heeded)


def test_a_try_run_is_planned_on_the_base_alone_beside_the_queue(queue: PlanningQueue) -> None:
    queue.add("1", {"parser/x": "1\n"})
    ask(queue, "7", queue.commit({"parser/x": "7\n", "web/y": "y\n"}))
    ask(queue, "8", queue.commit({"docs/z": "z\n"}))
    plan = planned(queue)
    assert lines(plan) == [["1"]]
    assert [(one.id, one.beneath, one.affected) for one in plan.tries] == [
        ("7", (), ("parser", "web")),
        ("8", (), ("docs",)),
    ]
    assert [change.id for change in plan.admitted] == ["1"]
    assert [[one.id for one in line] for line in plan.lines] == [["1"], ["7"], ["8"]]
    assert read_document(write_document(plan), Plan, "plan") == plan


def test_what_needs_no_gate_is_decided_and_is_no_verdict_on_the_queue(queue: PlanningQueue) -> None:
    ask(queue, "7", queue.commit({"parser/a": "seven\ntwo\nthree\n"}))
    ask(queue, "8", queue.root)
    queue.advance({"parser/a": "ONE\ntwo\nthree\n"})
    plan = planned(queue)
    assert plan.verdicts == ()
    assert [(one.change.id, one.decision, one.code) for one in plan.untried] == [
        ("7", Decision.KICK, Code.KICK_CONFLICT),
        ("8", Decision.MERGED, None),
    ]


def test_no_try_run_is_made_unless_the_base_allows_it(queue: PlanningQueue) -> None:
    ask(queue, "7", queue.commit({"parser/x": "7\n"}))
    plan = planned(queue, Configuration())
    assert (plan.tries, plan.untried) == ((), ())
    assert any("`tries = true` under [control]" in one.reason for one in queue.heard.happenings)


def test_none_is_made_while_the_queue_is_paused(queue: PlanningQueue) -> None:
    ask(queue, "7", queue.commit({"parser/x": "7\n"}))
    assert planned(queue, pause=PAUSE).tries == ()


def test_a_change_above_one_that_is_only_tried_waits_for_it_to_be_queued(
    queue: PlanningQueue,
) -> None:
    lower = queue.commit({"parser/x": "7\n"})
    ask(queue, "7", lower)
    queue.add("1", {"parser/x": "7\n", "parser/y": "1\n"}, lower)
    plan = planned(queue)
    assert codes(plan) == {"1": Code.WAIT_UNQUEUED_BELOW}
    assert [one.id for one in plan.tries] == ["7"]


@pytest.mark.parametrize("part", ["queued", "beneath"])
def test_a_plan_whose_try_run_is_queued_too_or_stands_on_another_is_refused(
    queue: PlanningQueue, part: str
) -> None:
    queue.add("1", {"parser/x": "1\n"})
    ask(queue, "7", queue.commit({"parser/x": "7\n"}))
    plan = planned(queue)
    [tried] = plan.tries
    wrong = plan.admitted[0] if part == "queued" else tried.model_copy(update={"beneath": ("1",)})
    forged = plan.model_copy(update={"tries": (wrong,)})
    with pytest.raises(MergequeueError) as caught:
        read_document(forged.model_dump_json(by_alias=True).encode(), Plan, "plan")
    assert caught.value.code == BAD_DOCUMENT.code
