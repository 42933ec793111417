"""`mergequeue try`: one change gated on its own, and nothing comes of it."""

import json

import pytest

from tests.github.queue import run_here
from tests.support.programs import Project, Ran, make_project
from tests.support.repositories import Playground


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def here(project: Project, *words: str) -> Ran:
    return run_here(project.clone, *words, env={})


def test_a_change_is_gated_on_the_base_alone_whether_it_is_queued_or_a_branch(
    project: Project,
) -> None:
    project.queue("bad", {"one/text": "bug\n"})
    head = project.queue("fix", {"one/text": "A\nb\nc\nd\ne\n"})
    project.playground.branch("topic/of-mine", head)
    before = project.playground.refs()
    for name in ("fix", "topic/of-mine"):
        ran = here(project, "try", name)
        assert ran.status == 0, ran.err
        assert "try run green" in ran.err
        assert "sh gate one" in ran.err
        told = [json.loads(line) for line in ran.out.splitlines()]
        assert [one["kind"] for one in told] == ["gate", "tried"]
        assert "nothing is queued or merged" in told[-1]["reason"]
    red = here(project, "try", "bad")
    assert (red.status, "try run red" in red.err) == (1, True)
    assert project.playground.refs() == before


def test_a_paused_queue_keeps_nobody_from_trying(project: Project) -> None:
    project.queue("fix", {"one/text": "A\nb\nc\nd\ne\n"})
    assert here(project, "pause", "--reason", "Wait.").status == 0
    assert here(project, "try", "fix").status == 0


def test_what_cannot_merge_is_said_without_a_gate(project: Project) -> None:
    project.queue("fix", {"one/text": "A\nb\nc\nd\ne\n"})
    project.playground.branch("landed", project.base)
    project.playground.branch(
        "main", project.playground.commit({"one/text": "B\nb\nc\nd\ne\n"}, parents=project.base)
    )
    ran = here(project, "try", "fix")
    assert ran.status == 1
    assert "it could not merge" in ran.err
    assert "one/text" in ran.err
    landed = here(project, "try", "landed")
    assert (landed.status, "there is nothing to try" in landed.err) == (0, True)


def test_what_is_not_there_is_one_error(project: Project) -> None:
    project.queue("fix", {"one/text": "A\nb\nc\nd\ne\n"})
    wrong = [(("gone",), "MQ1016"), (("../x",), "MQ1001"), (("fix", "--base", "gone"), "MQ1010")]
    for words, code in wrong:
        assert f"error {code}: " in here(project, "try", *words).err
