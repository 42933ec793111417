"""The schedule, rule by rule."""

import random
from dataclasses import replace

from mergequeue.ports import GateResult
from mergequeue.verdicts.actions import Decide, Suspect
from mergequeue.verdicts.blame import Fate, Made
from mergequeue.verdicts.line import Ground, Line
from mergequeue.verdicts.schedule import Schedule
from mergequeue.vocabulary.ids import ChangeId
from tests.verdicts.worlds import Run, World, ids, run_of, straight

BAD = "u"


def bad(*names: str) -> tuple[tuple[frozenset[ChangeId], str], ...]:
    return tuple((frozenset(ids(name)), BAD) for name in names)


def filled(world: World, *, depth: int, batch: int = 1) -> Run:
    """Return a run with as many batches in flight as may be."""
    run = run_of(world, depth=depth, batch=batch)
    run.take(run.schedule.start())
    while run.schedule.wants() is not None:
        run.launch()
    return run


def shape(run: Run) -> list[tuple[str, str, int]]:
    """Return each batch in flight: its members, what is under it, and its place."""
    return [(" ".join(one.members), " ".join(one.under), one.place) for one in run.running]


def test_batches_are_cut_in_queue_order_and_each_is_built_on_the_one_beneath() -> None:
    run = filled(World(straight("a b c d e f g")), depth=2, batch=3)
    assert shape(run) == [("a b c", "", 1), ("d e f", "a b c", 2)]


def test_changes_of_the_priority_lane_are_in_no_batch_with_others() -> None:
    line = replace(straight("a b c d e"), lane=frozenset(ids("a b c")))
    run = filled(World(line), depth=3, batch=2)
    assert shape(run) == [("a b", "", 1), ("c", "a b", 2), ("d e", "a b c", 3)]


def test_a_green_batch_waits_for_those_beneath_it() -> None:
    run = filled(World(straight("a b")), depth=2)
    first, second = run.running
    run.end(second)
    assert run.decisions == {}
    run.end(first)
    assert run.fates == dict.fromkeys(ids("a b"), Fate.GREEN)


def test_once_a_batch_has_landed_the_next_takes_the_place_behind_those_in_flight() -> None:
    run = filled(World(straight("a b c")), depth=2)
    run.end(run.running[0])
    run.launch()
    assert shape(run) == [("b", "a", 2), ("c", "a b", 2)]


def test_a_conflict_is_decided_at_once_and_the_next_is_built_past_it() -> None:
    conflicts = frozenset({frozenset(ids("a b"))})
    run = filled(World(straight("a b c d", d="b"), conflicts=conflicts), depth=4)
    assert shape(run) == [("a", "", 1), ("c", "a", 2)]
    assert run.fates == {"b": Fate.CONFLICT_AHEAD, "d": Fate.BELOW}


def test_a_refusal_is_decided_only_on_validated_ground_and_nothing_is_built_on_it() -> None:
    world = World(straight("a b c d", c="b"), refused=frozenset(ids("b")))
    run = filled(world, depth=4)
    assert shape(run) == [("a", "", 1), ("d", "a", 3)]
    assert run.decisions == {}
    run.end(run.running[0])
    assert run.fates == {"a": Fate.GREEN, "b": Fate.REFUSED, "c": Fate.BELOW_KICKED}
    assert shape(run) == [("d", "a", 3)]


def test_a_refusal_takes_a_place_in_the_window() -> None:
    run = filled(World(straight("a b c"), refused=frozenset(ids("b"))), depth=2)
    assert shape(run) == [("a", "", 1)]
    run.end(run.running[0])
    run.launch()
    assert shape(run) == [("c", "a", 1)]


def test_a_refusal_on_a_red_change_is_tried_again_without_it() -> None:
    world = World(straight("a b c"), faults=bad("a"), refused=frozenset(ids("b")))
    run = filled(world, depth=4)
    run.end(run.running[0])
    assert run.decisions == {}
    (asked,) = run.asked
    run.end(asked)
    assert run.fates == {"a": Fate.RED}
    while run.leaving:
        run.end(run.leaving[0])
    run.launch()
    assert run.decisions[ChangeId("b")].beneath == ()


def test_a_red_cancels_what_is_built_on_it_and_nothing_starts_before_that_has_ended() -> None:
    run = filled(World(straight("a b c"), faults=bad("a")), depth=3)
    run.end(run.running[0])
    assert [" ".join(batch.members) for batch in run.leaving] == ["b", "c"]
    assert [asked.batch.top for asked in run.asked] == ["a"]
    run.end(run.asked[0])
    assert run.fates == {"a": Fate.RED}
    run.end(run.leaving[0])
    assert run.schedule.wants() is None
    run.end(run.leaving[0])
    run.launch()
    assert shape(run) == [("b", "", 1)]


def test_a_cancelled_batch_that_ends_green_all_the_same_counts_for_nothing() -> None:
    run = filled(World(straight("a b"), faults=bad("a")), depth=2)
    first, second = run.running
    run.end(first)
    run.leaving.remove(second)
    run.take(run.schedule.ended(second, GateResult.GREEN))
    assert run.decisions == {}
    assert run.schedule.undecided == ids("a b")


def test_the_first_half_rounded_up_runs_alone() -> None:
    run = filled(World(straight("a b c d e f"), faults=bad("d")), depth=2, batch=5)
    run.end(run.running[0])
    run.end(run.leaving[0])
    run.launch()
    assert shape(run) == [("a b c", "", 1)]
    assert run.schedule.wants() is None


def test_a_half_that_passes_lands_and_the_last_suspect_is_judged_without_another_run() -> None:
    run = filled(World(straight("a b c"), faults=bad("c")), depth=1, batch=3)
    red = run.running[0]
    run.end(red)
    run.launch()
    run.end(run.running[0])
    assert run.fates == {"a": Fate.GREEN, "b": Fate.GREEN}
    (asked,) = run.asked
    assert (asked.batch.under, asked.red) == (ids("a b"), red)
    run.end(asked)
    assert run.decisions[ChangeId("c")] == Decide(
        ChangeId("c"), Fate.RED, ids("a b"), gated=red, halved=True
    )


def test_a_half_that_fails_is_the_new_suspects_and_the_others_are_suspected_no_more() -> None:
    run = filled(World(straight("a b c d e"), faults=bad("a")), depth=1, batch=4)
    run.end(run.running[0])
    for expected in ("a b", "a"):
        run.launch()
        assert shape(run) == [(expected, "", 1)]
        run.end(run.running[0])
    run.end(run.asked[0])
    run.launch()
    assert shape(run) == [("b c d e", "", 1)]


def test_suspects_that_can_no_longer_be_built_alike_are_suspected_no_more() -> None:
    run = filled(World(straight("a b c d"), faults=bad("d")), depth=1, batch=4)
    run.end(run.running[0])
    for made in (Made.CLEAN, Made.CONFLICT):
        build = run.schedule.next_build()
        assert build is not None
        run.take(run.schedule.built(build, made))
    run.take(run.schedule.launch())
    run.end(run.running[0])
    run.launch()
    assert shape(run) == [("c d", "a", 1)]


def test_a_pair_that_is_bad_together_costs_the_later_one_its_place() -> None:
    faults = ((frozenset(ids("a d")), BAD),)
    run = run_of(World(straight("a b c d e"), faults=faults), batch=4, depth=2).to_the_end()
    assert [one for one, fate in run.fates.items() if fate is not Fate.GREEN] == ["d"]
    assert run.fates[ChangeId("d")] is Fate.RED


def test_where_the_base_is_red_the_rest_is_gated_one_by_one() -> None:
    world = World(straight("a b c d"), base_red={BAD: ChangeId("c")})
    run = run_of(world, batch=4, depth=1).to_the_end()
    assert run.fates == dict.fromkeys(ids("a b c d"), Fate.GREEN)
    world = World(straight("a b c d"), faults=bad("d"), base_red={BAD: ChangeId("c")})
    run = run_of(world, batch=4, depth=1).to_the_end()
    assert run.fates == {
        "a": Fate.BASE_RED,
        "b": Fate.BASE_RED,
        "c": Fate.GREEN,
        "d": Fate.RED,
    }
    sizes = [len(batch.members) for batch in run.launched]
    assert sizes == [4, 2, 1, 1, 1, 1]


def test_a_gate_that_somebody_else_cancelled_stops_the_partition() -> None:
    run = filled(World(straight("a b c")), depth=2)
    first = run.running.pop(0)
    run.take(run.schedule.ended(first, GateResult.CANCELLED))
    assert [batch.members for batch in run.leaving] == [ids("b")]
    run.end(run.leaving[0])
    assert run.schedule.wants() is None
    assert run.schedule.undecided == ids("a b c")


def test_a_batch_that_is_being_formed_when_all_stops_is_not_launched() -> None:
    run = run_of(World(straight("a b")), batch=2)
    build = run.schedule.next_build()
    assert build is not None
    run.take(run.schedule.built(build, Made.CLEAN))
    run.take(run.schedule.halt())
    assert run.schedule.launch() == []
    assert run.schedule.undecided == ids("a b")


def test_a_base_gate_that_somebody_cancelled_blames_nobody() -> None:
    run = filled(World(straight("a b"), faults=bad("a")), depth=1)
    batch = run.running[0]
    run.end(batch)
    run.take(run.schedule.judged(batch, GateResult.CANCELLED))
    assert run.decisions == {}
    assert run.schedule.wants() is None


def on_ungated(faults: str, *, batch: int = 4) -> Run:
    """Return how a job ends that gates `a b c d` on `x`, which it does not gate."""
    line = straight("x a b c d")
    mine = Line(ids("a b c d"), {change: line.beneath[change] for change in ids("a b c d")})
    schedule = Schedule(mine, depth=1, batch=batch, ground=Ground(ids("x"), places=1))
    world = World(mine, faults=bad(*faults.split()))
    run = Run(world, schedule, random.Random(0), ungated=ids("x")).to_the_end()
    assert run.base_gates == 0
    assert [batch.place for batch in run.launched] == [2] * len(run.launched)
    assert run.launched[0].under == ids("x")
    return run


def test_what_is_red_on_ungated_changes_alone_leaves_its_whole_batch_unproven() -> None:
    for faults in ("a", "x"):
        run = on_ungated(faults)
        assert run.fates == dict.fromkeys(ids("a b c d"), Fate.RED_ON_UNGATED)
        assert [len(batch.members) for batch in run.launched] == [4, 2, 1]
        assert run.suspects == Suspect(ids("a b c d"), ids("x"))


def test_halving_on_ungated_changes_finds_the_one_and_lets_the_others_pass() -> None:
    run = on_ungated("c")
    assert run.fates == {
        "a": Fate.GREEN,
        "b": Fate.GREEN,
        "c": Fate.RED_ON_UNGATED,
        "d": Fate.GREEN,
    }
    assert [len(batch.members) for batch in run.launched] == [4, 2, 1, 1]
    assert run.suspects == Suspect(ids("c"), ids("x a b"))


def test_a_job_of_single_changes_suspects_nobody() -> None:
    assert on_ungated("a", batch=1).suspects is None


def test_what_is_stacked_on_a_skipped_change_waits_from_the_start() -> None:
    line = straight("x a b", a="x")
    mine = type(line)(ids("a b"), {one: line.beneath[one] for one in ids("a b")}, line.below)
    schedule = Schedule(mine, depth=1, batch=1, ground=Ground(skipped=ids("x")))
    assert schedule.start() == [Decide(ChangeId("a"), Fate.BELOW, below=ChangeId("x"))]
