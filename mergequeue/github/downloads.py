"""Fetching an artifact: GitHub names another host, and no credential goes there (facts F4)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, assert_never

from mergequeue.github.patience import Again, Came, Done, GiveUp, Renew, Tries, Unclear, decide_next
from mergequeue.github.transport import LostError, Received, StrayError, TooLongError
from mergequeue.ports import Clock
from mergequeue.vocabulary.errors import CREDENTIAL_REFUSED, UNREADABLE

_OK = 200
_UNAUTHORIZED = 401
_GONE = 410


class Opens(Protocol):
    """What reads an address to its end."""

    def open(self, url: str, headers: Mapping[str, str]) -> Received:
        """Return what is there, its redirects followed."""


@dataclass(frozen=True)
class PatientDownloads:
    """The `Downloads` port: a fetch that is broken off is made again, a few times."""

    opener: Opens
    clock: Clock
    tell: Callable[[str], None]

    def fetch(self, url: str, headers: Mapping[str, str], what: str) -> bytes:
        """Return what is at an address.

        Raises UNREADABLE where it cannot be had or is too long, and CREDENTIAL_REFUSED for a 401,
        which says nothing of what was asked for.
        """
        tries = Tries()
        while True:
            came, raw = self._opened(url, headers, what)
            match decide_next(came, tries, self.clock.now(), is_write=False):
                case Done() | Renew():
                    return _content(came, raw, what)
                case Again(seconds, why):
                    self.tell(f"waiting {seconds:.0f} seconds for {what}: {why}")
                    self.clock.sleep(seconds)
                case Unclear(why) | GiveUp(why):
                    raise UNREADABLE(f"{what} cannot be fetched: {why}")
                case strange:
                    assert_never(strange)

    def _opened(self, url: str, headers: Mapping[str, str], what: str) -> tuple[Came, bytes]:
        try:
            received = self.opener.open(url, headers)
        except LostError as lost:
            return Came(0, {}, lost.why), b""
        except (TooLongError, StrayError) as error:
            raise UNREADABLE(f"{what} cannot be fetched: {error}") from None
        return Came(received.status, received.headers), received.raw


def _content(came: Came, raw: bytes, what: str) -> bytes:
    if came.status == _OK:
        return raw
    if came.status == _UNAUTHORIZED:
        raise CREDENTIAL_REFUSED(f"{what} cannot be fetched: the credential is not accepted")
    why = "it has expired" if came.status == _GONE else f"it was answered with {came.status}"
    raise UNREADABLE(f"{what} cannot be fetched: {why}", "Run the validation again.")
