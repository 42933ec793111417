"""Halving by the program itself, over a plain repository and over runs that are cut off."""

import json
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.commands.test_run import open_project
from tests.support.programs import Project, Ran, start_program
from tests.support.repositories import Playground

GATE = """\
#!/bin/sh
# Red with a bug; where `$SEEN/slow` is, the first half runs until `$SEEN/go` is.
case $(git log -1 --format=%s) in
  *b) if test -e $SEEN/slow; then : >$SEEN/half; until test -e $SEEN/go; do sleep 0.05; done; fi;;
esac
! grep -rn bug one
"""
WORDS = ("--batch", "4", "--committer", "Q <q@example.invalid>")


def queue(project: Project, names: str, *, bad: str) -> None:
    for name in names:
        text = "bug\n" if name == bad else f"{name}\n"
        project.queue(name, {f"one/{name}": text})


def gates(ran: Ran) -> list[str]:
    return ["".join(e["changes"]) for e in ran.events if e["kind"] == "gate"]


def hints(playground: Playground) -> str:
    """Return whom the memory names as suspects, by the remote itself."""
    try:
        raw = playground.run("cat-file", "blob", "refs/mergequeue/state/main:queue/hints.json")
    except subprocess.CalledProcessError:
        return ""
    return "".join(pin["id"] for one in json.loads(raw)["suspects"] for pin in one["changes"])


@pytest.fixture
def cut_off(playground: Playground) -> tuple[Project, Path]:
    """Return a project whose run was killed while the first half of a red batch was gated."""
    project, seen = open_project(playground)
    gate = GATE.replace("$SEEN", str(seen))
    base = playground.commit({"slow-gate": gate}, parents=project.base, message="A slow gate")
    playground.branch("main", base)
    project = Project(playground, project.clone, base)
    queue(project, "abcd", bad="c")
    (seen / "slow").touch()
    program = start_program(project.clone, "run", *WORDS, "--gate", "sh slow-gate")
    watchdog = threading.Timer(60, program.kill)
    watchdog.start()
    try:
        while not ((seen / "half").exists() and hints(playground)):
            assert program.poll() is None
            time.sleep(0.05)
    finally:
        watchdog.cancel()
        program.kill()
        program.communicate(timeout=60)
        (seen / "slow").unlink()
        (seen / "go").touch()
    return project, seen


def test_one_culprit_of_eight_is_handed_back_and_the_others_land_in_one_run(
    playground: Playground,
) -> None:
    project, _ = open_project(playground)
    queue(project, "abcdefgh", bad="f")
    ran = project.run("--batch", "8", "--gate", 'sh -c "! grep -rn bug one"')
    assert gates(ran) == ["abcdefgh", "abcd", "ef", "e", "gh"]
    last = {change: event["kind"] for change, event in ran.last().items()}
    assert last == dict.fromkeys("abcdegh", "merged") | {"f": "kicked"}
    assert ran.last()["f"]["code"] == "KICK_RED"
    assert hints(playground) == ""


def test_a_run_that_was_killed_while_it_halved_is_gone_on_with(
    cut_off: tuple[Project, Path],
) -> None:
    project, _ = cut_off
    assert hints(project.playground) == "abcd"
    ran = project.run("--batch", "4", "--gate", "sh slow-gate")
    assert gates(ran)[:2] == ["ab", "c"]
    assert ran.last()["c"]["code"] == "KICK_RED"
    assert {ran.last()[name]["kind"] for name in "abd"} == {"merged"}
    assert hints(project.playground) == ""


def test_suspects_are_cleared_where_the_base_moves_otherwise(cut_off: tuple[Project, Path]) -> None:
    project, _ = cut_off
    playground = project.playground
    moved = playground.commit({"two/new": "n\n"}, parents=playground.tip("main"), message="Moved")
    playground.branch("main", moved)
    assert gates(project.run("--batch", "4", "--gate", "sh slow-gate"))[0] == "abcd"
