"""`mergequeue run` over a plain repository, as a person runs it."""

import contextlib
import json
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.support.programs import CONFIGURATION, Project, make_project, run_program, start_program
from tests.support.repositories import Playground


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def test_two_changes_that_share_no_unit_both_merge_and_stand_in_lines_of_their_own(
    project: Project,
) -> None:
    project.queue("left", {"one/text": "A\nb\nc\nd\ne\n"})
    project.queue("right", {"two/text": "A\nb\nc\nd\ne\n"})
    ran = project.run()
    assert ran.status == 0
    assert {change: e["kind"] for change, e in ran.last().items()} == {
        "left": "merged",
        "right": "merged",
    }
    lines = [e["changes"] for e in ran.events if e["kind"] == "partition"]
    assert sorted(lines) == [["left"], ["right"]]
    assert project.landed()[b"one/text"] == b"A\nb\nc\nd\ne\n"
    assert project.landed()[b"two/text"] == b"A\nb\nc\nd\ne\n"
    assert not [ref for ref in project.playground.refs() if "/mq/" in ref]


@pytest.mark.parametrize(
    ("method", "parents", "title"),
    [
        pytest.param("squash", 1, "Change it", id="squash adds one commit"),
        pytest.param("merge", 2, "Merge it", id="merge adds a merge commit"),
        pytest.param("rebase", 1, "Change it", id="rebase replays the commits"),
    ],
)
def test_a_change_lands_by_its_method(
    project: Project, method: str, parents: int, title: str
) -> None:
    project.playground.branch(
        "main", project.playground.commit({"rest/text": "s\n"}, parents=project.base)
    )
    project.queue("it", {"one/text": "A\nb\nc\nd\ne\n"}, method=method)
    before = project.playground.tip("main")
    assert project.run().status == 0
    tip = project.playground.tip("main")
    made = project.playground.run("rev-list", "--parents", "-1", tip).decode().split()
    assert made[1] == before
    assert len(made) == 1 + parents
    assert project.playground.message(tip).splitlines()[0] == title
    assert project.landed()[b"rest/text"] == b"s\n"


def test_a_red_change_is_kicked_back_and_the_one_above_it_merges_without_it(
    project: Project,
) -> None:
    project.queue("a-red", {"one/text": "a\nb\nc\nd\nbug\n"})
    project.queue("b-good", {"one/text": "A\nb\nc\nd\ne\n"})
    ran = project.run()
    assert ran.status == 0
    assert ran.last()["a-red"]["code"] == "KICK_RED"
    assert ran.last()["b-good"]["kind"] == "merged"
    assert project.landed()[b"one/text"] == b"A\nb\nc\nd\ne\n"


def test_in_a_run_a_reason_stands_in_the_line_on_what_became_of_the_change_alone(
    project: Project,
) -> None:
    project.queue("red", {"one/text": "bug\n"})
    said = [line for line in project.run().err.splitlines() if line.startswith("red: ")]
    assert [line.split(", ")[0] for line in said if "KICK_RED" in line] == [
        "red: is to be kicked back",
        "red: kicked back",
    ]
    assert ["exit status" in line for line in said if "KICK_RED" in line] == [False, True]


def test_where_nobody_would_commit_the_merges_nothing_is_gated_and_nobody_kicked_back(
    project: Project,
) -> None:
    project.queue("red", {"one/text": "bug\n"})
    ran = run_program(project.clone, "run")
    assert (ran.status, "MQ3010" in ran.err) == (1, True)
    assert not [event for event in ran.events if event["kind"] == "gate"]
    assert not [ref for ref in project.playground.refs() if "/state/" in ref]


def test_what_became_of_all_is_said_once_where_one_pass_did_everything(project: Project) -> None:
    project.queue("good", {"one/text": "A\nb\nc\nd\ne\n"})
    lines = project.run().err.splitlines()
    assert lines.count("1 merged, 0 kicked back, 0 waiting") == 1


def test_a_kicked_change_stays_out_until_it_is_pushed_or_requeued(project: Project) -> None:
    project.queue("red", {"one/text": "bug\n"})
    assert project.run().last()["red"]["kind"] == "kicked"
    again = project.run()
    assert again.last() == {}
    requeued = run_program(project.clone, "requeue", "red")
    assert requeued.status == 0
    assert project.run().last()["red"]["kind"] == "kicked"
    project.queue("red", {"one/text": "fixed\n"})
    assert project.run().last()["red"]["kind"] == "merged"


def test_a_change_red_only_because_the_base_is_waits_and_is_not_blamed(
    playground: Playground,
) -> None:
    project = make_project(playground, {"two/old": "bug\n"})
    project.queue("innocent", {"two/text": "A\nb\nc\nd\ne\n"})
    ran = project.run()
    assert ran.status == 0
    assert ran.last()["innocent"]["code"] == "WAIT_BASE_RED"
    assert "refs/heads/mq/squash/innocent" in project.playground.refs()


def test_a_stack_of_squashed_changes_lands_in_order_and_its_deleted_line_stays_deleted(
    project: Project,
) -> None:
    lower = project.queue("lower", {"one/text": "a\nb\nnew\nc\nd\ne\n"})
    project.queue("upper", {"one/text": "a\nb\nc\nd\ne\n", "one/more": "m\n"}, on=(lower,))
    ran = project.run()
    assert [e["change"] for e in ran.events if e["kind"] == "merged"] == ["lower", "upper"]
    assert project.landed()[b"one/text"] == b"a\nb\nc\nd\ne\n"
    assert project.landed()[b"one/more"] == b"m\n"


def test_a_conflict_with_a_change_ahead_waits_for_it_and_is_the_authors_once_it_has_merged(
    project: Project,
) -> None:
    project.queue("a-first", {"one/text": "1\nb\nc\nd\ne\n"})
    project.queue("b-second", {"one/text": "2\nb\nc\nd\ne\n"})
    ran = project.run()
    told = [
        (e["kind"], e["code"]) for e in ran.events if e.get("change") == "b-second" and "code" in e
    ]
    assert ("waiting", "WAIT_CONFLICT_AHEAD") in told
    assert told[-1] == ("kicked", "KICK_CONFLICT")


def test_a_red_batch_is_halved_until_the_one_that_broke_it_is_found(project: Project) -> None:
    for number in range(5):
        content = "bug\n" if number == 2 else "fine\n"
        project.queue(f"c{number}", {f"one/file{number}": content})
    ran = project.run("--batch", "8")
    assert ran.status == 0
    assert {c: e["kind"] for c, e in ran.last().items()} == {
        "c0": "merged",
        "c1": "merged",
        "c2": "kicked",
        "c3": "merged",
        "c4": "merged",
    }
    gates = [e for e in ran.events if e["kind"] == "gate"]
    assert gates[0]["changes"] == ["c0", "c1", "c2", "c3", "c4"]


def open_project(playground: Playground) -> tuple[Project, Path]:
    """Return a project whose gates may write to a folder outside of their box, and the folder."""
    seen = playground.folder / "seen"
    seen.mkdir()
    settings = f'{CONFIGURATION}[sandbox]\nallow = ["write:{seen}"]\n'
    return make_project(playground, {"mergequeue.toml": settings}), seen


def test_a_run_that_is_stopped_goes_on_from_where_it_was(playground: Playground) -> None:
    project, seen = open_project(playground)
    project.queue("a-quick", {"one/text": "A\nb\nc\nd\ne\n"})
    project.queue("b-slow", {"two/text": "A\nb\nc\nd\ne\n"})
    waits = seen / "started"
    gate = f'sh -c \'case "$0" in two) : >"{waits}"; exec sleep 60;; esac\' '
    program = start_program(project.clone, "run", "--committer", "Q <q@e.invalid>", "--gate", gate)
    _await(waits, project)
    program.send_signal(signal.SIGTERM)
    program.communicate(timeout=60)
    assert program.returncode == 130
    assert project.landed()[b"one/text"] == b"A\nb\nc\nd\ne\n"
    assert project.run().last()["b-slow"]["kind"] == "merged"
    assert len(project.playground.log("refs/heads/main")) == 3


def _await(path: Path, project: Project) -> None:
    """Wait until the slow gate has started and the quick change has merged."""
    until = time.monotonic() + 60
    while not path.exists() or "refs/heads/mq/squash/a-quick" in project.playground.refs():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_watch_takes_changes_as_they_arrive(project: Project) -> None:
    program = start_program(
        project.clone, "run", "--watch", "--interval", "0.1", "--committer", "Q <q@e.invalid>"
    )
    assert program.stdout is not None
    try:
        for name in ("first", "second"):
            project.queue(name, {f"one/{name}": "n\n"})
            for line in program.stdout:
                if json.loads(line)["kind"] == "merged":
                    break
            assert f"one/{name}".encode() in project.landed()
    finally:
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=60)


def test_a_change_that_only_renames_can_merge_lands_directly_and_says_so(
    playground: Playground,
) -> None:
    lines = [f"line {number}\n" for number in range(20)]
    project = make_project(playground, {"one/old": "".join(lines)})
    renamed = ["first\n", *lines[1:]]
    moved = {"one/old": None, "one/new": "".join(renamed)}
    playground.branch("main", playground.commit(moved, parents=project.base))
    project.queue("edit", {"one/old": "".join([*lines[:18], "edited\n", lines[19]])})
    ran = project.run()
    assert ran.last()["edit"]["kind"] == "merged"
    assert any(e["kind"] == "resolved" and e["change"] == "edit" for e in ran.events)
    assert project.landed()[b"one/new"].decode() == "".join(
        [*renamed[:18], "edited\n", renamed[19]]
    )
    assert b"one/old" not in project.landed()


_WATCH = ("--watch", "--interval", "0.05", "--committer", "Q <q@example.invalid>")


def test_a_watch_sees_what_is_pushed_while_its_last_pass_runs(playground: Playground) -> None:
    project, seen = open_project(playground)
    started, go = seen / "started", seen / "go"
    project.queue("waits", {"one/text": "A\n"})
    gate = f'sh -c \': >"{started}"; until [ -e "{go}" ]; do sleep 0.05; done; exit 1\''
    program = start_program(project.clone, "run", *_WATCH, "--gate", gate)
    watchdog = threading.Timer(60, program.kill)
    watchdog.start()
    assert program.stdout is not None
    try:
        while not started.exists():
            assert program.poll() is None
            time.sleep(0.02)
        project.queue("late", {"one/text": "B\n"})
        go.touch()
        assert any(json.loads(line).get("change") == "late" for line in program.stdout)
    finally:
        watchdog.cancel()
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=60)


def test_a_watch_with_nothing_to_do_says_nothing(project: Project) -> None:
    program = start_program(project.clone, "run", *_WATCH)
    assert program.stdout is not None
    try:
        assert json.loads(program.stdout.readline())["reason"] == "nothing is queued"
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired):
            program.communicate(timeout=1)
        program.send_signal(signal.SIGINT)
        rest, _ = program.communicate(timeout=60)
    assert rest == b""


def test_each_pass_tells_its_news_and_the_end_tells_all(project: Project) -> None:
    project.queue("a-first", {"one/text": "1\nb\nc\nd\ne\n"})
    project.queue("b-second", {"one/text": "2\nb\nc\nd\ne\n"})
    ran = project.run()
    table = [
        line.split()[:2]
        for line in ran.err.splitlines()
        if line.startswith(("a-first ", "b-second "))
    ]
    first, second, last = table[:2], table[2:3], table[3:]
    assert sorted(first) == [["a-first", "merged"], ["b-second", "waits"]]
    assert second == [["b-second", "kicked"]]
    assert sorted(last) == [["a-first", "merged"], ["b-second", "kicked"]]


def test_a_change_that_changes_nothing_is_refused(project: Project) -> None:
    project.queue("empty", {})
    ran = project.run()
    assert ran.last()["empty"]["code"] == "KICK_REFUSED"


def test_without_a_gate_nothing_runs(playground: Playground) -> None:
    project = make_project(playground, {"mergequeue.toml": "[queue]\n"})
    project.queue("it", {"one/text": "A\n"})
    ran = project.run()
    assert ran.status == 2
    assert "MQ1012" in ran.err
    assert "refs/mergequeue/state/main" not in project.playground.refs()


def test_without_a_configuration_everything_is_one_unit(playground: Playground) -> None:
    base = playground.commit({"a": "a\n", "b": "b\n"})
    playground.branch("main", base)
    project = Project(playground, playground.clone(), base)
    project.queue("one", {"a": "1\n"})
    project.queue("two", {"b": "2\n"})
    ran = project.run("--gate", "test")
    assert ran.status == 0
    assert next(e["changes"] for e in ran.events if e["kind"] == "partition") == ["one", "two"]
    assert {e["kind"] for e in ran.last().values()} == {"merged"}


def test_hostile_names_land_as_they_are(project: Project) -> None:
    names: list[bytes] = [
        b"one/tab\there",
        b"one/line\nbreak",
        b'one/"quoted"',
        b"one/--gate=x",
        b"one/-n",
        b"one/ leading",
        "one/\u00e9".encode(),
        "one/e\u0301".encode(),
        "one/\u200frtl".encode(),
        b"one/\xff\xfe",
    ]
    project.queue("names", dict.fromkeys(names, "n\n"))
    ran = project.run("--gate", "true")
    assert ran.last()["names"]["kind"] == "merged"
    assert set(names) <= set(project.landed())
