"""A Ctrl-C that comes while the program is still loading."""

import signal
import subprocess
import sys

LOADING = """
import os, runpy, signal, sys

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "mergequeue.cli":
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.{before})
sys.meta_path.insert(0, Interrupts())
sys.argv = ["mergequeue", "--version"]
runpy.run_module("mergequeue", run_name="__main__")
"""


def run(before: str) -> subprocess.CompletedProcess[bytes]:
    program = LOADING.format(before=before)
    return subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, check=False, timeout=60
    )


def test_it_just_ends() -> None:
    ended = run("default_int_handler")
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, b"", b"")


def test_whoever_started_it_so_that_it_ignores_one_has_it_ignored() -> None:
    ended = run("SIG_IGN")
    assert ended.returncode == 0
    assert ended.stdout.startswith(b"mergequeue")
