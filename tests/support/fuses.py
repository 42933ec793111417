"""A machine that dies: ports of which the k-th call, counted over all of them, is the last."""

from collections.abc import Callable
from dataclasses import dataclass


class MachineDied(Exception):  # noqa: N818  (it is no error of the program)
    """Every port raises this from the moment that the machine died."""


@dataclass
class Fuse:
    """Counts the calls of the ports that it guards."""

    blows_at: int | None
    after_the_call: bool = False
    """Whether the last call still took effect, and only its answer was lost."""
    calls: int = 0

    def guard(self, port: object) -> object:
        """Return the port, dying with the machine."""
        return _Guarded(self, port)

    def call(self, function: Callable[..., object], *given: object, **named: object) -> object:
        """Make one call, unless the machine has died."""
        self.calls += 1
        last = self.calls == self.blows_at
        if (
            self.blows_at is not None
            and self.calls >= self.blows_at
            and not (last and self.after_the_call)
        ):
            raise MachineDied
        answer = function(*given, **named)
        if last:
            raise MachineDied
        return answer


class _Guarded:
    def __init__(self, fuse: Fuse, port: object) -> None:
        self._fuse = fuse
        self._port = port

    def __getattr__(self, name: str) -> Callable[..., object]:
        function = getattr(self._port, name)
        return lambda *given, **named: self._fuse.call(function, *given, **named)
