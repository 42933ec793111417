"""Pausing, resuming and the priority lane, as a person does them in a clone."""

import json
import signal
import threading
import time

import pytest

from tests.github.queue import run_here
from tests.support.programs import CONFIGURATION, Project, Ran, make_project, start_program
from tests.support.repositories import Playground

HEEDED = f"[control]\npriority = true\n{CONFIGURATION}"


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def here(project: Project, *words: str) -> Ran:
    return run_here(project.clone, *words, env={})


def test_a_paused_queue_lands_nothing_until_it_is_resumed(project: Project) -> None:
    project.queue("fix", {"one/text": "A\nb\nc\nd\ne\n"})
    paused = here(project, "pause", "--reason", "The runners are down.")
    assert paused.status == 0, paused.err
    assert "main: the queue is paused since " in paused.err
    again = here(project, "pause", "--reason", "The runners are down.")
    assert "nothing was written" in again.err
    ran = here(project, "run", "--committer", "Q <q@example.invalid>")
    assert ran.status == 0, ran.err
    waiting = [json.loads(line) for line in ran.out.splitlines() if '"waiting"' in line]
    assert [(one["change"], one["code"]) for one in waiting] == [("fix", "WAIT_PAUSED")]
    assert "The runners are down" in waiting[0]["reason"]
    assert project.playground.tip("main") == project.base

    resumed = here(project, "resume")
    assert "the queue of main goes on with the next run" in resumed.err
    assert "was not paused" in here(project, "resume").err
    assert here(project, "run", "--committer", "Q <q@example.invalid>").status == 0
    assert project.landed()[b"one/text"] == b"A\nb\nc\nd\ne\n"
    log = project.playground.run("log", "--format=%s", "refs/mergequeue/state/main").decode()
    assert "The runners are down" in log
    assert "the queue was resumed" in log


def test_a_watch_that_sees_the_end_of_a_pause_goes_on(project: Project) -> None:
    project.queue("fix", {"one/text": "A\nb\nc\nd\ne\n"})
    assert here(project, "pause", "--reason", "Wait.").status == 0
    program = start_program(
        project.clone, "run", "--watch", "--interval", "0.05", "--committer", "Q <q@e.invalid>"
    )
    watchdog = threading.Timer(60, program.kill)
    watchdog.start()
    assert program.stdout is not None
    try:
        kinds = (json.loads(line)["kind"] for line in program.stdout)
        assert next(kind for kind in kinds if kind in {"waiting", "merged"}) == "waiting"
        assert here(project, "resume").status == 0
        assert next(kind for kind in kinds if kind == "merged") == "merged"
    finally:
        watchdog.cancel()
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=60)


WRONG = [
    (("pause",), "MQ1001"),
    (("pause", "--reason", " "), "MQ1001"),
    (("pause", "--reason", "x" * 5000), "MQ1001"),
    (("pause", "--reason", "x", "--base", "gone"), "MQ1010"),
    (("resume", "--base", "gone"), "MQ1010"),
    (("priority", "gone"), "MQ1016"),
    (("priority", "a/b"), "MQ1001"),
]


def test_what_cannot_be_is_one_error_and_writes_nothing(project: Project) -> None:
    before = project.playground.refs()
    for words, code in WRONG:
        ran = here(project, *words)
        assert (ran.status, f"error {code}: " in ran.err) == (2, True), ran.err
    assert project.playground.refs() == before


def test_a_marked_change_lands_first_where_the_base_allows_it(playground: Playground) -> None:
    project = make_project(playground, {"mergequeue.toml": HEEDED})
    project.queue("a", {"one/a": "a\n"})
    project.queue("b", {"one/b": "b\n"})
    marked = here(project, "priority", "b")
    assert "b goes before all others" in marked.err
    assert "nothing was written" in here(project, "priority", "b").err
    assert here(project, "run", "--committer", "Q <q@example.invalid>").status == 0
    subjects = playground.run("log", "--format=%s", "main").decode().splitlines()
    assert subjects[:2] == ["Change a", "Change b"]


def test_a_mark_that_is_set_while_gates_run_leaves_them_alone(playground: Playground) -> None:
    seen = playground.folder / "seen"
    seen.mkdir()
    settings = f'{HEEDED}[sandbox]\nallow = ["write:{seen}"]\n'
    project = make_project(playground, {"mergequeue.toml": settings})
    project.queue("a", {"one/a": "a\n"})
    project.queue("b", {"one/b": "b\n"})
    gate = f'sh -c \': >"$(mktemp {seen}/XXXXXX)"; until [ -e "{seen}/go" ]; do sleep 0.05; done\''
    words = ("run", "--interval", "0.05", "--committer", "Q <q@e.invalid>", "--parallel", "1")
    program = start_program(project.clone, *words, "--gate", gate)
    watchdog = threading.Timer(60, program.kill)
    watchdog.start()
    try:
        while not [*seen.iterdir()]:
            assert program.poll() is None
            time.sleep(0.02)
        assert "b goes before all others" in here(project, "priority", "b").err
        (seen / "go").touch()
        out, _ = program.communicate()
    finally:
        watchdog.cancel()
    events = [json.loads(line) for line in out.decode().splitlines()]
    assert [one["change"] for one in events if one["kind"] == "merged"] == ["a", "b"]
    assert len([*seen.iterdir()]) == len(["a", "b", "go"])


def test_a_mark_can_be_taken_off_and_counts_nowhere_unless_the_base_says_so(
    project: Project,
) -> None:
    project.queue("a", {"one/a": "a\n"})
    project.queue("b", {"one/b": "b\n"})
    assert "`priority = true`" in here(project, "priority", "b").err
    listed = json.loads(here(project, "ls").out)
    assert [one["priority"] for one in listed["changes"]] == [False, True]
    assert "as any other" in here(project, "priority", "b", "--off").err
    listed = json.loads(here(project, "ls").out)
    assert [one["priority"] for one in listed["changes"]] == [False, False]


def test_each_of_several_bases_lands_what_is_for_it_by_its_own_file_and_pause(
    playground: Playground,
) -> None:
    project = make_project(playground)
    ours = f"[control]\nnamed = true\n{CONFIGURATION}"
    release = playground.commit({"mergequeue.toml": ours}, parents=project.base)
    playground.branch("release/1", release)
    head = playground.commit({"one/new": "n\n"}, parents=release, message="For the release")
    playground.branch("mq/release/1/squash/fix", head)
    project.queue("fix", {"one/text": "A\nb\nc\nd\ne\n"})
    assert here(project, "pause", "--reason", "Wait.").status == 0
    ran = here(project, "run", "--base", "release/1", "--committer", "Q <q@example.invalid>")
    assert {id_: one["kind"] for id_, one in ran.last().items()} == {"fix": "merged"}
    landed = playground.files(playground.tip("release/1"))
    assert (landed[b"one/new"], landed[b"one/text"]) == (b"n\n", b"a\nb\nc\nd\ne\n")
    assert "refs/heads/mq/squash/fix" in playground.refs()
    assert here(project, "resume").status == 0
    here(project, "run", "--committer", "Q <q@example.invalid>")
    assert project.landed()[b"one/text"] == b"A\nb\nc\nd\ne\n"
    assert b"one/new" not in project.landed()
