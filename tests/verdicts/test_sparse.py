"""A sparse checkout holds what a gate of its units needs, for a candidate and for what it is on."""

from pathlib import Path

import pytest

from tests.support.repositories import Content, Playground
from tests.verdicts.bench import World, world_of

UNITS = """\
[unit.lexer]
paths = ["lexer/**"]
[unit.parser]
paths = ["parser/**"]
depends = ["lexer"]
[unit.web]
paths = ["web/**"]
"""

LOOK = """\
#!/bin/sh
# Says what it is given and what is there; red where there is `bad`, and where git finds a change.
found=$(find . -path ./.git -prune -o -type f -print | sort | tr '\\n' ' ')
echo "$(git log -1 --format=%s)|$*|$found" >> "$LOG"
test -z "$(git status --porcelain)" || exit 4
test ! -e parser/bad
"""

EVERY = "./gate ./lexer/a ./mergequeue.toml ./parser/a ./shared.txt ./web/a "


@pytest.fixture
def world(playground: Playground, tmp_path: Path) -> World:
    files: dict[str | bytes, Content] = {
        "mergequeue.toml": UNITS,
        "lexer/a": "1\n",
        "parser/a": "1\n",
        "web/a": "1\n",
    }
    world = world_of(playground, tmp_path / "world", files, script=LOOK)
    world.sparse = True
    return world


def test_a_gate_sees_its_units_what_they_are_built_from_and_what_no_unit_owns(
    world: World,
) -> None:
    change = world.change("one", {"parser/new": "1\n"}, units=["parser"])
    world.validate(world.plan([change]))
    assert world.codes() == {"one": "merge"}
    held = "./gate ./lexer/a ./mergequeue.toml ./parser/a ./parser/new ./shared.txt "
    assert world.gated == [f"Candidate of change one|parser|{held}"]


def test_a_commit_that_is_gated_as_it_stands_is_seen_with_the_same_units(world: World) -> None:
    change = world.change("one", {"parser/bad": ""}, units=["parser"])
    world.validate(world.plan([change]))
    assert world.codes() == {"one": "KICK_RED"}
    held = "./gate ./lexer/a ./mergequeue.toml ./parser/a ./shared.txt "
    assert f"base|parser|{held}" in world.gated


def test_gates_of_other_units_after_each_other_see_each_their_own(world: World) -> None:
    names = ("web", "lexer", "web", "parser")
    changes = [
        world.change(f"c{place}", {f"{name}/{place}": "1\n"}, units=[name])
        for place, name in enumerate(names)
    ]
    world.validate(world.plan(changes), parallel=1)
    assert set(world.codes().values()) == {"merge"}
    seen = [line.split("|")[2].split() for line in world.gated]
    top = ["./gate", "./mergequeue.toml", "./shared.txt"]
    assert [sorted(set(files) - set(top)) for files in seen] == [
        ["./web/0", "./web/a"],
        ["./lexer/1", "./lexer/a"],
        ["./web/0", "./web/2", "./web/a"],
        ["./lexer/1", "./lexer/a", "./parser/3", "./parser/a"],
    ]


def test_a_change_whose_reach_is_no_proof_gets_every_file(world: World) -> None:
    change = world.change(
        "one", {"web/a": "2\n"}, units=["web"], unbounded_by="no unit owns Makefile"
    )
    world.validate(world.plan([change]))
    assert world.gated == [f"Candidate of change one|lexer parser web|{EVERY}"]


def test_where_nobody_asks_for_it_a_gate_sees_every_file(world: World) -> None:
    world.sparse = False
    world.validate(world.plan([world.change("one", {"web/a": "2\n"}, units=["web"])]))
    assert world.gated == [f"Candidate of change one|web|{EVERY}"]
