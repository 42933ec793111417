"""Being told to stop: SIGINT and SIGTERM."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

from mergequeue.ports import Stop

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def stopping(*callbacks: Callable[[], None]) -> Iterator[Stop]:
    """Yield what says whether the program was told to stop, for as long as the block runs.

    At the first SIGINT or SIGTERM the callbacks are called once, in order, on a thread of their
    own: a handler interrupts its thread at any line, and would wait for ever for a lock held there.
    Later signals change nothing. The handlers from before are back after the block. Enter it on the
    main thread.
    """
    reading, writing = os.pipe()
    stopped = False

    def call_back() -> None:
        if os.read(reading, 1):
            for callback in callbacks:
                callback()

    def handle(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopped
        if not stopped:
            stopped = True
            os.write(writing, b"s")

    caller = threading.Thread(target=call_back, name="stopping", daemon=True)
    caller.start()
    before = [(number, signal.signal(number, handle)) for number in _SIGNALS]
    try:
        yield lambda: stopped
    finally:
        for number, handler in before:
            signal.signal(number, handler)
        os.close(writing)
        caller.join()
        os.close(reading)
