"""What is read has a limit: no change's bytes fill the memory or the disk of whoever reads them."""

import subprocess
import sys
from pathlib import Path

from mergequeue.vocabulary import limits
from tests.support.programs import PROGRAM, environ, make_project, run_program
from tests.support.repositories import Playground

MEBIBYTE = 1024 * 1024
FLOOD = 112
"""How many MiB a gate prints, in one line."""


MEASURE = """
import os, subprocess, sys
nowhere = subprocess.DEVNULL
started = subprocess.Popen(sys.argv[1:], stdin=nowhere, stdout=nowhere, stderr=nowhere)
_, status, used = os.wait4(started.pid, 0)
print(os.waitstatus_to_exitcode(status), used.ru_maxrss // 1024)
"""


def memory_of(folder: Path, *words: str) -> tuple[int, int]:
    """Return how the program ended, and how many MiB it held at most; what it says is dropped.

    A small process starts it: the system counts what whoever starts a process holds as the
    process's own, and a worker of the tests holds a lot.
    """
    ran = subprocess.run(
        [sys.executable, "-I", "-c", MEASURE, *PROGRAM, *words],
        cwd=folder,
        env=environ(),
        check=True,
        capture_output=True,
        text=True,
    )
    status, held = ran.stdout.split()
    return int(status), int(held)


def test_a_gate_that_prints_one_line_without_end_fills_no_memory(playground: Playground) -> None:
    gate = f"head -c {FLOOD * MEBIBYTE} /dev/zero | tr '\\0' x; exit 1\n"
    project = make_project(playground, {"gate": gate})
    project.queue("it", {"one/new": "n\n"})
    status, held = memory_of(project.clone, "run", "--committer", "Q <q@example.invalid>")
    assert status == 0
    assert held < FLOOD
    shown = run_program(project.clone, "status", "it")
    assert "exit status 1" in shown.out
    assert len(shown.out) < limits.CLAIM_BYTES * 4
