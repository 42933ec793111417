"""What is done for boxes beside the gates: the files of boxes to come, and those of closed ones.

One thread does both, so that neither slows the other down, and writing goes first: a gate waits for
it. A closed box is removed when the next gates have what they need. While others are to follow it
is kept, up to a number and a share of the room: on a file system without a journal, Linux makes
files many times slower for minutes after others were removed (docs/performance.md).
"""

import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from mergequeue.git.removal import remove_tree

KEPT = 8
"""So many closed boxes may wait for the end; more are removed while nothing is to be written."""
_MOST = 2 * KEPT
"""With so many waiting, whoever closes one more removes it himself."""
_SHARE = 0.9
"""Boxes wait only while so much of the room is free that was free at the start."""

Made = TypeVar("Made")
Work = Callable[[], None]


class Backstage:
    """The thread behind one folder of boxes. May be used by several threads at once."""

    def __init__(self, root: Path) -> None:
        """Take the folder, whose file system has to have the room."""
        self._root = root
        self._least = [_SHARE * free for free in _free(root)]
        self._changed = threading.Condition()
        self._orders: deque[Work] = deque()
        self._closed: deque[Path] = deque()
        self._others_follow = False
        self._is_ending = False
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="backstage", daemon=True)
        self._thread.start()

    def order(self, make: Callable[[], Made]) -> "Future[Made]":
        """Have something made, in the order of asking; it may be cancelled until it is begun."""
        made: Future[Made] = Future()
        with self._changed:
            self._orders.append(partial(_fulfil, made, make))
            self._changed.notify()
        return made

    def expect(self, *, others: bool) -> None:
        """Take whether other boxes are to follow."""
        with self._changed:
            self._others_follow = others
            self._changed.notify()

    def remove(self, folder: Path) -> None:
        """Have a closed box removed; it is gone when `stop` returns."""
        with self._changed:
            has_place = len(self._closed) < _MOST
            if has_place:
                self._closed.append(folder)
                self._changed.notify()
        if not has_place:
            _remove(folder)

    def stop(self) -> None:
        """Remove what is left and make nothing any more; raise what went wrong here unforeseen."""
        with self._changed:
            self._is_ending = True
            self._changed.notify()
        self._thread.join()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        while (work := self._next()) is not None:
            try:
                work()
            except Exception as error:  # noqa: BLE001 (told by `stop`)
                self._error = self._error or error

    def _next(self) -> Work | None:
        """Wait for something to do, and return it; None at the end."""
        with self._changed:
            while True:
                if self._orders and not self._is_ending:
                    return self._orders.popleft()
                if self._closed and self._may_remove():
                    return partial(_remove, self._closed.popleft())
                if self._is_ending:
                    return None
                self._changed.wait()

    def _may_remove(self) -> bool:
        return (
            self._is_ending
            or not self._others_follow
            or len(self._closed) > KEPT
            or any(free < least for free, least in zip(_free(self._root), self._least, strict=True))
        )


def _fulfil(made: "Future[Made]", make: Callable[[], Made]) -> None:
    if made.set_running_or_notify_cancel():
        try:
            made.set_result(make())
        except BaseException as error:  # noqa: BLE001 (whoever asked for it is told)
            made.set_exception(error)


def _free(root: Path) -> tuple[int, int]:
    """Return the room and the number of files that are free, as far as the system says."""
    room = os.statvfs(root)
    return room.f_bavail, room.f_favail


def _remove(folder: Path) -> None:
    # What another user's process left in a box is not the queue's to remove.
    with suppress(OSError):
        remove_tree(folder)
