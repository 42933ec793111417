"""What holds a hook's processes: they are stopped together, and none outlives the hook."""

import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from mergequeue.vocabulary import limits

EXITED = b"x"
OUT_OF_TIME = b"t"


@dataclass(frozen=True)
class Graces:
    """How long a hook's processes are waited for."""

    term: float = limits.TERM_GRACE_SECONDS
    """Seconds from SIGTERM to SIGKILL."""
    output: float = limits.OUTPUT_GRACE_SECONDS
    """Seconds from the leader's exit to the end of reading."""


class Leash:
    """What one hook's processes are stopped by, from any thread, before or after they start."""

    def __init__(self, tag: str, grace: float) -> None:
        """Hold nothing yet."""
        self.tag = tag
        self._grace = grace
        # Reentrant, since a signal's handler may cancel what its own thread is starting.
        self._lock = threading.RLock()
        self._group: int | None = None
        self._kill_by = signal.SIGKILL
        self._killer: threading.Timer | None = None
        self._cancelled = False
        self._expired = False

    def is_cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._cancelled

    def is_expired(self) -> bool:
        """Whether its time was over before it was cancelled, if it was."""
        return self._expired

    def is_stopped(self) -> bool:
        """Whether it was stopped, one way or the other."""
        return self._cancelled or self._expired

    def cancel(self) -> None:
        """Send the group SIGTERM now and SIGKILL after the grace; the same to one held later."""
        with self._lock:
            if not self.is_stopped():
                self._cancelled = True
                self._terminate()

    def expire(self) -> None:
        """Do the same since its time is over."""
        with self._lock:
            if not self.is_stopped():
                self._expired = True
                self._terminate()

    def hold(self, group: int, kill_by: signal.Signals) -> None:
        """Take a group that was just started, and the signal that kills what it stands for."""
        with self._lock:
            self._group = group
            self._kill_by = kill_by
            if self.is_stopped():
                self._terminate()

    def kill(self) -> None:
        """Kill what is left of the group, if it is still held."""
        with self._lock:
            if self._group is not None:
                _signal_group(self._group, self._kill_by)

    def release(self) -> None:
        """Kill what is left of the group and let it go: its number means nothing from here on."""
        with self._lock:
            self.kill()
            self._group = None
            if self._killer is not None:
                self._killer.cancel()

    def _terminate(self) -> None:
        if self._group is None:
            return
        _signal_group(self._group, signal.SIGTERM)
        self._killer = threading.Timer(self._grace, self.kill)
        self._killer.daemon = True
        self._killer.start()


def _see_exit(pid: int) -> None:
    """Return once a child of this process has exited, and leave it unreaped."""
    if sys.platform != "darwin":
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    else:
        exits = select.kevent(pid, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
        queue = select.kqueue()
        # One that has exited already cannot be watched any more.
        with contextlib.closing(queue), contextlib.suppress(ProcessLookupError):
            queue.control([exits], 1)


@contextlib.contextmanager
def watched(pid: int, leash: Leash, grace: float) -> Iterator[int]:
    """Watch for the leader's exit, kill its group then, and yield what to read of it.

    One byte comes at the exit, and another when what is left of the output has had its time.
    """
    reading, writing = os.pipe()
    finished = threading.Event()

    def watch() -> None:
        _see_exit(pid)
        leash.kill()
        os.write(writing, EXITED)
        if not finished.wait(grace):
            os.write(writing, OUT_OF_TIME)

    watcher = threading.Thread(target=watch, name=f"hook {pid}", daemon=True)
    watcher.start()
    try:
        yield reading
    finally:
        leash.kill()
        finished.set()
        watcher.join()
        os.close(reading)
        os.close(writing)


def _signal_group(group: int, number: signal.Signals) -> None:
    # A group of which only zombies are left cannot be signalled on some systems, and needs nothing.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
