"""One job of many (`--only`): what is beneath is built and not gated, and blames nobody."""

from pathlib import Path

import pytest

from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import ChangeId
from tests.support.repositories import Playground
from tests.verdicts.bench import MERGE, World, world_of


@pytest.fixture
def world(playground: Playground, tmp_path: Path) -> World:
    return world_of(playground, tmp_path / "world")


def test_what_is_beneath_is_built_and_not_gated(world: World) -> None:
    line = [world.change(name, {f"{name}.txt": name}) for name in ("a", "b", "c")]
    plan = world.plan(line)
    whole = {verdict.change.id: verdict for verdict in world.validate(plan).verdicts}
    world.log.unlink()
    (only,) = world.validate(plan, only="c").verdicts
    assert world.gated == ["Candidate of change c u"]
    assert (only.depth, only.after) == (3, "b")
    same = whole[ChangeId("c")]
    assert (only.onto, only.candidate_commit) == (same.onto, same.candidate_commit)


def test_one_job_does_not_say_that_the_run_is_done(world: World) -> None:
    world.validate(world.plan([world.change("a", {"a": "a"})]), only="a")
    assert world.codes() == {"a": MERGE}
    assert not (world.directory / ".done").exists()


def test_a_red_on_changes_that_nobody_gated_waits_and_asks_no_base(world: World) -> None:
    line = [world.change("a", {"a": "a"}), world.change("b", {"bad-u": ""})]
    world.validate(world.plan(line), only="b")
    assert world.codes() == {"b": Code.WAIT_BEHIND}
    assert world.gated == ["Candidate of change b u"]
    assert world.verdicts()["b"].paths == ()


def test_a_red_with_nothing_beneath_is_its_own(world: World) -> None:
    world.validate(world.plan([world.change("a", {"bad-u": ""})]), only="a")
    assert world.codes() == {"a": Code.KICK_RED}
    assert world.gated == ["Candidate of change a u", "base u"]


def test_one_that_cannot_be_built_is_passed_over_and_what_is_stacked_on_it_waits(
    world: World,
) -> None:
    a = world.change("a", {"shared.txt": "a\n"})
    b = world.change("b", {"shared.txt": "b\n"})
    c = world.change("c", {"c": "c"}, on=b.head, stack_base=b.head, below="b")
    d = world.change("d", {"d": "d"})
    e = world.change("e", {"e": "e"}, on=c.head, stack_base=c.head, below="c")
    plan = world.plan([a, b, c, d, e])
    for change in plan.admitted:
        world.validate(plan, only=change.id)
    verdicts = world.verdicts()
    assert world.codes() == {
        "a": MERGE,
        "b": Code.WAIT_CONFLICT_AHEAD,
        "c": Code.WAIT_BELOW,
        "d": MERGE,
        "e": Code.WAIT_BELOW,
    }
    assert (verdicts["d"].after, verdicts["d"].depth) == ("a", 2)


def test_all_of_a_stack_wait_for_the_one_that_was_kicked_back_and_not_for_each_other(
    world: World,
) -> None:
    a = world.change("a", {"bad-u": ""})
    b = world.change("b", {"b": "b"}, on=a.head, stack_base=a.head, below="a")
    c = world.change("c", {"c": "c"}, on=b.head, stack_base=b.head, below="b")
    world.validate(world.plan([a, b, c]))
    assert world.codes() == {
        "a": Code.KICK_RED,
        "b": Code.WAIT_BELOW_KICKED,
        "c": Code.WAIT_BELOW_KICKED,
    }
    verdicts = world.verdicts()
    assert verdicts["c"].reason == verdicts["b"].reason
    assert verdicts["c"].reason.startswith("change a, which it is stacked on, was kicked back: ")
    assert verdicts["c"].reason.count("it goes on once") == 1


def test_a_job_takes_a_whole_batch_by_its_last_id_and_halves_inside(world: World) -> None:
    line = [world.change(name, {f"{name}.txt": name}) for name in ("a", "b", "c")]
    line.append(world.change("d", {"bad-u": ""}))
    line.append(world.change("e", {"e.txt": "e"}))
    plan = world.plan(line, batch=2)
    world.validate(plan, only="b")
    world.validate(plan, only="d")
    world.validate(plan, only="e")
    verdicts = world.verdicts()
    assert world.codes() == {
        "a": MERGE,
        "b": MERGE,
        "c": MERGE,
        "d": Code.WAIT_BEHIND,
        "e": Code.WAIT_BEHIND,
    }
    assert (verdicts["b"].batch, verdicts["b"].depth) == (("a", "b"), 1)
    assert (verdicts["c"].batch, verdicts["c"].depth) == (("c",), 2)
    assert verdicts["e"].depth == 3


def test_a_head_beneath_that_cannot_be_had_is_passed_over(world: World) -> None:
    a = world.change("a", {"a": "a"})
    gone = a.model_copy(update={"head": "1" * 40, "id": ChangeId("gone"), "ref": None})
    (verdict,) = world.validate(world.plan([gone, a]), only="a").verdicts
    assert (verdict.decision, verdict.after, verdict.depth) == (MERGE, None, 1)


def test_a_change_that_the_plan_did_not_admit_is_an_error_and_nothing_is_written(
    world: World,
) -> None:
    plan = world.plan([world.change("a", {"a": "a"})])
    with pytest.raises(MergequeueError) as raised:
        world.validate(plan, only="b")
    assert raised.value.code == "MQ3006"
    assert not world.directory.exists()


def test_a_try_run_is_gated_on_the_base_alone_and_has_a_job_of_its_own(world: World) -> None:
    queued = world.change("a", {"a.txt": "a"})
    tried = world.change("t", {"t.txt": "t"})
    plan = world.plan([queued]).model_copy(update={"tries": (tried,)})
    (only,) = world.validate(plan, only="t").verdicts
    assert world.gated == ["Candidate of change t u"]
    assert (only.onto, only.after) == (plan.base_commit, None)


def test_try_runs_are_gated_when_the_queue_wants_no_slot(world: World) -> None:
    queued = [world.change(name, {f"{name}.txt": name}) for name in ("a", "b", "c")]
    tried = world.change("t", {"t.txt": "t"})
    plan = world.plan(queued).model_copy(update={"tries": (tried,)})
    world.validate(plan, parallel=1)
    assert world.gated == [f"Candidate of change {name} u" for name in ("a", "b", "c", "t")]
    assert world.codes() == dict.fromkeys("abct", MERGE)
