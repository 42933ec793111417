"""`mergequeue status`: what a person sees of a queue that nobody runs."""

import pytest

from tests.support.programs import Project, make_project, run_program
from tests.support.repositories import Playground


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def test_the_queue_is_told_without_running_it_and_nothing_is_written(project: Project) -> None:
    project.queue("merges", {"one/text": "A\nb\nc\nd\ne\n"})
    project.queue("red", {"two/text": "bug\n"})
    assert project.run().status == 0
    head = project.queue("later", {"one/more": "m\n"}, method="rebase")
    project.playground.branch("mq/sqaush/typo", head)
    before = project.playground.refs()
    ran = run_program(project.clone, "status")
    assert ran.status == 0, ran.err
    rows = [line.split() for line in ran.out.splitlines()]
    assert rows[0] == ["place", "change", "method", "head", "state", "why"]
    assert rows[1][:5] == ["-", "later", "rebase", head[:12], "new"]
    assert rows[2][:3] == ["-", "red", "squash"]
    assert rows[2][4:7] == ["kicked", "back", "KICK_RED:"]
    assert rows[4][:2] == ["merged", "merges"]
    assert "`mq/sqaush/typo`" in ran.out
    assert ran.err == ""
    assert project.playground.refs() == before


def test_one_change_is_told_whole(project: Project) -> None:
    project.queue("red", {"two/text": "bug\n"})
    project.queue("merges", {"one/text": "A\nb\nc\nd\ne\n"})
    assert project.run().status == 0
    red = run_program(project.clone, "status", "--change", "red")
    assert "mq/squash/red" in red.out
    assert "mend what is red, push, and queue it again" in red.out
    assert "The gate was `sh gate`, with the units behind it: two" in red.out
    landed = project.playground.tip("main")
    merged = run_program(project.clone, "status", "--change", "merges")
    assert merged.out.splitlines()[-1] == f"state   merged, as {landed}"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--change", "nobody"), "MQ1016"),
        (("--change", "bad/name"), "MQ1001"),
        (("--base", "nope"), "MQ1010"),
    ],
)
def test_what_is_not_there_is_an_error(project: Project, words: tuple[str, ...], code: str) -> None:
    ran = run_program(project.clone, "status", *words)
    assert ran.out == ""
    assert code in ran.err
