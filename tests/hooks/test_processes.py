"""Nothing of a hook's group outlives it, and nothing a hook does hangs the queue (H4, H7)."""

import contextlib
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from mergequeue.hooks.leash import Graces, Leash
from mergequeue.hooks.process import run_hook
from mergequeue.ports import GateResult
from tests.support.hooks import LONG, Bench, Lifeline, make_box

LEAVES_ITS_GROUP = """
import os, sys, time
reading, writing = os.pipe()
if os.fork():
    os.close(writing)
    os.read(reading, 1)
    print("leaving")
    sys.exit(0)
os.setsid()
with open(sys.argv[1], "w") as file:
    file.write(str(os.getpid()))
os.write(writing, b"x")
while True:
    {does}
"""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(make_box(tmp_path))


@pytest.fixture
def lifeline(tmp_path: Path) -> Lifeline:
    return Lifeline(tmp_path / "lifeline")


HOLDS = '{ exec 9>"$1"; printf x >&9; kill -USR1 $$; exec sleep 1000; } & '
WAIT_FOR_ONE = "trap 'held=1' USR1; held=; " + HOLDS + 'while [ -z "$held" ]; do sleep 0.01; done; '


@pytest.mark.parametrize("status", [0, 3])
def test_what_a_hook_leaves_in_the_background_is_killed(
    bench: Bench, lifeline: Lifeline, status: int
) -> None:
    bench.sh(f"{WAIT_FOR_ONE} exit {status}", lifeline.path)
    assert lifeline.held_until_now() == 1


def test_what_a_killed_hook_leaves_in_the_background_is_killed(
    bench: Bench, lifeline: Lifeline
) -> None:
    assert bench.sh(f"{WAIT_FOR_ONE} kill -KILL $$", lifeline.path).result is GateResult.RED
    assert lifeline.held_until_now() == 1


def test_background_processes_that_ignore_every_signal_are_killed(
    bench: Bench, lifeline: Lifeline
) -> None:
    assert (
        bench.sh(f"trap '' TERM HUP INT; {WAIT_FOR_ONE} exit 0", lifeline.path).result
        is GateResult.GREEN
    )
    assert lifeline.held_until_now() == 1


def test_a_hook_that_forks_without_end_is_stopped_whole(bench: Bench, lifeline: Lifeline) -> None:
    script = """
        exec 9>"$1"
        i=0
        while [ $i -lt 60 ]; do
            { printf x >&9; sleep 1000 & sleep 1000 & wait; } &
            i=$((i + 1))
        done
        exit 0
    """
    assert bench.sh(script, lifeline.path).result is GateResult.GREEN
    assert lifeline.held_until_now() <= 60


def test_a_background_process_that_holds_the_output_hangs_nothing(bench: Bench) -> None:
    end = bench.sh("sleep 1000 & echo done")
    assert end.result is GateResult.GREEN
    assert bench.shown.lines == ["[tag] done"]


@pytest.mark.parametrize("does", ["time.sleep(1)", "print('still here', flush=True)"])
def test_output_held_open_outside_the_group_is_given_up_after_a_grace(
    tmp_path: Path, does: str
) -> None:
    bench = Bench(make_box(tmp_path), graces=Graces(term=LONG, output=0.05))
    pid = tmp_path / "pid"
    try:
        end = bench.run(sys.executable, "-c", LEAVES_ITS_GROUP.format(does=does), str(pid))
        assert end.result is GateResult.GREEN
        assert "[tag] leaving" in bench.shown.lines
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid.read_text()), signal.SIGKILL)


def test_a_hook_that_writes_much_to_stderr_first_does_not_hang(bench: Bench) -> None:
    script = "head -c 200000 /dev/zero | tr '\\0' e >&2; head -c 200000 /dev/zero | tr '\\0' o"
    assert bench.sh(script).result is GateResult.GREEN
    shown = "".join(line.removeprefix("[tag] ") for line in bench.shown.lines)
    assert (shown.count("e"), shown.count("o"), len(shown)) == (200_000, 200_000, 400_000)


def test_a_hook_that_closes_its_output_is_waited_for(bench: Bench, tmp_path: Path) -> None:
    go = tmp_path / "go"
    os.mkfifo(go)
    release = threading.Thread(target=go.write_text, args=("go\n",))
    release.start()
    assert bench.sh('exec >&- 2>&-; read -r line <"$1"; exit 3', str(go)).summary == "exit status 3"
    release.join()


def test_binary_output_and_a_last_line_without_its_end_are_shown(bench: Bench) -> None:
    bench.sh(r"printf 'a\377\033[1mb\r\n\n::set-output::x\n##[error]y\nlast'")
    assert bench.shown.lines == [
        r"[tag] a\xff\x1b[1mb",
        "[tag] ",
        r"[tag] \x3a:set-output::x",
        r"[tag] \x23#[error]y",
        "[tag] last",
    ]


def test_when_lines_cannot_be_shown_nothing_is_left_running(
    tmp_path: Path, lifeline: Lifeline
) -> None:
    bench = Bench(make_box(tmp_path))

    def break_down(line: str) -> None:
        raise OSError(line)

    bench.shown.write = break_down  # type: ignore[method-assign]  # a terminal that went away
    with pytest.raises(OSError, match="hello"):
        bench.sh(f"{WAIT_FOR_ONE} echo hello; sleep 1000", lifeline.path)
    assert lifeline.held_until_now() == 1


def test_a_hook_is_out_of_reach_of_the_queues_terminal(bench: Bench) -> None:
    script = "import os, sys; sys.exit(os.getsid(0) != os.getpid())"
    assert bench.run(sys.executable, "-c", script).result is GateResult.GREEN


def test_a_hook_gets_none_of_the_queues_open_files(bench: Bench, tmp_path: Path) -> None:
    script = "import os, sys; os.fstat(int(sys.argv[1]))"
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)  # noqa: FBT003 (the function takes it so)
        end = bench.run(sys.executable, "-c", script, str(secret.fileno()))
    assert end.result is GateResult.RED


_leaders_were_there: list[bool] = []


def _see_groups_killed(event: str, arguments: tuple[object, ...]) -> None:
    if event == "os.killpg":
        leader = arguments[0]
        assert isinstance(leader, int)
        try:
            os.kill(leader, 0)
        except ProcessLookupError:
            _leaders_were_there.append(False)
        else:
            _leaders_were_there.append(True)


sys.addaudithook(_see_groups_killed)


def test_a_group_is_killed_before_its_leader_is_reaped(bench: Bench) -> None:
    _leaders_were_there.clear()
    for status in range(20):
        bench.sh(f"exit {status}")
    assert len(_leaders_were_there) >= 20
    assert all(_leaders_were_there)


def test_the_number_of_a_group_that_is_gone_is_never_signalled(bench: Bench) -> None:
    leash = Leash("tag", grace=0)
    command = bench.surroundings().command(bench.box, ("sh", "-c", "exit 0"), "tag")
    run_hook(command, leash, bench.shown.write, LONG)
    _leaders_were_there.clear()
    leash.cancel()
    leash.kill()
    assert _leaders_were_there == []
