"""What stops a validation, or a part of it: a cancelled gate, the machine, a person."""

import os
from pathlib import Path

import pytest

from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.words import EventKind
from tests.support.repositories import Playground
from tests.verdicts.bench import MERGE, world_of

RED_ONCE_THE_NEXT_RUNS = """\
#!/bin/sh
# `one` is red once the gate of what is built on it runs; that gate runs until somebody ends it.
if test -e two.txt; then
  test -e bad-u || exit 0
  echo running > $HERE/fifo
  exec sleep 600
fi
test -e bad-u || exit 0
read -r line < $HERE/fifo
exit 1
"""

RUNS_UNTIL_ENDED = """\
#!/bin/sh
test -e fast.txt && exit 0
echo running
exec sleep 600
"""


def test_what_is_built_on_a_red_change_is_cancelled_and_gated_again_once_it_has_ended(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world", script=RED_ONCE_THE_NEXT_RUNS)
    os.mkfifo(world.folder / "fifo")
    one, two = world.change("one", {"bad-u": ""}), world.change("two", {"two.txt": "2\n"})
    world.validate(world.plan([one, two], depth=2), parallel=2)
    assert world.codes() == {"one": Code.KICK_RED, "two": MERGE}
    gates = [(event.change, event.depth) for event in world.told.of(EventKind.GATE)]
    assert gates == [("one", 1), ("two", 2), ("two", 1)]


def test_a_run_that_is_told_to_stop_decides_nothing_more_and_says_that_it_is_done(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world", script=RUNS_UNTIL_ENDED)
    fast = world.change("fast", {"fast.txt": "f\n"})
    slow, next_ = world.change("slow", {"1": "1"}), world.change("next", {"2": "2"})

    def runs() -> bool:
        return any(line.endswith("running") for line in world.shown.lines)

    result = world.validate(world.plan([fast], [slow, next_]), parallel=1, stop=runs)
    assert world.codes() == {"fast": MERGE}
    assert (result.undecided, result.error) == (("slow", "next"), None)
    assert (world.directory / ".done").exists()


def test_a_gate_that_cannot_start_stops_its_partition_alone_and_leaves_its_changes_queued(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world")
    one, two = world.change("one", {"1": "1"}), world.change("two", {"gate": None})
    three, four = world.change("three", {"3": "3"}), world.change("four", {"4": "4"})
    result = world.validate(world.plan([one, two, three], [four], depth=1))
    assert world.codes() == {"one": MERGE, "four": MERGE}
    assert result.undecided == ("two", "three")
    assert result.error is not None
    assert result.error.code == "MQ3014"
    assert "line 0 stopped (still queued: two, three): MQ2001" in result.error.problem
    assert "take that change out of the queue" in result.error.problem
    assert (world.directory / ".done").exists()


def test_a_base_gate_that_cannot_start_blames_nobody(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world", {"gate": "not executable\n"})
    one = world.change("one", {"gate": (0o100755, "#!/bin/sh\nexit 1\n")})
    result = world.validate(world.plan([one]))
    assert world.codes() == {}
    assert result.undecided == ("one",)
    assert result.error is not None


def test_another_plan_s_directory_is_left_as_it_is(playground: Playground, tmp_path: Path) -> None:
    world = world_of(playground, tmp_path / "world")
    world.validate(world.plan([world.change("one", {"1": "1"})]))
    before = sorted(path.name for path in world.directory.iterdir())
    with pytest.raises(MergequeueError) as raised:
        world.validate(world.plan([world.change("two", {"2": "2"})]))
    assert raised.value.code == "MQ1014"
    assert sorted(path.name for path in world.directory.iterdir()) == before


def test_a_base_commit_that_cannot_be_had_is_git_s_failure_and_no_change_s(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world")
    plan = world.plan([world.change("one", {"1": "1"})])
    with world.validator(plan) as validator, pytest.raises(MergequeueError) as raised:
        validator.run(
            plan.model_copy(update={"base_commit": "2" * 40}),
            depth=None,
            parallel=1,
            only=None,
            stop=lambda: False,
        )
    assert raised.value.code == "MQ3001"
