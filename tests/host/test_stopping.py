"""Being told to stop: by SIGINT or SIGTERM, once, with sleeps ended early."""

import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mergequeue.host.clock import SystemClock

ROOT = Path(__file__).parents[2]

PROGRAM = """
import signal, sys, threading
from mergequeue.host.clock import SystemClock
from mergequeue.host.signals import stopping

clock = SystemClock()
called = []
finished = threading.Event()
before = signal.getsignal(signal.SIGTERM)
with stopping(lambda: called.append(threading.current_thread() is threading.main_thread()),
              clock.wake, finished.set) as stop:
    assert not stop()
    print("ready", flush=True)
    clock.sleep(600)
    assert stop()
    finished.wait()
    for _ in range(3):
        signal.raise_signal(signal.SIGTERM)
assert signal.getsignal(signal.SIGTERM) is before
print(called)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_stops_and_later_ones_change_nothing(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.stdout.read() == "[False]\n"
    assert process.returncode == 0


QUIET = """
from mergequeue.host.signals import stopping
with stopping(lambda: print("called")) as stop:
    pass
print(stop())
"""


def test_without_a_signal_nothing_is_called() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", QUIET], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert ended.stdout == "False\n"


def test_a_sleep_ends_when_the_clock_is_woken_and_every_later_one_at_once() -> None:
    clock = SystemClock()
    threading.Timer(0.01, clock.wake).start()
    clock.sleep(600)
    clock.sleep(600)


def test_the_clock_tells_the_time_in_utc() -> None:
    assert abs(SystemClock().now() - datetime.now(UTC)) < timedelta(hours=1)
    assert SystemClock().now().utcoffset() == timedelta(0)
