"""The program that a hook is started through on Linux: it confines the hook, and outlives it.

    python -I -S warden.py <descriptor of the plan> <descriptor to report to>

It stands by itself, since it is started by its path: nothing of the package is imported, and little
of the standard library, so that it is there in some twenty milliseconds. What to do is decided
elsewhere (`confinement`) and read from the plan, a marshalled mapping. It forks; the child confines
itself and becomes the hook; the parent takes in every process that the hook leaves behind, kills
them all at its end, and ends as the hook did.

Signals: SIGTERM is handed on to the hook's group, and SIGUSR1 kills all that is left of it.
What is reported: one line, `started` or what stood in the way.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as signals
    from typing import Any, NoReturn
else:
    import _signal as signals  # what `signal` adds to it takes eight milliseconds to import

TERMINATE = int(signals.SIGTERM)
KILL = int(signals.SIGUSR1)
"""What kills all that is left; from ABI 6 on nobody but the queue can send it."""

STARTED = b"started"
"""What is reported of a hook that runs."""

_SET_DEATH_SIGNAL = 1
_SET_DUMPABLE = 4
_SET_SECCOMP = 22
_READ_BOUNDING = 23
_DROP_BOUNDING = 24
_SET_SUBREAPER = 36
_SET_NO_NEW_PRIVILEGES = 38
_AMBIENT = 47
_AMBIENT_CLEAR = 4
_SECCOMP_FILTER = 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_RULE, _PORT_RULE = 1, 2
_VERSION_FLAG = 1
_CAPABILITIES_VERSION = 0x20080522
_LOOKS_FOR_CHILDREN = 10_000
"""How often what is left is looked for: what cannot be killed hangs nobody."""
_KIND, _FOLDER = 0o170000, 0o040000
_NOT_A_FOLDER = 20
_UNSTOPPABLE = 9
_ALL = -1
"""Every process that the caller may signal, but itself."""
_REFER = (1 << 13, 1 << 13)
"""Moving between folders, which a ruleset refuses that does not allow it."""
_NEVER_HANDLED = (9, 19, 32, 33)
"""Kill and stop cannot be; the C library keeps two for itself."""

_libc = ctypes.CDLL(None, use_errno=True)


class _FailedError(Exception):
    """What stood in the way, and its errno."""


def abi() -> int:
    """Return the version of landlock that this kernel has; 0 where it has none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)))


def main() -> NoReturn:
    """Run the plan."""
    plan_fd, report = int(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(report, False)  # noqa: FBT003 (the name of the call says what it is)
    plan = _read_plan(plan_fd)
    before = signals.pthread_sigmask(signals.SIG_BLOCK, {TERMINATE, KILL})
    _prctl(_SET_DEATH_SIGNAL, KILL)
    reaches_it_alone = bool(plan["outer"]) and _keep_signals_inside(plan["outer"], plan["parent"])
    _prctl(_SET_SUBREAPER, 1)
    if os.getppid() != plan["parent"]:
        os._exit(1)
    news, telling = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(news)
        _become(plan, telling)
    os.close(telling)
    _watch(child, news, report, before, reaches_it_alone)


def _read_plan(descriptor: int) -> dict[str, Any]:
    with os.fdopen(descriptor, "rb") as stream:
        plan: dict[str, Any] = marshal.loads(stream.read())  # noqa: S302 (the queue wrote it)
    return plan


# --- the parent ----------------------------------------------------------------------------------


def _keep_signals_inside(ruleset: bytes, queue: int) -> bool:
    """Confine what this process can signal to what it starts; tell whether the kernel does so.

    Nothing else is taken from it, and the hook is confined once more, inside.
    """
    _prctl(_SET_NO_NEW_PRIVILEGES, 1)
    try:
        _enter_landlock(ruleset, [("/", *_REFER, False)], [])
    except (_FailedError, OSError):
        return False
    try:
        os.kill(queue, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def _watch(child: int, news: int, report: int, before: Any, reaches_it_alone: bool) -> NoReturn:  # noqa: ANN401, FBT001 (a set of signals, typed where `signal` is)
    """Wait for the hook, leave nothing of it, and end as it did."""
    told = _read_all(news)
    signals.signal(TERMINATE, lambda *_: _signal_group(child, TERMINATE))
    signals.signal(KILL, lambda *_: _signal_group(child, _UNSTOPPABLE))
    signals.pthread_sigmask(signals.SIG_SETMASK, before)
    # Held open here, the hook's output would never end.
    nowhere = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.write(report, STARTED if told == b"!" else told.lstrip(b"!"))
    os.close(report)
    status = _awaited(child)
    _kill_what_is_left(reaches_it_alone)
    if os.WIFSIGNALED(status):
        _die_by(os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def _read_all(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read()


def _awaited(child: int) -> int:
    """Return how the child ended, having reaped whatever else came to this process meanwhile."""
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == child:
            return status


def _kill_what_is_left(reaches_it_alone: bool) -> None:  # noqa: FBT001 (as above)
    """Kill and reap every process that came to this one, and those that come of that.

    Whatever this process can signal is killed in one call, which no process forks past. Where it
    can signal others too, they are looked for one by one.
    """
    for _ in range(_LOOKS_FOR_CHILDREN):
        for pid in [_ALL] if reaches_it_alone else _children():
            _kill(pid)
        if not _reap():
            return
        _libc.usleep(1000)


def _reap() -> bool:
    """Reap all that has ended, and tell whether anything is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _children() -> list[int]:
    """Return the processes whose parent this one is."""
    own = str(os.getpid())
    try:
        with open(f"/proc/self/task/{own}/children", "rb") as stream:  # noqa: PTH123 (pathlib takes long to import)
            return [int(pid) for pid in stream.read().split()]
    except OSError:
        with os.scandir("/proc") as entries:
            names = [entry.name for entry in entries if entry.name.isdigit()]
        return [int(name) for name in names if _parent(name) == own]


def _parent(pid: str) -> str:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:  # noqa: PTH123 (pathlib takes long to import)
            return stream.read().rpartition(b")")[2].split()[1].decode()
    except (OSError, IndexError):
        return ""


def _kill(pid: int) -> None:
    try:
        os.kill(pid, _UNSTOPPABLE)
    except OSError:
        return


def _signal_group(leader: int, number: int) -> None:
    try:
        os.killpg(leader, number)
    except OSError:
        return


def _die_by(number: int) -> NoReturn:
    """End by the signal that ended the hook; the hook left its core, if any."""
    _prctl(_SET_DUMPABLE, 0)
    if number != _UNSTOPPABLE:
        signals.signal(number, signals.SIG_DFL)
    signals.pthread_sigmask(signals.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
    os._exit(128 + number)


# --- the child -----------------------------------------------------------------------------------


def _become(plan: dict[str, Any], telling: int) -> NoReturn:
    """Confine this process and become the hook, or tell what stands in the way."""
    try:
        os.setsid()
        _prctl(_SET_DEATH_SIGNAL, _UNSTOPPABLE)
        _confine(plan)
        _restore_signals()
        os.write(telling, b"!")
        os.execve(plan["program"], plan["words"], plan["environ"])  # noqa: S606 (no shell is the point)
    except _FailedError as failed:
        step, number = failed.args
        os.write(telling, b"%d %s" % (number, step))
    except OSError as error:
        os.write(telling, b"%d " % (error.errno or 0))
    except (ValueError, TypeError) as error:
        os.write(telling, b"0 " + str(error).encode())
    os._exit(127)


def _restore_signals() -> None:
    """Handle every signal as a program finds it that a terminal starts, however this one was."""
    for number in range(1, signals.NSIG):
        if number not in _NEVER_HANDLED:
            signals.signal(number, signals.SIG_DFL)
    signals.pthread_sigmask(signals.SIG_SETMASK, ())


def _confine(plan: dict[str, Any]) -> None:
    _must(_prctl(_SET_NO_NEW_PRIVILEGES, 1), b"no_new_privs")
    if plan["kept"] is not None:
        _drop_capabilities(plan["kept"])
    if plan["ruleset"]:
        _enter_landlock(plan["ruleset"], plan["paths"], plan["ports"])
    if plan["filter"]:
        _enter_filter(plan["filter"])


def _drop_capabilities(kept: int) -> None:
    """Keep only these, here and in every program that is started from here."""
    _prctl(_AMBIENT, _AMBIENT_CLEAR)
    number = 0
    while (bounding := _prctl(_READ_BOUNDING, number)) >= 0:
        if bounding == 1 and not kept >> number & 1:
            _prctl(_DROP_BOUNDING, number)
        number += 1
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()
    _must(_libc.capget(header, sets), b"capget")
    for word in (0, 1):
        mask = kept >> (32 * word) & 0xFFFFFFFF
        sets[3 * word] &= mask
        sets[3 * word + 1] &= mask
        sets[3 * word + 2] = 0
    _must(_libc.capset(header, sets), b"capset")


def _enter_landlock(description: bytes, paths: list[Any], ports: list[Any]) -> None:
    ruleset = _must(
        _libc.syscall(_CREATE_RULESET, description, ctypes.c_size_t(len(description)), 0),
        b"landlock_create_ruleset",
    )
    for path, rights, file_rights, is_own in paths:
        _allow_path(ruleset, path, rights, file_rights, is_own)
    for port, rights in ports:
        rule = (ctypes.c_uint64 * 2)(rights, port)
        _must(_libc.syscall(_ADD_RULE, ruleset, _PORT_RULE, rule, 0), b"landlock_add_rule")
    _must(_libc.syscall(_RESTRICT_SELF, ruleset, 0), b"landlock_restrict_self")
    os.close(ruleset)


def _allow_path(ruleset: int, path: str, rights: int, file_rights: int, is_own: bool) -> None:  # noqa: FBT001 (a field of the plan)
    """Allow what lies beneath a path.

    What is not there is not granted. One of the hook's own folders has to be there, and is no link.
    """
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC | (os.O_NOFOLLOW if is_own else 0))
    except OSError:
        if is_own:
            raise
        return
    mode = os.fstat(place).st_mode
    is_folder = mode & _KIND == _FOLDER
    if is_own and not is_folder:
        raise _FailedError(b"a folder of the box", _NOT_A_FOLDER)
    granted = rights if is_folder else rights & file_rights
    # Packed as the kernel wants it: eight bytes and four.
    rule = granted.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder, signed=True)
    if granted:
        _must(_libc.syscall(_ADD_RULE, ruleset, _PATH_RULE, rule, 0), b"landlock_add_rule")
    os.close(place)


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _enter_filter(code: bytes) -> None:
    program = _Program(len(code) // 8, code)
    _must(_prctl(_SET_SECCOMP, _SECCOMP_FILTER, ctypes.byref(program)), b"seccomp")


def _prctl(option: int, first: Any = 0, second: Any = 0) -> int:  # noqa: ANN401 (a number or a pointer)
    return int(_libc.prctl(option, _argument(first), _argument(second), _argument(0), _argument(0)))


def _argument(value: Any) -> Any:  # noqa: ANN401 (as above)
    return ctypes.c_ulong(value) if isinstance(value, int) else value


def _must(result: int, step: bytes) -> int:
    if result < 0:
        raise _FailedError(step, ctypes.get_errno())
    return result


if __name__ == "__main__":
    main()
