"""A credential that a provider lends for reaching its own address, in place of the person's own.

A runner's checkout keeps the job's token in its configuration; were it sent as well, the remote
would see two. So whatever the configuration says of credentials and of other addresses is left out,
and the remote is reached at the provider's own address, as the provider's own credential.
"""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from mergequeue.git.environment import Setting
from mergequeue.git.remote import NAME

_LEFT_OUT = ("credential.", "url.", f"remote.{NAME}.url", f"remote.{NAME}.pushurl")
_HEADERS = ".extraheader"


@dataclass(frozen=True)
class Loan:
    """Where the remote is reached, and what with."""

    address: str
    """An HTTP address without credentials."""
    token: Callable[[], str] = field(repr=False)
    """Gives a token that is good now."""

    def settings(self, own: Sequence[Setting]) -> tuple[tuple[Setting, ...], frozenset[str]]:
        """Return git's settings with the credential in them, and the texts that must not be shown.

        They travel in the environment, as the person's own do, and never in an argument.
        """
        token = self.token()
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        place = urlsplit(self.address)
        kept = [
            (key, value)
            for key, value in own
            if not key.startswith(_LEFT_OUT) and not key.endswith(_HEADERS)
        ]
        lent = [
            (f"remote.{NAME}.url", self.address),
            ("credential.helper", ""),
            (f"http.{place.scheme}://{place.netloc}/{_HEADERS}", f"AUTHORIZATION: basic {basic}"),
        ]
        return (*kept, *lent), frozenset({token, basic})
