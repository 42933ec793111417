"""What moved under a validation ends the gates that nothing can come of, and no other (seed 2, When
something moves).
"""

from pathlib import Path

from mergequeue.ports import NOTHING_MOVED, Moved
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import EventKind
from tests.support.repositories import Playground
from tests.verdicts.bench import MERGE, World, world_of

HANGS_WITH_B = """\
#!/bin/sh
test -e b.txt || exit 0
echo running
exec sleep 30
"""


def hanging(world: World, gates: int) -> bool:
    return len([line for line in world.shown.lines if line.endswith("running")]) >= gates


def test_a_batch_that_holds_what_left_goes_with_those_above_it_and_the_rest_is_gated_without(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world", script=HANGS_WITH_B)
    line = [world.change(name, {f"{name}.txt": f"{name}\n"}) for name in "abcd"]
    plan = world.plan(line, depth=2, batch=2)

    def moved() -> Moved:
        return Moved(frozenset({ChangeId("b")})) if hanging(world, 2) else NOTHING_MOVED

    with world.validator(plan) as validator:
        result = validator.run(
            plan, depth=None, parallel=2, only=None, stop=lambda: False, moved=moved
        )
    assert world.codes() == dict.fromkeys("acd", MERGE)
    assert (result.undecided, result.error) == ((), None)
    gates = [event.changes for event in world.told.of(EventKind.GATE)]
    assert gates == [("a", "b"), ("c", "d"), ("a", "c"), ("d",)]
    records = {record.why for record in world.verdicts()["a"].gates}
    assert "a change in it, or beneath it, moved or left the queue" in records


def test_a_base_that_moved_ends_every_gate_and_decides_nothing_more(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world", script=HANGS_WITH_B)
    quick, slow = world.change("a", {"a.txt": "a\n"}), world.change("b", {"b.txt": "b\n"})
    plan = world.plan([quick], [slow, world.change("c", {"c.txt": "c\n"})], depth=1)
    with world.validator(plan) as validator:
        result = validator.run(
            plan,
            depth=None,
            parallel=1,
            only=None,
            stop=lambda: False,
            moved=lambda: Moved(base=hanging(world, 1)),
        )
    assert world.codes() == {"a": MERGE}
    assert (result.undecided, result.error) == (("b", "c"), None)
    assert (world.directory / ".done").exists()
