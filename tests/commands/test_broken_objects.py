"""An object that is missing or broken, and a git that dies: named, nothing decided, all queued."""

import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.programs import Project, Ran, environ, make_project, run_program
from tests.support.repositories import Playground

DEATHS = {
    "merge-tree": "git merge-tree was ended by signal 9",
    "rev-list": "git rev-list was ended by signal 9",
    "read-tree": "it said nothing",
}


@pytest.fixture
def project(playground: Playground) -> Project:
    """Two changes, the first of which git has to merge with what the base took in since."""
    made = make_project(playground)
    made.queue("a", {"one/text": "A\nb\nc\nd\ne\n"})
    made.queue("b", {"two/text": "A\nb\nc\nd\ne\n"})
    tip = playground.commit({"one/text": "a\nb\nc\nd\nE\n"}, parents=made.base)
    playground.branch("main", tip)
    playground.run("fetch", "--quiet", "origin", cwd=made.clone)
    return made


def loose(project: Project, path: str) -> tuple[str, Path]:
    """Return the id of what the base holds at a path, and where the clone keeps it by itself."""
    objects = project.clone / ".git" / "objects"
    for pack in list((objects / "pack").glob("*.pack")):
        raw = pack.read_bytes()
        for each in pack.parent.glob(f"{pack.stem}.*"):
            each.unlink()
        project.playground.run("unpack-objects", "-q", cwd=project.clone, stdin=raw)
    id_ = project.playground.run("rev-parse", f"main:{path}").decode().strip()
    return id_, objects / id_[:2] / id_[2:]


def replaced(content: bytes) -> Callable[[Path], None]:
    def replace(place: Path) -> None:
        place.chmod(0o644)
        place.write_bytes(content)

    return replace


def run(project: Project, **more: str) -> Ran:
    words = ("run", "--gate", "true", "--committer", "Q <q@example.invalid>")
    return run_program(project.clone, *words, env=environ(**more))


def assert_all_stay_queued(project: Project, ran: Ran) -> None:
    assert ran.status == 1
    assert {event["kind"] for event in ran.last().values()} <= {"waiting"}
    for name in ("a", "b"):
        project.playground.tip(f"mq/squash/{name}")
    assert project.landed()[b"one/text"] == b"a\nb\nc\nd\nE\n"


@pytest.mark.parametrize(
    ("path", "damage"),
    [
        pytest.param("one", Path.unlink, id="a folder missing"),
        pytest.param("one/text", Path.unlink, id="a file missing"),
        pytest.param("one", replaced(b"junk"), id="a folder that is no object"),
        pytest.param("one", replaced(zlib.compress(b"tree 3\0abc")), id="a folder that is another"),
    ],
)
def test_an_object_of_the_base_that_does_not_read_is_named_and_nothing_is_decided(
    project: Project, path: str, damage: Callable[[Path], None]
) -> None:
    id_, place = loose(project, path)
    damage(place)
    ran = run(project)
    assert_all_stay_queued(project, ran)
    assert id_ in ran.err


@pytest.mark.parametrize("command", ["merge-tree", "rev-list", "read-tree"])
def test_a_git_that_dies_is_named_and_nothing_is_decided(
    project: Project, tmp_path: Path, command: str
) -> None:
    shims = tmp_path / "shims"
    shims.mkdir()
    real = shutil.which("git")
    dies = f'for word; do [ "$word" = {command} ] && kill -9 $$; done\n'
    (shims / "git").write_text(f'#!/bin/sh\n{dies}exec {real} "$@"\n')
    (shims / "git").chmod(0o755)
    ran = run(project, PATH=f"{shims}:{environ()['PATH']}")
    assert_all_stay_queued(project, ran)
    assert DEATHS[command] in ran.err


def test_what_stayed_queued_merges_when_the_object_is_back(project: Project) -> None:
    _, place = loose(project, "one")
    whole = place.read_bytes()
    place.unlink()
    assert run(project).status == 1
    place.write_bytes(whole)
    assert {event["kind"] for event in run(project).last().values()} == {"merged"}
