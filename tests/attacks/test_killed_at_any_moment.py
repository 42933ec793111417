"""The program killed, with no chance to clean up, right after each thing that it says: the next run
goes on from there, loses nothing and does nothing twice.
"""

import json
import tempfile
from collections import Counter

import pytest

from tests.support.programs import Project, environ, make_project, start_program
from tests.support.repositories import Playground

NAMES = ("a", "b")
STATE = "refs/mergequeue/state/main"


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def kill_after(project: Project, lines: int, temporary: str) -> bool:
    """Run it, and kill it after so many lines; return whether it ended by itself before."""
    words = ("run", "--committer", "Q <q@example.invalid>", "--gate", "true")
    program = start_program(project.clone, *words, env=environ(TMPDIR=temporary))
    assert program.stdout is not None
    with program:
        for _ in range(lines):
            if not program.stdout.readline():
                return program.wait() == 0
        program.kill()
    return False


def check_nothing_is_lost(project: Project) -> None:
    refs, landed = project.playground.refs(), project.landed()
    for name in NAMES:
        is_queued = f"refs/heads/mq/squash/{name}" in refs
        assert is_queued != (f"one/{name}".encode() in landed)


def test_killed_after_anything_it_says_it_goes_on_and_repeats_nothing(project: Project) -> None:
    for name in NAMES:
        project.queue(name, {f"one/{name}": f"{name}\n"})
    lines = 1
    # What a killed program leaves goes with the test.
    with tempfile.TemporaryDirectory() as temporary:
        while not kill_after(project, lines, temporary):
            check_nothing_is_lost(project)
            lines += 1
            assert lines < 60
    assert {f"one/{name}".encode() for name in NAMES} <= set(project.landed())
    titles = Counter(
        project.playground.message(commit).splitlines()[0]
        for commit in project.playground.log("refs/heads/main")
    )
    assert titles == {"The project": 1, **{f"Change {name}": 1 for name in NAMES}}
    records = project.playground.files(project.playground.tip(STATE))
    own = {path for path in records if not path.startswith(b"queue/")}
    assert own == {b"merged.json"}
    merged = [record["id"] for record in json.loads(records[b"merged.json"])["merged"]]
    assert sorted(merged) == sorted(NAMES)
    project.playground.run("fsck", "--full")
