"""Failure as a knob: what happens to a call on its way, whatever it would have been answered."""

from collections.abc import Callable

from werkzeug.wrappers import Response

from tests.fakes.github.log import Seen


class Faults:
    """Stands around every request. Nothing fails until a test says so."""

    def around(self, seen: Seen, answer: Callable[[], Response]) -> Response:
        """Answer a request, or do to it what the test asked for."""
        del seen
        return answer()
