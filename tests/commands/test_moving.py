"""`mergequeue run` while people withdraw, push and move the base: no gate goes on that nothing can
come of (seed 2, When something moves).
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.programs import CONFIGURATION, Project, Ran, make_project, start_program
from tests.support.repositories import Playground


@pytest.fixture
def seen(playground: Playground) -> Path:
    folder = playground.folder / "seen"
    folder.mkdir()
    return folder


def project_of(playground: Playground, seen: Path, hangs: str) -> Project:
    """Return a project whose gate says what it gates, and hangs where a test holds."""
    gate = f"""\
touch {seen}/$(git rev-parse HEAD)
if {hangs}; then touch {seen}/hangs; exec sleep 30; fi
"""
    settings = f'{CONFIGURATION}[sandbox]\nallow = ["write:{seen}"]\n'
    return make_project(playground, {"mergequeue.toml": settings, "gate": gate})


@contextmanager
def running(project: Project, *words: str) -> Iterator[list[Ran]]:
    """Run the queue; how it ended is in the list afterwards."""
    quick = ("--interval", "0.05", "--committer", "Q <q@e.invalid>")
    program = start_program(project.clone, "run", *quick, *words)
    watchdog = threading.Timer(90, program.kill)
    watchdog.start()
    ended: list[Ran] = []
    try:
        yield ended
        out, _ = program.communicate(timeout=90)
        ended.append(Ran(program.returncode, out.decode(), ""))
    finally:
        watchdog.cancel()
        program.kill()
        program.wait()


def wait_for(path: Path) -> None:
    until = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_one_that_leaves_or_moves_is_dropped_and_those_behind_are_gated_without_it(
    playground: Playground, seen: Path
) -> None:
    project = project_of(playground, seen, "test -e one/b || grep -q old one/c 2>/dev/null")
    for name in "abcd":
        project.queue(name, {f"one/{name}": "old\n"})
    with running(project, "--depth", "2") as ended:
        wait_for(seen / "hangs")
        project.playground.delete_branch("mq/squash/b")
        project.queue("c", {"one/c": "new\n"})
    (ran,) = ended
    assert ran.status == 0
    last = {change: event["kind"] for change, event in ran.last().items()}
    assert last == {"a": "merged", "b": "waiting", "c": "merged", "d": "merged"}
    assert ran.last()["b"]["code"] == "WAIT_WITHDRAWN"
    assert project.landed()[b"one/c"] == b"new\n"
    assert b"one/b" not in project.landed()


def test_a_base_that_moves_ends_the_gates_and_all_is_built_again_on_it(
    playground: Playground, seen: Path
) -> None:
    project = project_of(playground, seen, "! test -e rest/moved")
    project.queue("a", {"one/a": "a\n"})
    project.queue("b", {"one/b": "b\n"})
    with running(project) as ended:
        wait_for(seen / "hangs")
        moved = playground.commit({"rest/moved": "by hand\n"}, parents=project.base)
        playground.branch("main", moved)
    (ran,) = ended
    assert ran.status == 0
    assert {change: event["kind"] for change, event in ran.last().items()} == {
        "a": "merged",
        "b": "merged",
    }
    assert project.landed()[b"rest/moved"] == b"by hand\n"


def test_a_batch_lands_in_one_push(playground: Playground, seen: Path) -> None:
    project = project_of(playground, seen, "false")
    for name, method in (("a", "squash"), ("b", "merge"), ("c", "rebase")):
        project.queue(name, {f"one/{name}": f"{name}\n"}, method=method)
    playground.hook("post-receive", f"cat >> {seen}/pushes; echo >> {seen}/pushes")
    with running(project, "--batch", "3") as ended:
        pass
    (ran,) = ended
    assert {event["kind"] for event in ran.last().values()} == {"merged"}
    pushes = [push.splitlines() for push in (seen / "pushes").read_text().split("\n\n")]
    landing = [push for push in pushes if any(line.endswith("refs/heads/main") for line in push)]
    assert len(landing) == 1
    moved = {line.split()[2] for line in landing[0]}
    assert {f"refs/heads/mq/{one}" for one in ("squash/a", "merge/b", "rebase/c")} < moved
    gated = [path.name for path in seen.iterdir() if len(path.name) == 40]
    assert len(gated) == 1
