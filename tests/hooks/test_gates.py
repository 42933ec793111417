"""What the end of a gate means (seed 1, Hooks on each candidate; facts H2-H6)."""

import os
import threading
from pathlib import Path

import pytest

from mergequeue.hooks.environment import ScratchVariable
from mergequeue.hooks.leash import Graces
from mergequeue.ports import GateResult
from mergequeue.vocabulary.errors import HOOK_NOT_STARTED, QueueError
from tests.support.hooks import LONG, Bench, SteppingClock, make_box


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(make_box(tmp_path))


def test_exit_0_is_green(bench: Bench) -> None:
    end = bench.sh("echo fine")
    assert (end.result, end.summary) == (GateResult.GREEN, "")
    assert bench.shown.lines == ["[tag] fine"]


@pytest.mark.parametrize("status", [1, 2, 74, 76, 126, 127, 255])
def test_another_exit_status_is_red(bench: Bench, status: int) -> None:
    end = bench.sh(f"exit {status}")
    assert (end.result, end.summary) == (GateResult.RED, f"exit status {status}")


@pytest.mark.parametrize("name", ["KILL", "TERM", "SEGV", "HUP"])
def test_death_by_a_signal_is_red_and_names_it(bench: Bench, name: str) -> None:
    end = bench.sh(f"kill -{name} $$; while :; do :; done")
    assert (end.result, end.summary) == (GateResult.RED, f"killed by SIG{name}")


def test_a_signal_without_a_name_is_red_too(bench: Bench) -> None:
    end = bench.sh("kill -40 $$; while :; do :; done")
    assert (end.result, end.summary) == (GateResult.RED, "killed by signal 40")


def test_units_are_appended_as_they_are_and_shown_as_a_person_would_type_them(bench: Bench) -> None:
    gate = bench.program("gate", "#!/bin/sh\nfor word; do printf '<%s>' \"$word\"; done\n")
    units = ("libs/parser", "a b", "$(id)", "--", "x\ny", "ü")
    end = bench.run(gate, "own word", units=units)
    assert bench.shown.lines == ["[tag] <own word><libs/parser><a b><$(id)><--><x", "[tag] y><ü>"]
    assert end.line == "./gate 'own word' libs/parser 'a b' '$(id)' -- 'x\ny' 'ü'"


def test_it_runs_in_the_checkout_without_input(bench: Bench) -> None:
    assert bench.sh("cat; pwd -P").result is GateResult.GREEN
    assert bench.shown.lines == [f"[tag] {os.path.realpath(bench.box.checkout)}"]


def test_it_sees_its_own_folders_and_no_secret(tmp_path: Path) -> None:
    bench = Bench(
        make_box(tmp_path),
        environ={"PATH": os.environ["PATH"], "GITHUB_TOKEN": "secret", "MERGEQUEUE_X": "secret"},
        scratch_env=(ScratchVariable("GOCACHE", "go/build"),),
    )
    end = bench.sh(
        'env; echo x >"$TMPDIR/a" && echo x >"$GOCACHE/a" && echo x >"$HOME/a" '
        '&& test "$(ls -ld "$XDG_RUNTIME_DIR" | cut -c1-10)" = drwx------'
    )
    assert end.result is GateResult.GREEN
    assert not [line for line in bench.shown.lines if "secret" in line]
    assert (tmp_path / "scratch" / "go" / "build" / "a").exists()
    assert (tmp_path / "home" / "a").exists()


def test_git_works_in_a_hook_whatever_the_machine_is_configured_to(bench: Bench) -> None:
    Path(bench.box.home, ".gitconfig").write_text("broken [")
    script = "git init -q . && git -c user.name=a -c user.email=b commit -q --allow-empty -m c"
    assert bench.sh(script).result is GateResult.GREEN


# --- exit 75 ---------------------------------------------------------------------------------


BUSY_FOR_A_WHILE = 'echo x >>"$HOME/tries"; [ "$(wc -l <"$HOME/tries")" -ge "$1" ] || exit 75'


@pytest.mark.parametrize(("good", "slept"), [(1, []), (2, [5.0]), (3, [5.0, 5.0])])
def test_a_busy_gate_is_tried_again(bench: Bench, good: int, slept: list[float]) -> None:
    end = bench.sh(BUSY_FOR_A_WHILE, str(good))
    assert end.result is GateResult.GREEN
    assert bench.clock.slept == slept
    assert end.duration_ms == sum(slept) * 1000


def test_busy_three_times_running_is_red(bench: Bench) -> None:
    end = bench.sh(BUSY_FOR_A_WHILE, "9")
    assert (end.result, end.summary) == (
        GateResult.RED,
        "busy (exit status 75) three times running",
    )
    assert Path(bench.box.home, "tries").read_text() == "x\n" * 3


def test_a_busy_gate_that_is_cancelled_while_it_waits_is_not_tried_again(tmp_path: Path) -> None:
    clock = SteppingClock()
    bench = Bench(make_box(tmp_path), clock=clock)
    gates = bench.gates("sh", "-c", BUSY_FOR_A_WHILE, "sh", "9")
    clock.while_sleeping = lambda: gates.cancel_tag("tag")
    assert gates.run(bench.ask()).result is GateResult.CANCELLED
    assert Path(bench.box.home, "tries").read_text() == "x\n"


# --- what cannot start -----------------------------------------------------------------------


def refusal(bench: Bench, *words: str, units: tuple[str, ...] = ()) -> str:
    with pytest.raises(QueueError) as refused:
        bench.run(*words, units=units)
    assert refused.value.code == HOOK_NOT_STARTED.code
    return refused.value.problem


def test_a_program_that_does_not_exist_is_the_machines_fault(bench: Bench) -> None:
    assert "no-such-program" in refusal(bench, "no-such-program")
    assert "No such file" in refusal(bench, "./no/such/program")


def test_a_program_that_may_not_run_is_the_machines_fault(bench: Bench) -> None:
    assert "ermission denied" in refusal(bench, bench.program("gate", "#!/bin/sh\n", mode=0o644))
    assert "ermission denied" in refusal(bench, "./")


def test_a_script_whose_interpreter_is_missing_is_the_machines_fault(bench: Bench) -> None:
    assert "interpreter" in refusal(bench, bench.program("gate", "#!/no/such/interpreter\n"))


def test_a_script_without_an_interpreter_is_not_read_by_a_shell(bench: Bench) -> None:
    assert "format" in refusal(bench, bench.program("gate", "exit 0\n"))
    assert "format" in refusal(bench, bench.program("empty", ""))


def test_a_missing_checkout_is_the_machines_fault(bench: Bench) -> None:
    Path(bench.box.checkout).rmdir()
    assert "checkout" in refusal(bench, "sh", "-c", "exit 0")


def test_a_unit_that_no_argument_can_hold_is_never_red(bench: Bench) -> None:
    assert "null byte" in refusal(bench, "true", units=("a\0b",))


def test_more_units_than_a_command_line_holds_are_never_red(bench: Bench) -> None:
    assert "too long" in refusal(bench, "true", units=("x" * 100,) * 100_000)


# --- which program runs ----------------------------------------------------------------------


def test_a_name_with_a_slash_is_a_path_from_the_checkout(bench: Bench) -> None:
    Path(bench.box.checkout, "ci").mkdir()
    bench.program("ci/gate", '#!/bin/sh\necho "$0" "$1"\n')
    assert bench.run("ci/gate", units=("unit",)).result is GateResult.GREEN
    assert bench.shown.lines == [f"[tag] {bench.box.checkout}/ci/gate unit"]


@pytest.mark.parametrize("path", ["", ".", ":", "ci", ".:{}", "{}:", "{}::."])
def test_a_checkout_cannot_plant_the_program(tmp_path: Path, path: str) -> None:
    bench = Bench(make_box(tmp_path), environ={"PATH": path.format(tmp_path)})
    Path(bench.box.checkout, "ci").mkdir()
    for name in ("planted", "ci/planted"):
        bench.program(name, "#!/bin/sh\nexit 0\n")
    refusal(bench, "planted")


def test_what_a_hook_starts_is_not_looked_for_in_the_checkout_either(tmp_path: Path) -> None:
    bench = Bench(make_box(tmp_path), environ={"PATH": f".:{os.environ['PATH']}:"})
    bench.program("planted", "#!/bin/sh\nexit 0\n")
    assert bench.sh("planted").summary == "exit status 127"


# --- cancelling ------------------------------------------------------------------------------


class Running:
    """A gate that runs on a thread of its own."""

    def __init__(self, bench: Bench, script: str, tag: str = "tag") -> None:
        self.gates = bench.gates("sh", "-c", script)
        self._bench = bench
        self._tag = tag
        self._ends: list[GateResult] = []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        self._ends.append(self.gates.run(self._bench.ask(self._tag)).result)

    def end(self) -> GateResult:
        self._thread.join(LONG)
        return self._ends[0]


def test_a_cancelled_gate_gets_sigterm_and_is_never_green(bench: Bench) -> None:
    running = Running(
        bench, 'trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.01; done'
    )
    bench.shown.wait_for("[tag] ready")
    running.gates.cancel()
    assert running.end() is GateResult.CANCELLED
    assert "[tag] bye" in bench.shown.lines  # sh may tell of the sleep that was ended, too


def test_a_gate_that_ignores_sigterm_is_killed_after_the_grace(tmp_path: Path) -> None:
    bench = Bench(make_box(tmp_path), graces=Graces(term=0.05, output=LONG))
    running = Running(bench, 'trap "" TERM; echo ready; while :; do sleep 0.01; done')
    bench.shown.wait_for("[tag] ready")
    running.gates.cancel()
    assert running.end() is GateResult.CANCELLED


def test_a_gate_started_after_the_queue_was_cancelled_does_not_run(bench: Bench) -> None:
    gates = bench.gates("sh", "-c", "echo started")
    gates.cancel()
    assert gates.run(bench.ask()).result is GateResult.CANCELLED
    assert bench.shown.lines == []


def test_cancelling_one_tag_leaves_the_other_gates_running(bench: Bench, tmp_path: Path) -> None:
    go = tmp_path / "go"
    os.mkfifo(go)
    gates = bench.gates("sh", "-c", f'echo ready; read -r line <"{go}"; exit 0')
    ends: dict[str, GateResult] = {}

    def run(tag: str) -> None:
        ends[tag] = gates.run(bench.ask(tag)).result

    threads = [threading.Thread(target=run, args=(tag,)) for tag in ("one", "other")]
    for thread in threads:
        thread.start()
    for tag in ("one", "other"):
        bench.shown.wait_for(f"[{tag}] ready")
    gates.cancel_tag("one")
    threads[0].join(LONG)
    go.write_text("go\n")
    threads[1].join(LONG)
    assert ends == {"one": GateResult.CANCELLED, "other": GateResult.GREEN}
