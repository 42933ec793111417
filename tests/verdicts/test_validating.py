"""Validation as a whole: what each change's verdict says, and which gates ran for it."""

from pathlib import Path

import pytest

from mergequeue.documents.event import Happening
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.words import EventKind, Method
from tests.support.repositories import Content, Playground
from tests.verdicts.bench import MERGE, World, world_of

Files = dict[str | bytes, Content]


@pytest.fixture
def world(playground: Playground, tmp_path: Path) -> World:
    return world_of(playground, tmp_path / "world")


def test_a_green_verdict_names_everything_that_apply_compares(world: World) -> None:
    one = world.change("one", {"one.txt": "1\n"}, units=["b", "a"])
    two = world.change("two", {"two.txt": "2\n"}, units=["b"], method=Method.MERGE)
    result = world.validate(world.plan([one, two]), parallel=1)
    first, second = result.verdicts
    assert (result.undecided, result.error) == ((), None)
    assert (first.decision, first.code, first.reason) == (MERGE, None, "")
    assert (first.after, first.onto, first.method) == (None, world.base, Method.SQUASH)
    assert (first.batch, first.depth, first.gate) == (("one",), 1, "./gate a b")
    assert first.gated_commit == first.candidate_commit
    assert (second.after, second.onto) == ("one", first.candidate_commit)
    assert (second.method, second.depth, second.gate) == (Method.MERGE, 1, "./gate b")
    assert type(first.change).__name__ == "Change"
    assert world.gated == ["Candidate of change one a b", "Candidate of change two b"]


def test_a_verdict_is_there_with_the_plan_when_it_is_told_of_and_done_comes_last(
    world: World,
) -> None:
    seen: list[set[str]] = []

    def look(happening: Happening) -> None:
        if happening.kind is EventKind.DECIDED:
            seen.append({path.name for path in world.directory.iterdir()})

    world.told._at_each = look
    one, two = world.change("one", {"1": "1"}), world.change("two", {"2": "2"})
    world.validate(world.plan([one], [two]), parallel=1)
    assert seen == [{"plan.json", "one"}, {"plan.json", "one", "two"}]
    assert (world.directory / ".done").exists()


def test_what_is_built_on_a_red_change_is_built_again_without_it_and_only_that_one_is_blamed(
    world: World,
) -> None:
    """CASES I: the wrong batch was blamed, and those behind it stranded."""
    one = world.change("one", {"bad-u": ""})
    two = world.change("two", {"two.txt": "2\n"})
    world.validate(world.plan([one, two], depth=2))
    verdicts = world.verdicts()
    assert world.codes() == {"one": Code.KICK_RED, "two": MERGE}
    assert (verdicts["two"].after, verdicts["two"].onto) == (None, world.base)
    assert verdicts["one"].reason == "the gate is red: exit status 3"
    assert "exit status 3" in verdicts["one"].report


def test_one_that_conflicts_with_those_ahead_is_left_out_of_their_batch(world: World) -> None:
    """CASES I: one broken change makes building the whole batch fail."""
    changes = [world.change(name, {f"{name}.txt": name}) for name in ("a", "d", "e")]
    second = world.change("b", {"shared.txt": "b\n"})
    third = world.change("c", {"shared.txt": "c\n"})
    line = [changes[0], second, third, *changes[1:]]
    world.validate(world.plan(line, batch=5))
    verdicts = world.verdicts()
    assert world.codes() == {
        "a": MERGE,
        "b": MERGE,
        "c": Code.WAIT_CONFLICT_AHEAD,
        "d": MERGE,
        "e": MERGE,
    }
    assert verdicts["e"].batch == ("a", "b", "d", "e")
    assert verdicts["a"].gated_commit == verdicts["e"].candidate_commit
    assert verdicts["d"].after == "b"
    assert verdicts["c"].paths == ("shared.txt",)
    assert world.gated == ["Candidate of change e u"]


def test_halving_finds_the_one_and_runs_the_last_suspect_no_second_time(world: World) -> None:
    line = [world.change(name, {f"{name}.txt": name}) for name in ("a", "b", "c")]
    line.append(world.change("d", {"bad-u": ""}))
    world.validate(world.plan(line, batch=4))
    verdicts = world.verdicts()
    assert world.codes() == {"a": MERGE, "b": MERGE, "c": MERGE, "d": Code.KICK_RED}
    assert [line.split()[-2] for line in world.gated] == ["d", "b", "c"]
    assert verdicts["d"].reason.endswith("Halving the batch found it")
    assert verdicts["d"].report.endswith("\n\nHalving the batch found it.\n")
    assert verdicts["d"].batch == ("a", "b", "c", "d")
    assert verdicts["d"].onto == verdicts["c"].candidate_commit


@pytest.mark.parametrize(
    ("units", "gated"),
    [
        pytest.param(("u",), ["a u", "b u"], id="the same units"),
        pytest.param(("v",), ["a v", "b u", "a u"], id="other units"),
    ],
)
def test_what_was_green_with_the_same_units_is_not_gated_again_as_it_stands(
    world: World, units: tuple[str, ...], gated: list[str]
) -> None:
    line = [
        world.change("a", {"a.txt": "a"}, units=units),
        world.change("b", {"bad-u": ""}, units=("u",)),
    ]
    world.validate(world.plan(line, depth=1))
    assert world.codes() == {"a": MERGE, "b": Code.KICK_RED}
    assert [" ".join(line.split()[-2:]) for line in world.gated] == gated


def test_a_base_that_is_red_blames_nobody_and_is_asked_once_for_all(
    playground: Playground, tmp_path: Path
) -> None:
    world = world_of(playground, tmp_path / "world", {"bad-u": ""})
    one = world.change("one", {"one.txt": "1\n"})
    two = world.change("two", {"two.txt": "2\n"})
    upper = world.change(
        "upper", {"upper.txt": "u\n"}, on=one.head, stack_base=one.head, below="one"
    )
    mends = world.change("mends", {"bad-u": None})
    world.validate(world.plan([one, upper], [two, mends]), depth=1, parallel=1)
    assert world.codes() == {
        "one": Code.WAIT_BASE_RED,
        "upper": Code.WAIT_BELOW,
        "two": Code.WAIT_BASE_RED,
        "mends": MERGE,
    }
    assert [line for line in world.gated if line.startswith("base")] == ["base u"]
    (notice,) = world.told.of(EventKind.NOTICE)
    assert (notice.change, notice.commit) == ("one", world.base)
    why = f"red too on {world.base[:12]}, which it was built onto: exit status 3; "
    assert all(why in world.verdicts()[change].reason for change in ("one", "two"))


def test_a_stack_above_a_kicked_change_is_told_what_became_of_that(world: World) -> None:
    one = world.change("one", {"bad-u": ""})
    two = world.change("two", {"2": "2"}, on=one.head, stack_base=one.head, below="one")
    three = world.change("three", {"3": "3"}, on=two.head, stack_base=two.head, below="two")
    world.validate(world.plan([one, two, three]))
    verdicts = world.verdicts()
    assert world.codes() == {
        "one": Code.KICK_RED,
        "two": Code.WAIT_BELOW_KICKED,
        "three": Code.WAIT_BELOW_KICKED,
    }
    assert "change one" in verdicts["two"].reason
    assert "exit status 3" in verdicts["two"].reason


def test_a_change_that_reaches_nothing_is_green_without_a_gate(world: World) -> None:
    result = world.validate(world.plan([world.change("one", {"one.txt": "1\n"}, units=[])]))
    assert result.verdicts[0].decision is MERGE
    assert (result.verdicts[0].gate, result.verdicts[0].duration_ms) == ("", 0)
    assert world.gated == []
    assert world.told.of(EventKind.GATE) == []


@pytest.mark.parametrize(("units", "why"), [(None, ""), (["u"], "no unit owns x")])
def test_a_change_whose_reach_is_no_proof_is_gated_with_every_unit(
    playground: Playground, tmp_path: Path, units: list[str] | None, why: str
) -> None:
    toml = '[unit.u]\npaths = ["u/**"]\n[unit.v]\npaths = ["v/**"]\n'
    world = world_of(playground, tmp_path / "world", {"mergequeue.toml": toml})
    one = world.change("one", {"x": "1\n"}, units=units, unbounded_by=why)
    assert world.validate(world.plan([one])).verdicts[0].gate == "./gate u v"


def test_a_batch_is_gated_with_the_units_of_all_its_members(world: World) -> None:
    one = world.change("one", {"one.txt": "1\n"}, units=["b"])
    two = world.change("two", {"two.txt": "2\n"}, units=["c", "a"])
    world.validate(world.plan([one, two], batch=2))
    assert world.gated == ["Candidate of change two a b c"]


def test_a_change_that_changes_nothing_on_the_base_is_refused_and_no_gate_runs(
    world: World,
) -> None:
    """CASES J."""
    world.validate(world.plan([world.change("one", {})]))
    assert world.codes() == {"one": Code.KICK_REFUSED}
    assert "changes nothing on `main`" in world.verdicts()["one"].report
    assert world.gated == []


def test_a_change_that_another_ahead_made_already_waits_and_is_not_blamed(world: World) -> None:
    one = world.change("one", {"same.txt": "same\n"})
    two = world.change("two", {"same.txt": "same\n"})
    three = world.change("three", {"three.txt": "3\n"})
    world.validate(world.plan([one, two, three]))
    assert world.codes() == {"one": MERGE, "two": Code.WAIT_BEHIND, "three": MERGE}
    assert world.verdicts()["three"].after == "one"


def test_a_head_without_history_is_refused_once_it_stands_on_validated_ground(
    world: World,
) -> None:
    one = world.change("one", {"one.txt": "1\n"})
    orphan = world.playground.commit({"two.txt": "2\n"}, message="two\n")
    world.playground.branch("two", orphan)
    two = world.change("two", {}).model_copy(update={"head": orphan})
    world.playground.branch("two", orphan)
    three = world.change("three", {"three.txt": "3\n"})
    world.validate(world.plan([one, two, three]))
    verdicts = world.verdicts()
    assert world.codes() == {"one": MERGE, "two": Code.KICK_REFUSED, "three": MERGE}
    assert verdicts["three"].after == "one"


def test_a_head_that_cannot_be_had_waits_with_all_that_is_stacked_on_it(world: World) -> None:
    one = world.change("one", {"one.txt": "1\n"})
    gone = one.model_copy(update={"head": "1" * 40, "id": "gone", "ref": None})
    two = world.change("two", {"2": "2"}, stack_base=one.head, below="gone")
    three = world.change("three", {"three.txt": "3\n"})
    world.validate(world.plan([gone, two, three]))
    assert world.codes() == {
        "gone": Code.WAIT_HEAD_MOVED,
        "two": Code.WAIT_BELOW,
        "three": MERGE,
    }


def test_a_change_is_gated_on_what_its_merge_reaches_beyond_its_own_diff_and_says_so(
    playground: Playground, tmp_path: Path
) -> None:
    """CASES A: git's guess of a rename lands an edit in a look-alike of another module."""
    text = "".join(f"line {number}\n" for number in range(1, 31))
    world = world_of(
        playground,
        tmp_path / "world",
        {"mergequeue.toml": '[unit.m]\npaths = ["m/**"]\n[unit.n]\npaths = ["n/**"]\n'},
    )
    fork = playground.commit({"m/old.txt": text}, parents=world.base)
    moved: Files = {"m/old.txt": None, "m/new.txt": text.replace("line 1\n", "line one\n")}
    world.base = playground.branch("main", playground.commit(moved, parents=fork))
    edit: Files = {"m/old.txt": text.replace("line 18\n", "line eighteen\n")}
    one = world.change("one", edit, on=fork, units=["m"])
    two = world.change("two", edit, on=fork, units=[])
    world.validate(world.plan([one], [two]))
    verdicts = world.verdicts()
    assert world.codes() == {"one": MERGE, "two": MERGE}
    assert (verdicts["one"].gate, verdicts["two"].gate) == ("./gate m", "./gate m")
    assert verdicts["one"].reason == "merged by following renames"
    assert "reaches m beyond its own diff" in verdicts["two"].reason
    assert [event.change for event in world.told.of(EventKind.RESOLVED)] == ["one", "two"]


def test_a_free_slot_goes_to_the_batch_that_lands_soonest_in_any_partition(world: World) -> None:
    names = ("a1", "a2", "b1", "b2")
    a1, a2, b1, b2 = (world.change(name, {f"{name}.txt": name}) for name in names)
    world.validate(world.plan([a1, a2], [b1, b2]), parallel=1)
    gates = [(event.change, event.depth) for event in world.told.of(EventKind.GATE)]
    assert gates == [("a1", 1), ("b1", 1), ("a2", 1), ("b2", 1)]
