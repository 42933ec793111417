"""The one module that starts hooks: each in a process group of its own, none of which outlives it.

On Linux a hook is started through the warden, which confines it and takes in what leaves its group;
what is left at its end is dead before its end is seen here. Elsewhere its leader is watched from
beside, without being reaped, and its group is killed before the leader is reaped, since the group's
number can name another hook's group from then on (facts H4). Output that something outside the
group still holds open is waited for only so long (facts H7).
"""

import contextlib
import errno
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from mergequeue.hooks import warden
from mergequeue.hooks.command import Command, HookEnd
from mergequeue.hooks.confinement import plan_of
from mergequeue.hooks.environment import path_folders
from mergequeue.hooks.leash import Leash, watched
from mergequeue.hooks.policy import may_run
from mergequeue.hooks.talk import Talk
from mergequeue.vocabulary.errors import HOOK_NOT_STARTED, PROGRAM_REFUSED, MergequeueError
from mergequeue.vocabulary.text import quoted

_REPORT_BYTES = 4096
_HAS_WARDEN = sys.platform == "linux"


def run_hook(
    command: Command, leash: Leash, write_line: Callable[[str], None], grace: float
) -> HookEnd:
    """Run a hook to its end, hand on each line of its output, and return how it ended.

    Nothing of its process group is left when this returns or raises; on Linux, nothing at all.
    Raises PROGRAM_REFUSED for a program that the policy lets nobody run, and HOOK_NOT_STARTED where
    its program cannot be started; a program that starts is never that, whatever it does.
    """
    program = _program_of(command)
    process = _start(command, program, leash)
    try:
        with selectors.DefaultSelector() as selector, watched(process.pid, leash, grace) as wake:
            talk = Talk(command, leash, write_line, selector)
            talk.read_from(process.stdout, command.captured)
            talk.read_from(process.stderr, None)
            talk.write_to(process.stdin)
            talk.listen(wake)
    finally:
        leash.release()
        status = process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    return HookEnd(status, bytes(talk.captured), talk.overflowed, talk.last_line)


def _start(command: Command, program: str, leash: Leash) -> subprocess.Popen[bytes]:
    if _HAS_WARDEN:
        return _start_through_warden(command, program, leash)
    try:
        process = subprocess.Popen(
            command.words, executable=program, env=command.environ, **_around(command)
        )
    except (OSError, ValueError) as error:
        raise _problem(command, program, error) from error
    leash.hold(process.pid, signal.SIGKILL)
    return process


def _start_through_warden(command: Command, program: str, leash: Leash) -> subprocess.Popen[bytes]:
    plan = plan_of(command.held, program, command.words, command.environ, os.getpid())
    reading, reporting = os.pipe()
    with os.fdopen(reading, "rb") as report, _held_open(plan) as planned:
        words = [sys.executable, "-I", "-S", warden.__file__, str(planned), str(reporting)]
        try:
            process = subprocess.Popen(
                words, env={}, pass_fds=(planned, reporting), **_around(command)
            )
        except OSError as error:
            raise _problem(command, program, error) from error
        finally:
            os.close(reporting)
        leash.hold(process.pid, signal.Signals(warden.KILL))
        told = report.read(_REPORT_BYTES)
    if told != warden.STARTED and not leash.is_stopped():
        leash.release()
        process.communicate()
        raise _told_problem(command, program, told)
    return process


@contextlib.contextmanager
def _held_open(plan: bytes) -> Iterator[int]:
    """Yield a descriptor that the plan is read from; it lies in no folder."""
    with os.fdopen(os.memfd_create("plan"), "wb") as stream:
        stream.write(plan)
        stream.flush()
        stream.seek(0)
        yield stream.fileno()


def _around(command: Command) -> dict[str, Any]:
    """Return what a hook is started with, whatever it is started through."""
    streams: dict[str, int] = {}
    if not command.streams_passed:
        given = subprocess.PIPE if command.given else subprocess.DEVNULL
        streams = {"stdin": given, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return {"cwd": command.folder, "bufsize": 0, "start_new_session": True, **streams}


def _told_problem(command: Command, program: str, told: bytes) -> MergequeueError:
    """Return the error for what the warden says stands in the way: an errno, and at which step."""
    number, _, step = told.decode(errors="replace").partition(" ")
    error: OSError | ValueError = ValueError(step or "what confines it ended before it began")
    if number.isdigit() and int(number):
        error = OSError(int(number), os.strerror(int(number)))
    if step and isinstance(error, OSError):
        why = f"its sandbox cannot be made: {step}: {error.strerror}"
        return HOOK_NOT_STARTED(f"{quoted(command.words[0])} cannot be started: {why}")
    is_denied = isinstance(error, OSError) and error.errno == errno.EACCES
    if is_denied and _may_run(program) and command.held.sandbox.abi:
        return PROGRAM_REFUSED(
            f"{quoted(command.words[0])} names an interpreter that the sandbox does not let run"
        )
    return _problem(command, program, error)


def _problem(command: Command, program: str, error: OSError | ValueError) -> MergequeueError:
    name = quoted(command.words[0])
    why = str(error)
    if isinstance(error, OSError):
        why = error.strerror or why
        if not Path(command.folder).is_dir():
            why = "its checkout is gone"
        elif isinstance(error, FileNotFoundError) and Path(program).exists():
            why = "the interpreter that it names does not exist"
    return HOOK_NOT_STARTED(f"{name} cannot be started: {why}")


def _program_of(command: Command) -> str:
    """Return the absolute path of the program that the first word names.

    A name with a `/` is a path from the checkout; any other is looked up on PATH, as the hook has
    it: in absolute folders alone. Raises PROGRAM_REFUSED where the policy does not let it run.
    """
    name = command.words[0]
    if "/" in name:
        found = str(Path(command.folder) / name)
    else:
        folders = path_folders(command.environ.get("PATH", ""))
        found = next((place for place in _places(folders, name) if _may_run(place)), "")
        if not found:
            raise HOOK_NOT_STARTED(f"{quoted(name)} is no program on PATH ({':'.join(folders)})")
    real = os.path.realpath(found)
    own = [os.path.realpath(folder) for folder in command.held.own]
    if Path(real).exists() and not may_run(real, own, command.held.sandbox):
        raise PROGRAM_REFUSED(
            f"{quoted(name)} is {quoted(real)}, which the sandbox lets nobody run"
        )
    return found


def _places(folders: Iterable[str], name: str) -> Iterator[str]:
    return (f"{folder.rstrip('/')}/{name}" for folder in folders)


def _may_run(place: str) -> bool:
    return Path(place).is_file() and os.access(place, os.X_OK)
