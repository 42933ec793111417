"""Who GitHub is asked as, and which of two rights that is.

    reading   MERGEQUEUE_TOKEN, else GITHUB_TOKEN     describe, ls, plan, status
    writing   the app's client id and private key, else MERGEQUEUE_TOKEN     apply

GITHUB_TOKEN never writes: it is the job's own, whose merges start no workflow and whose statuses
are anybody's (seed 1, Applying as each candidate goes green). GH_TOKEN is never read (facts 1.1).
Of an app's two values either both are set or neither, and a runner sets what is not there to
nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from mergequeue.vocabulary.errors import NO_CREDENTIAL, NOT_THE_APP

TOKEN = "MERGEQUEUE_TOKEN"  # noqa: S105 (a variable's name)
JOB_TOKEN = "GITHUB_TOKEN"  # noqa: S105 (a variable's name)
CLIENT_ID = "MERGEQUEUE_APP_CLIENT_ID"
PRIVATE_KEY = "MERGEQUEUE_APP_PRIVATE_KEY"

_TOKEN = re.compile(r"[\x21-\x7e]+\Z")


class Credential(Protocol):
    """What a request is sent with."""

    def token(self) -> str:
        """Return a token that is good now; raise where none can be had."""

    def renew(self, refused_at: datetime | None) -> bool:
        """Whether a request that was refused with 401 is worth sending again.

        `refused_at` is what time it was for GitHub, where it said so.
        """


@dataclass(frozen=True)
class FixedToken:
    """A token that was given, and cannot be had anew."""

    value: str = field(repr=False)

    def token(self) -> str:
        """Return it."""
        return self.value

    def renew(self, refused_at: datetime | None) -> bool:  # noqa: ARG002 (another credential can)
        """Return no."""
        return False


@dataclass(frozen=True)
class AppKey:
    """What an app proves itself with."""

    client_id: str
    pem: str = field(repr=False)


def read_token(environment: Mapping[str, str]) -> FixedToken:
    """Return the token to read with; raise NO_CREDENTIAL, naming both variables, without one."""
    for name in (TOKEN, JOB_TOKEN):
        if value := _value(environment, name):
            return _token(value, name)
    raise NO_CREDENTIAL(f"neither {TOKEN} nor {JOB_TOKEN} is set")


def write_token(environment: Mapping[str, str]) -> FixedToken:
    """Return the token to write with.

    Raises NOT_THE_APP where there is only the job's own token, or where that one was given in its
    place; NO_CREDENTIAL where there is none at all.
    """
    value, job = _value(environment, TOKEN), _value(environment, JOB_TOKEN)
    if not value and not job:
        raise NO_CREDENTIAL(f"neither {CLIENT_ID} with {PRIVATE_KEY} nor {TOKEN} is set")
    if not value:
        raise NOT_THE_APP(f"{JOB_TOKEN} is set, and {TOKEN} is not")
    if value == job and _value(environment, "GITHUB_ACTIONS") == "true":
        raise NOT_THE_APP(f"{TOKEN} is the job's own token, {JOB_TOKEN}")
    return _token(value, TOKEN)


def app_key(environment: Mapping[str, str]) -> AppKey | None:
    """Return the app's client id and key; None where neither is set.

    Raises NO_CREDENTIAL, naming the missing one, where only one of them is.
    """
    values = {name: _value(environment, name) for name in (CLIENT_ID, PRIVATE_KEY)}
    missing = [name for name, value in values.items() if not value]
    if len(missing) == len(values):
        return None
    if missing:
        kind = (
            "the repository's variable" if missing[0] == CLIENT_ID else "the environment's secret"
        )
        raise NO_CREDENTIAL(
            f"{missing[0]} is not set, though the app's other value is: it is {kind}"
        )
    # Some keep a key on one line, with the line ends written out.
    return AppKey(values[CLIENT_ID], values[PRIVATE_KEY].replace("\\n", "\n"))


def _token(value: str, name: str) -> FixedToken:
    if not _TOKEN.match(value):
        raise NO_CREDENTIAL(f"what {name} holds is no token: it has characters that none has")
    return FixedToken(value)


def _value(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name, "").strip()
