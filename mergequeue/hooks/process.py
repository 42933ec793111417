"""The one module that starts hooks: each in a process group of its own, none of which outlives it.

A hook's leader is watched from beside, without being reaped. Once its exit is seen, its group is
killed before the leader is reaped, since the group's number can name another hook's group from then
on (facts H4). Output that something outside the group still holds open is waited for only so long
(facts H7).
"""

import os
import selectors
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from mergequeue.hooks.command import Command, HookEnd
from mergequeue.hooks.environment import path_folders
from mergequeue.hooks.leash import Leash, watched
from mergequeue.hooks.talk import Talk
from mergequeue.vocabulary.errors import HOOK_NOT_STARTED
from mergequeue.vocabulary.text import quoted


def run_hook(
    command: Command, leash: Leash, write_line: Callable[[str], None], grace: float
) -> HookEnd:
    """Run a hook to its end, hand on each line of its output, and return how it ended.

    Nothing of its process group is left when this returns or raises. Raises HOOK_NOT_STARTED where
    its program cannot be started; a program that starts is never that, whatever it does.
    """
    process = _start(command)
    leash.hold(process.pid)
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


def _start(command: Command) -> subprocess.Popen[bytes]:
    program = _program_of(command)
    try:
        return subprocess.Popen(
            command.words,
            executable=program,
            cwd=command.folder,
            env=command.environ,
            stdin=subprocess.PIPE if command.given else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise HOOK_NOT_STARTED(f"{_problem(command, program, error)}") from error


def _problem(command: Command, program: str, error: OSError | ValueError) -> str:
    name = quoted(command.words[0])
    if not isinstance(error, OSError):
        return f"{name} cannot be started: {error}"
    if not Path(command.folder).is_dir():
        return f"{name} cannot be started: its checkout is gone"
    if isinstance(error, FileNotFoundError) and Path(program).exists():
        return f"{name} cannot be started: the interpreter that it names does not exist"
    return f"{name} cannot be started: {error.strerror}"


def _program_of(command: Command) -> str:
    """Return the absolute path of the program that the first word names.

    A name with a `/` is a path from the checkout; any other is looked up on PATH, as the hook has
    it: in absolute folders alone.
    """
    name = command.words[0]
    if "/" in name:
        return str(Path(command.folder) / name)
    folders = path_folders(command.environ.get("PATH", ""))
    found = next((place for place in _places(folders, name) if _may_run(place)), None)
    if found is None:
        raise HOOK_NOT_STARTED(f"{quoted(name)} is no program on PATH ({':'.join(folders)})")
    return found


def _places(folders: Iterable[str], name: str) -> Iterator[str]:
    return (f"{folder.rstrip('/')}/{name}" for folder in folders)


def _may_run(place: str) -> bool:
    return Path(place).is_file() and os.access(place, os.X_OK)
