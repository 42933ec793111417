"""What moves while validation runs beside apply is seen, told to it, and waits (seed 2, When
something moves).
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.apply.moved import decide_moved, is_moved_by_others
from mergequeue.apply.run import ApplyResult, Settings
from mergequeue.documents.changes import Change, Listing
from mergequeue.ports import Moved
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import PROVIDER_FAILED
from mergequeue.vocabulary.ids import BranchName
from mergequeue.vocabulary.words import EventKind, Method
from tests.support.applying import Queue, open_queue
from tests.support.forge import Forge
from tests.support.graphs import commit_id
from tests.support.landings import edit, make_forge, pull
from tests.support.planned import make_plan, planned
from tests.support.repositories import Playground

MAIN = BranchName("main")


@given(
    st.dictionaries(
        st.sampled_from("123"),
        st.sampled_from(["same", "gone", "head", "method", "elsewhere", "stacked"]),
        min_size=3,
    )
)
def test_each_change_that_is_not_as_it_was_planned_waits_and_no_other(now: dict[str, str]) -> None:
    changes = [
        planned(id_, base="topic" if kind == "stacked" else "main") for id_, kind in now.items()
    ]
    listed = [
        Change.model_validate(
            {
                "id": change.id,
                "head": commit_id("new") if kind == "head" else change.head,
                "method": Method.REBASE if kind == "method" else change.method,
                "base": "elsewhere" if kind == "elsewhere" else "main",
            },
            strict=False,
        )
        for change, kind in zip(changes, now.values(), strict=True)
        if kind != "gone"
    ]
    codes = {
        "gone": Code.WAIT_WITHDRAWN,
        "head": Code.WAIT_HEAD_MOVED,
        "method": Code.WAIT_METHOD_CHANGED,
        "elsewhere": Code.WAIT_RETARGET,
    }
    waits = decide_moved(changes, Listing(changes=tuple(listed)), MAIN)
    assert {id_: wait.code for id_, wait in waits.items()} == {
        id_: codes[kind] for id_, kind in now.items() if kind in codes
    }


def test_the_base_is_moved_by_others_where_neither_the_plan_nor_a_landing_left_it() -> None:
    plan, mine = make_plan((planned("1"),)), commit_id("mine")
    assert not is_moved_by_others(plan.base_commit, plan, [mine])
    assert not is_moved_by_others(mine, plan, [mine, None])
    assert is_moved_by_others(commit_id("theirs"), plan, [mine])
    assert is_moved_by_others(None, plan, [mine, None]), "it is gone"


class Beside:
    """The validation that runs beside: what it is told."""

    def __init__(self) -> None:
        self.told = Moved()

    def tell(self, moved: Moved) -> None:
        self.told = moved


def applied(queue: Queue, beside: Beside, *acts: Callable[[], None]) -> ApplyResult:
    """Apply while validation is at work; each act is done while apply sleeps, and the validation
    ends after the last.
    """
    queue.source.complete = False
    queue.clock.while_asleep += acts
    queue.clock.while_asleep += [lambda: None, lambda: setattr(queue.source, "complete", True)]
    applier = replace(queue.applier(), tell_moved=beside.tell)
    settings = Settings(base=queue.forge.base, interval=1.0, look_interval=2.0)
    result = applier.run(settings, lambda: False)
    queue.ended = {ended.change: ended for ended in result.ended}
    return result


@pytest.fixture
def forge(playground: Playground) -> Forge:
    forge = make_forge(playground)
    for id_ in "123":
        forge.open(id_, edit(forge, f"a/{id_}.txt", f"{id_}\n"))
    return forge


def planned_only(queue: Queue) -> None:
    queue.plan()
    queue.judge()
    queue.source.verdicts = queue.source.verdicts[:1]


def test_what_moved_is_told_before_its_verdict_comes(forge: Forge) -> None:
    def leave() -> None:
        pull(forge, "2").queued = False
        forge.push("3", edit(forge, "a/3.txt", "three\n"))

    beside = Beside()
    with open_queue(forge) as queue:
        planned_only(queue)
        result = applied(queue, beside, leave)
    assert queue.codes() == {"1": "merged", "2": "WAIT_WITHDRAWN", "3": "WAIT_HEAD_MOVED"}
    assert beside.told == Moved(frozenset({pull(forge, "2").id, pull(forge, "3").id}))
    assert result.moved


def test_a_base_that_somebody_pushed_to_is_told_and_what_apply_landed_is_not(forge: Forge) -> None:
    landing, beside = Beside(), Beside()
    with open_queue(forge) as queue:
        planned_only(queue)
        assert not applied(queue, landing).moved
    assert queue.code("1") == "merged"
    assert not landing.told.base
    with open_queue(forge, machine="other") as queue:
        planned_only(queue)
        queue.source.verdicts = []
        result = applied(queue, beside, lambda: push_outside(forge))
    assert beside.told.base
    assert result.moved
    assert queue.codes() == dict.fromkeys("23", "WAIT_REVALIDATE")
    assert "main moved by another push" in queue.heard.of(EventKind.NOTICE)[0].reason


def push_outside(forge: Forge) -> None:
    forge.push_to_base({"outside": "moved\n"})


def test_what_apply_turns_away_or_keeps_is_told_at_once(forge: Forge) -> None:
    beside = Beside()
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge(red={"2"})
        pull(forge, "1").approved_at = set()
        applied(queue, beside)
    assert beside.told.changes == {"1", "2", "3"}


def test_a_look_that_fails_is_said_once_and_stops_nothing(forge: Forge) -> None:
    def fail() -> None:
        raise PROVIDER_FAILED("502")

    beside = Beside()
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.source.verdicts = []
        forge.before["list_changes"] = [lambda: None, fail, fail]
        applied(queue, beside, *[lambda: None] * 4)
    notices = [event.reason for event in queue.heard.of(EventKind.NOTICE)]
    assert [one for one in notices if "could not look" in one] == [
        "could not look at what moved: 502"
    ]
    assert queue.codes() == dict.fromkeys("123", "WAIT_BEHIND")


def test_where_validation_runs_elsewhere_nothing_is_looked_at(forge: Forge) -> None:
    with open_queue(forge) as queue:
        planned_only(queue)
        queue.source.complete = False
        queue.clock.while_asleep += [lambda: None] * 30
        queue.clock.while_asleep.append(lambda: setattr(queue.source, "complete", True))
        forge.calls.clear()
        queue.apply()
    assert forge.calls.count("list_changes") == 1
