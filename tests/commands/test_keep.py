"""`mergequeue keep` over plain git, from a change that was kicked back to the merged base."""

import pytest

from tests.support.programs import Project, Ran, make_project, run_program
from tests.support.repositories import Playground

WHO = ("--committer", "Q <q@example.invalid>")


@pytest.fixture
def project(playground: Playground) -> Project:
    """A project with a kicked-back change, whose conflict with the base is additions alone."""
    made = make_project(playground, {"one/list.py": "first\n"})
    made.queue("topic", {"one/list.py": "first\nmine\n"})
    landed = playground.commit({"one/list.py": "first\ntheirs\n"}, parents=made.base)
    playground.branch("main", landed)
    ran = made.run()
    assert ran.last()["topic"]["code"] == "KICK_CONFLICT"
    return made


def keep(project: Project, *words: str) -> Ran:
    return run_program(project.clone, "keep", *words)


def test_a_change_that_conflicted_lands_after_it_was_kept(project: Project) -> None:
    again = run_program(project.clone, "requeue", "topic")
    assert again.status == 2
    assert "it conflicts with main as it is in one/list.py" in again.err
    before = project.playground.refs()
    dry = keep(project, "--dry-run")
    assert dry.out.startswith("topic: would be brought up to date with main at ")
    assert project.playground.refs() == before
    ran = keep(project, *WHO)
    assert ran.status == 0, ran.err
    assert ran.out.startswith("topic: brought up to date with main at ")
    shown = run_program(project.clone, "status", "topic").out
    assert "Both sides had only added lines" in shown
    assert "`one/list.py#line 2`" in shown
    assert project.run().last()["topic"]["kind"] == "merged"
    assert project.landed()[b"one/list.py"] == b"first\ntheirs\nmine\n"
    assert keep(project).out == "no change that the queue turned away is open\n"
