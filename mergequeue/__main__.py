"""`python -I -m mergequeue`: the same program as the `mergequeue` script."""

import signal

# Loading takes a second or so in which there is nothing to undo: Ctrl-C just ends it.
_before = signal.getsignal(signal.SIGINT)
if _before is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from mergequeue.cli import main  # noqa: E402 (the first to load what takes a second)

signal.signal(signal.SIGINT, _before)

main()
