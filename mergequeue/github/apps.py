"""The queue's own app: it proves itself with its key, and is lent a token for one repository.

    the key ─▶ a proof of ten minutes ─▶ the installation on the repository ─▶ a token of an hour

A proof is dated a minute back, since GitHub refuses one from the future; where this machine's clock
is off by more, GitHub's own date on its refusal says by how much, and the next one allows for it. A
token has the permissions that its use needs, for that repository alone, and is replaced by a new
one when less than five minutes of it are left (facts 1.2, 1.4; CASES D).
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from pydantic import AwareDatetime

from mergequeue.github.addresses import Addresses, RepoName, api_path
from mergequeue.github.answers import Answer, GitHubRecord, RefusedError, UnclearError
from mergequeue.github.client import Client, Sends
from mergequeue.github.credentials import PRIVATE_KEY, AppKey
from mergequeue.github.patience import date_of
from mergequeue.ports import Clock
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import (
    APP_FAILED,
    CREDENTIAL_REFUSED,
    NO_CREDENTIAL,
    MergequeueError,
)
from mergequeue.vocabulary.identity import Identity

APPLY_PERMISSIONS: Mapping[str, str] = {
    "actions": "read",
    "contents": "write",
    "pull_requests": "write",
    "statuses": "write",
    "workflows": "write",
}
"""What apply needs (facts 1.2)."""

DISPATCH_PERMISSIONS: Mapping[str, str] = {"actions": "write"}
"""What it takes to start a workflow or to run its jobs again, and nothing else."""

MEMBERS_PERMISSIONS: Mapping[str, str] = {"members": "read"}
"""What knowing who is in a team needs: a right in the organization, in a token of its own that is
asked for once a required reviewer is a team.
"""

DASHBOARD_PERMISSIONS: Mapping[str, str] = {"issues": "write"}
"""What keeping the dashboard needs; asked for by who wants one, in a token of its own."""

KEEPER_PERMISSIONS: Mapping[str, str] = {
    "contents": "write",
    "pull_requests": "write",
    "workflows": "write",
}
"""What bringing turned-away changes up to date needs: to push a merge of the base, whatever files
that brings in, to comment, and to queue.
"""

_BACKDATED = timedelta(seconds=60)
_LASTS = timedelta(minutes=9)
_TRIES = 3


class _Installation(GitHubRecord):
    id: int
    app_slug: str


class _Token(GitHubRecord):
    token: str
    expires_at: AwareDatetime


class _User(GitHubRecord):
    id: int
    login: str


@dataclass(frozen=True)
class Bot:
    """Who an app is on GitHub when it commits."""

    slug: str
    id: int

    @property
    def identity(self) -> Identity:
        """Its committer identity, as GitHub shows it."""
        name = f"{self.slug}[bot]"
        return Identity(name, f"{self.id}+{name}@users.noreply.github.com")


def signed(pem: str, now: datetime, client_id: str) -> str:
    """Return a proof of being the app, good from a minute ago for ten.

    Raises NO_CREDENTIAL, which shows nothing of it, where the key does not read.
    """
    try:
        key = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, RSAPrivateKey):
        raise NO_CREDENTIAL(
            f"{PRIVATE_KEY} holds no private key as GitHub gives it out",
            "Store the whole .pem file that the app's page generated, its first and last line too.",
        )
    claims = {"iat": now - _BACKDATED, "exp": now + _LASTS, "iss": client_id}
    return jwt.encode(claims, key, algorithm="RS256")


@dataclass
class AppProof:
    """The `Credential` that an app proves itself with; GitHub may put its clock right."""

    key: AppKey
    clock: Clock
    _ahead: timedelta = timedelta()
    """How far GitHub's clock is ahead of this machine's."""

    def token(self) -> str:
        """Return a proof that is good now."""
        return signed(self.key.pem, self.clock.now() + self._ahead, self.key.client_id)

    def renew(self, refused_at: datetime | None) -> bool:
        """Go by GitHub's clock from now on, where GitHub says what time it is."""
        if refused_at is None:
            return False
        self._ahead = refused_at - self.clock.now()
        return True


@dataclass
class AppToken:
    """The `Credential` of the app on one repository, minted when it is first needed and anew."""

    proof: Client
    """Asks as the app itself."""
    repo: RepoName
    permissions: Mapping[str, str]
    on_new: Callable[[str], None] = field(default=lambda _: None)
    """Given every new token before anything else is, so that it can be masked."""
    _held: str = field(default="", repr=False)
    _good_until: datetime | None = None
    """By this machine's own clock, whatever that says."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    """git and the calls ask at the same time, from several threads."""

    def token(self) -> str:
        """Return a token with five minutes left at least; raise APP_FAILED where none is lent."""
        with self._lock:
            soon = self.proof.clock.now() + timedelta(seconds=limits.TOKEN_SPARE_SECONDS)
            if self._good_until is None or self._good_until <= soon:
                answer = self._mint()
                lent = answer.body.read(_Token)
                asked = self.proof.clock.now()
                self._good_until = asked + (lent.expires_at - (date_of(answer.headers) or asked))
                self._held = lent.token
                self.on_new(self._held)
            return self._held

    def renew(self, refused_at: datetime | None) -> bool:  # noqa: ARG002 (a new one is had anyway)
        """Let go of the token: GitHub took it back, or this machine's clock lags behind."""
        self._good_until = None
        return True

    def slug(self) -> str:
        """Return the app's name in addresses; raise APP_FAILED where it is not installed."""
        return self._installation().app_slug

    def _installation(self) -> _Installation:
        try:
            answer = self._proven(lambda: self.proof.get(self.repo.path("installation")))
        except RefusedError as error:
            raise APP_FAILED(f"it is not installed on {self.repo}: {error.message}") from error
        return answer.body.read(_Installation)

    def _mint(self) -> Answer:
        path = api_path("app", "installations", self._installation().id, "access_tokens")
        wanted = {"repositories": [self.repo.name], "permissions": dict(self.permissions)}
        for attempt in range(_TRIES):
            try:
                return self._proven(lambda: self.proof.write("POST", path, wanted))
            except RefusedError as error:
                needed = ", ".join(f"{name}: {level}" for name, level in self.permissions.items())
                raise APP_FAILED(
                    f"GitHub lends no token with {needed} for {self.repo}: {error.message}"
                ) from error
            except UnclearError:
                # One token more that nobody has harms nothing.
                if attempt == _TRIES - 1:
                    raise
        raise AssertionError

    @staticmethod
    def _proven(ask: Callable[[], Answer]) -> Answer:
        """Return an answer to the app itself; raise APP_FAILED where its proof is not accepted."""
        try:
            return ask()
        except MergequeueError as error:
            if error.code != CREDENTIAL_REFUSED.code:
                raise
            raise APP_FAILED(
                "GitHub does not accept the app's proof: the key is none of the app with that "
                "client id, or was deleted"
            ) from error


def app_token(
    key: AppKey,
    repo: RepoName,
    transport: Sends,
    addresses: Addresses,
    clock: Clock,
    permissions: Mapping[str, str] = APPLY_PERMISSIONS,
) -> AppToken:
    """Return the credential of the app whose key this is, on one repository."""
    proof = Client(transport, addresses, AppProof(key, clock), clock)
    return AppToken(proof, repo, permissions)


def bot_of(slug: str, client: Client) -> Bot:
    """Return who the app of this name is when it commits; raise APP_FAILED where there is none."""
    try:
        answer = client.get(api_path("users", f"{slug}[bot]"))
    except RefusedError as error:
        raise APP_FAILED(f"GitHub has no app {slug}: {error.message}") from error
    return Bot(slug, answer.body.read(_User).id)


def writer_of(client: Client) -> str:
    """Return the login that this credential writes as: an app's is `<slug>[bot]`."""
    data = client.graphql("query Viewer { viewer { login } }", {})
    return str(data.at("viewer", "login").value)
