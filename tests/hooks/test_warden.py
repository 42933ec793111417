"""The warden changes nothing of how a hook starts, runs and ends, but that nothing outlives it."""

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from mergequeue.hooks.landlock import Access
from mergequeue.hooks.leash import Graces
from mergequeue.hooks.policy import Asked, Grant
from mergequeue.ports import GateResult
from mergequeue.vocabulary.errors import HOOK_NOT_STARTED, PROGRAM_REFUSED, QueueError
from tests.support.hooks import LONG, Bench, Lifeline, confining, make_box, needs_landlock

linux = pytest.mark.skipif(sys.platform != "linux", reason="there is a warden on Linux alone")
pytestmark = linux

DAEMON = '(setsid sh -c \'{ exec 9>"$0"; printf x >&9; exec sleep 1000; } &\' "$1" &) ; '
WAITS = 'while ! [ -e "$2" ]; do sleep 0.01; done; '


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    allow = (Grant(str(tmp_path), Access.READ | Access.WRITE),)
    return Bench(make_box(tmp_path / "box"), sandbox=confining(Asked(allow=allow)))


@pytest.mark.parametrize("status", [0, 1, 3, 127, 255])
def test_an_exit_status_is_the_hooks_own(bench: Bench, status: int) -> None:
    end = bench.sh(f"exit {status}")
    assert end.summary == (f"exit status {status}" if status else "")


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGSEGV", "SIGPIPE", "SIGUSR1"])
def test_a_signal_that_ends_a_hook_is_told_as_that_signal(bench: Bench, name: str) -> None:
    end = bench.sh(f"kill -{int(signal.Signals[name])} $$")
    assert (end.result, end.summary) == (GateResult.RED, f"killed by {name}")


def test_a_hook_has_the_usual_handling_of_signals(bench: Bench) -> None:
    before = signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    try:
        end = bench.sh("yes | head -1 > /dev/null; grep -E 'Sig(Blk|Ign)' /proc/self/status")
    finally:
        signal.signal(signal.SIGQUIT, before)
    assert end.result is GateResult.GREEN
    masks = {line.split()[1].rstrip(":"): line.split()[2] for line in bench.shown.lines}
    assert {name: int(mask, 16) for name, mask in masks.items()} == {"SigBlk": 0, "SigIgn": 0}


@pytest.mark.parametrize("status", [0, 3])
def test_a_process_that_left_the_hooks_group_and_session_is_gone_at_its_end(
    bench: Bench, tmp_path: Path, status: int
) -> None:
    lifeline, held = Lifeline(tmp_path / "lifeline"), tmp_path / "held"
    daemon = DAEMON.replace("printf x >&9", f"printf x >&9; : > {held}")
    end = bench.sh(f"{daemon}{WAITS} exit {status}", lifeline.path, str(held))
    assert end.summary == (f"exit status {status}" if status else "")
    assert lifeline.held_until_now() == 1


def test_what_a_cancelled_hook_left_its_group_with_is_gone(bench: Bench, tmp_path: Path) -> None:
    lifeline, held = Lifeline(tmp_path / "lifeline"), tmp_path / "held"
    daemon = DAEMON.replace("printf x >&9", f"printf x >&9; : > {held}")
    script = f"trap '' TERM; {daemon}{WAITS} echo up; sleep 1000"
    bench.graces = Graces(term=0, output=LONG)
    gates = bench.gates("sh", "-c", script, "sh", lifeline.path, str(held))

    def cancel() -> None:
        bench.shown.wait_for("[tag] up")
        gates.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    assert gates.run(bench.ask()).result is GateResult.CANCELLED
    canceller.join()
    assert lifeline.held_until_now() == 1


QUEUE = """
import os, sys
from pathlib import Path
sys.path[:0] = sys.argv[1:2]
from tests.support.hooks import Bench, UNCONFINED, make_box
bench = Bench(make_box(Path(sys.argv[2])), sandbox=UNCONFINED)
bench.sh("exec 9>\\"$1\\"; printf x >&9; echo up; sleep 1000", sys.argv[3])
"""


def test_a_hook_whose_queue_was_killed_is_gone(tmp_path: Path) -> None:
    lifeline = Lifeline(tmp_path / "lifeline")
    project = str(Path(__file__).parents[2])
    words = [sys.executable, "-c", QUEUE, project, str(tmp_path / "box"), lifeline.path]
    with subprocess.Popen(words) as queue:
        lifeline.wait_for_one()
        queue.kill()
    assert lifeline.held_until_now() == 1


NOT_STARTED = {
    "missing": ("./missing", None, 0o755, HOOK_NOT_STARTED, "No such file"),
    "not executable": ("./program", "#!/bin/sh\n", 0o644, HOOK_NOT_STARTED, "Permission denied"),
    "no interpreter": ("./program", "#!/no/such\n", 0o755, HOOK_NOT_STARTED, "does not exist"),
    "no program": ("./program", "echo\n", 0o755, HOOK_NOT_STARTED, "Exec format"),
    "not on PATH": ("no-such-program", None, 0o755, HOOK_NOT_STARTED, "is no program on PATH"),
}


@pytest.mark.parametrize(
    ("name", "content", "mode", "kind", "why"), NOT_STARTED.values(), ids=NOT_STARTED
)
def test_a_hook_that_cannot_start_says_why_and_is_no_red(
    bench: Bench, name: str, content: str | None, mode: int, kind: object, why: str
) -> None:
    if content is not None:
        bench.program("program", content, mode)
    with pytest.raises(QueueError) as failed:
        bench.run(name)
    assert failed.value.code == HOOK_NOT_STARTED.code
    assert kind is HOOK_NOT_STARTED
    assert why in failed.value.problem


def test_a_box_that_is_gone_starts_nothing(bench: Bench) -> None:
    command = bench.surroundings().command(bench.box, ("true",), "tag")
    Path(bench.box.home).rename(bench.box.home + "-moved")
    Path(bench.box.home).symlink_to("/root")
    gates = bench.gates("true")
    assert command.held.own[1] == bench.box.home
    with pytest.raises(QueueError) as failed:
        gates.run(bench.ask())
    assert failed.value.code == HOOK_NOT_STARTED.code


@pytest.mark.parametrize("how", ["its path", "a link in the checkout", "a climbing path"])
def test_a_program_outside_of_what_may_be_run_is_refused_with_or_without_landlock(
    tmp_path: Path, how: str
) -> None:
    program = tmp_path / "elsewhere"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for sandbox in (confining(), replace(confining(), abi=0)):
        bench = Bench(make_box(tmp_path / f"box{sandbox.abi}"), sandbox=sandbox)
        link = Path(bench.box.checkout) / "link"
        link.symlink_to(program)
        named = {"its path": str(program), "a link in the checkout": "./link"}
        with pytest.raises(QueueError) as refused:
            bench.run(named.get(how, "../../elsewhere"))
        assert refused.value.code == PROGRAM_REFUSED.code
    allowed = confining(Asked(allow=(Grant(str(program), Access.READ | Access.RUN),)))
    bench = Bench(make_box(tmp_path / "allowed"), sandbox=allowed)
    assert bench.run(str(program)).result is GateResult.GREEN


@needs_landlock
def test_an_interpreter_that_may_not_be_run_is_the_programs_own_fault_and_no_red(
    tmp_path: Path,
) -> None:
    bench = Bench(make_box(tmp_path / "box"), sandbox=confining())
    shell = tmp_path / "sh"
    shell.write_bytes(Path("/bin/sh").read_bytes())
    shell.chmod(0o755)
    with pytest.raises(QueueError) as refused:
        bench.run(bench.program("gate", f"#!{shell}\n"))
    assert refused.value.code == PROGRAM_REFUSED.code


@needs_landlock
def test_a_hook_reads_writes_moves_and_runs_in_its_own_folders(tmp_path: Path) -> None:
    bench = Bench(make_box(tmp_path), sandbox=confining())
    script = """
        set -e
        for place in . "$HOME" "$TMPDIR"; do
            mkdir "$place/a" "$place/b"
            printf '#!/bin/sh\\necho ran\\n' > "$place/a/x"
            chmod 755 "$place/a/x"
            mv "$place/a/x" "$place/b/y"
            ln "$place/b/y" "$place/a/z"
            "$place/a/z" > "$place/said"
            mkfifo "$place/pipe"
            rm -r "$place/b"
        done
        echo gone > /dev/null
        mv a "$HOME/c"
    """
    assert bench.sh(script).summary == ""


def test_a_hook_is_told_its_mode_and_gets_what_the_base_passes(tmp_path: Path) -> None:
    asked = Asked(passthrough=("CI", "HTTPS_PROXY"))
    bench = Bench(
        make_box(tmp_path),
        environ={"PATH": os.environ["PATH"], "CI": "true", "GITHUB_TOKEN": "secret"},
        sandbox=confining(asked),
    )
    bench.given = {"OF_THE_QUEUE": "own"}
    script = "import json, os; print(json.dumps(dict(os.environ)))"
    bench.run("python3", "-c", script)
    found = json.loads(bench.shown.lines[-1].removeprefix("[tag] "))
    assert found["MERGEQUEUE_SANDBOX"] == "best-effort"
    assert (found["CI"], found["OF_THE_QUEUE"]) == ("true", "own")
    assert not {"GITHUB_TOKEN", "HTTPS_PROXY"} & set(found)


KEEPER = """
import json, marshal, os, sys
sys.path[:0] = sys.argv[1:2]
from mergequeue.hooks import warden
from mergequeue.hooks.confinement import confinement_of, plan_of
from tests.support.hooks import confining, make_box
from pathlib import Path
box = make_box(Path(sys.argv[2]))
plan = marshal.loads(plan_of(confinement_of(confining(), box), "/bin/true", (), {}, os.getppid()))
alone = warden._keep_signals_inside(plan["outer"], os.getppid())
lines, held = os.pipe()
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
            os.write(held, b"x")
            for _ in range(2000):
                if os.fork():
                    os._exit(0)
        os._exit(0)
os.close(held)
os.rename(box.home, os.path.join(box.scratch, "moved"))
warden._prctl(36, 1)
while os.read(lines, 1) != b"x":
    pass
if alone:
    warden._kill_what_is_left(alone)
while os.read(lines, 1):
    pass
print(json.dumps(alone))
"""


@needs_landlock
def test_all_that_a_hook_started_is_killed_at_once_and_nothing_else(tmp_path: Path) -> None:
    project = str(Path(__file__).parents[2])
    with subprocess.Popen(["sleep", "1000"]) as beside:
        words = [sys.executable, "-c", KEEPER, project, str(tmp_path / "box")]
        ran = subprocess.run(words, capture_output=True, check=False, start_new_session=True)
        assert beside.poll() is None
        beside.kill()
    assert json.loads(ran.stdout), ran.stderr
