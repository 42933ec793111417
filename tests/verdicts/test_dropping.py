"""What moved under a batch takes with it what it made stale, and nothing else (seed 2, "When
something moves").
"""

from mergequeue.ports import GateResult
from mergequeue.verdicts.blame import Fate
from tests.verdicts.test_schedule import bad, filled, shape
from tests.verdicts.worlds import World, ids, straight


def test_a_change_that_left_takes_its_batch_and_every_one_after_it() -> None:
    run = filled(World(straight("a b c d e f g h")), depth=3, batch=2)
    first, *above = run.running
    run.drop(*ids("d"))
    assert run.running == [first]
    assert run.leaving == above
    assert run.schedule.wants() is None, "what is cancelled has not ended yet"
    for batch in above:
        run.end(batch)
    while run.schedule.wants() is not None:
        run.launch()
    assert shape(run) == [("a b", "", 1), ("c e", "a b", 2), ("f g", "a b c e", 3)]


def test_a_batch_beneath_the_one_that_left_runs_on() -> None:
    run = filled(World(straight("a b c")), depth=3)
    run.drop(*ids("c"))
    assert shape(run) == [("a", "", 1), ("b", "a", 2)]
    assert run.to_the_end().fates == dict.fromkeys(ids("a b"), Fate.GREEN)


def test_a_change_that_waits_for_its_turn_only_leaves_the_line() -> None:
    run = filled(World(straight("a b c")), depth=1)
    run.drop(*ids("b"))
    assert run.leaving == []
    run.end(run.running[0])
    run.launch()
    assert shape(run) == [("c", "a", 1)]


def test_a_green_change_that_did_not_land_takes_what_is_built_on_it() -> None:
    run = filled(World(straight("a b c d")), depth=3)
    first, second, third = run.running
    run.end(first)
    run.end(second)
    run.drop(*ids("a"))
    assert run.leaving == [third]
    run.end(third)
    run.launch()
    assert shape(run) == [("c", "", 1)], "b was found green on a, so it is validated anew"


def test_what_is_stacked_on_a_change_that_left_waits_for_it() -> None:
    run = filled(World(straight("a b c", c="a")), depth=3)
    run.drop(*ids("a"))
    assert run.fates == {}
    run.to_the_end()
    assert run.fates == {"b": Fate.GREEN, "c": Fate.BELOW}


def test_a_suspect_that_leaves_clears_the_suspects() -> None:
    run = filled(World(straight("a b c d e"), faults=bad("b")), depth=2, batch=4)
    run.end(run.running[0])
    for batch in tuple(run.leaving):
        run.end(batch)
    run.launch()
    assert shape(run) == [("a b", "", 1)]
    run.drop(*ids("d"))
    run.launch()
    assert shape(run) == [("a b", "", 1), ("c e", "a b", 2)], "nothing more is suspected"


def test_what_the_suspects_stand_on_clears_them_too() -> None:
    run = filled(World(straight("a b c d e"), faults=bad("c")), depth=1, batch=2)
    run.end(run.running[0])
    run.launch()
    run.end(run.running[0])
    run.launch()
    assert shape(run) == [("c", "a b", 1)], "half of the suspects"
    run.drop(*ids("a"))
    run.end(run.leaving[0])
    run.launch()
    assert shape(run) == [("c d", "", 1)], "what was red may not be red now"


def test_one_that_is_judged_when_it_leaves_is_not_blamed() -> None:
    run = filled(World(straight("a b"), faults=bad("a")), depth=1)
    run.end(run.running[0])
    (question,) = run.asked
    run.drop(*ids("a"))
    run.end(question)
    assert run.to_the_end().fates == {"b": Fate.GREEN}


def test_a_change_that_has_its_fate_keeps_it() -> None:
    run = filled(World(straight("a b"), faults=bad("a")), depth=1).to_the_end()
    run.take(run.schedule.drop(ids("a")))
    assert run.fates == {"a": Fate.RED, "b": Fate.GREEN}


def test_a_partition_that_stopped_drops_nothing_more() -> None:
    run = filled(World(straight("a b")), depth=2)
    first, second = run.running
    run.take(run.schedule.halt())
    run.drop(*ids("a"))
    assert run.leaving == [first, second]
    run.take(run.schedule.ended(first, GateResult.CANCELLED))
    assert run.schedule.wants() is None
