"""GitHub as the commands reach it: whose credential reads, whose writes, and git's with it."""

import os
from collections.abc import Mapping
from functools import partial

from mergequeue.commands.tools import Standing
from mergequeue.git.lending import Loan
from mergequeue.git.workshop import Workshop
from mergequeue.github.addresses import RepoName, addresses_of, repo_of
from mergequeue.github.apps import (
    APPLY_PERMISSIONS,
    DASHBOARD_PERMISSIONS,
    DISPATCH_PERMISSIONS,
    KEEPER_PERMISSIONS,
    MEMBERS_PERMISSIONS,
    AppToken,
    app_token,
    bot_of,
    writer_of,
)
from mergequeue.github.client import Client
from mergequeue.github.credentials import (
    CLIENT_ID,
    PRIVATE_KEY,
    AppKey,
    Credential,
    FixedToken,
    app_key,
    read_token,
)
from mergequeue.github.credentials import write_token as given_write_token
from mergequeue.github.transport import Transport
from mergequeue.host.runner import Runner
from mergequeue.vocabulary.errors import NO_CREDENTIAL, WRONG_CREDENTIAL
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.text import quoted

_BOT = "[bot]"


class GitHub:
    """One repository of GitHub's, with the credential that a command may use.

    Made before anything is opened, so that a missing credential stops a command before it begins;
    which repository it is, the remote says.
    """

    def __init__(
        self,
        standing: Standing,
        credential: FixedToken | AppKey,
        permissions: Mapping[str, str] = APPLY_PERMISSIONS,
    ) -> None:
        """Hold the credential; ask nothing yet. An app's token is asked for with `permissions`."""
        self.addresses = addresses_of(os.environ)
        self._standing = standing
        self._given = credential
        self._permissions = permissions
        self._client: Client | None = None
        self._repo: RepoName | None = None

    @classmethod
    def for_reading(cls, standing: Standing) -> "GitHub":
        """Return it with a token that reads; raise NO_CREDENTIAL without one."""
        return cls(standing, read_token(os.environ))

    @classmethod
    def for_writing(cls, standing: Standing) -> "GitHub":
        """Return it with the app's key, or a token of the app's.

        Raises NO_CREDENTIAL, or NOT_THE_APP where there is nothing but the job's own token.
        """
        return cls(standing, _writing())

    @classmethod
    def for_dispatching(cls, standing: Standing) -> "GitHub":
        """Return it with the app's key and the one right to start a workflow, or its jobs again.

        Raises as `for_writing` does.
        """
        return cls(standing, _writing(), DISPATCH_PERMISSIONS)

    @classmethod
    def for_dashboard(cls, standing: Standing) -> "GitHub":
        """Return it with the app's key and the one right to write issues.

        Raises as `for_writing` does.
        """
        return cls(standing, _writing(), DASHBOARD_PERMISSIONS)

    @classmethod
    def for_keeping(cls, standing: Standing) -> "GitHub":
        """Return it with the app's key and the rights of the keeper.

        Raises as `for_writing` does.
        """
        return cls(standing, _writing(), KEEPER_PERMISSIONS)

    def prepare(self, workshop: Workshop) -> None:
        """Read which repository it is, and have git reach that one with the same credential."""
        repo = repo_of(workshop.reads.remote_url(), self.addresses)
        if self._client is None or repo != self._repo:
            self._repo, self._client = repo, self._asked_with(self._credential(repo))
        token = self._client.credential.token
        workshop.lend(Loan(repo.clone_address(self.addresses), token))

    def client_of(self, repo: RepoName) -> Client:
        """Return what asks a repository that was named, where git is not needed."""
        return self._asked_with(self._credential(repo))

    @property
    def repo(self) -> RepoName:
        """The repository, once it was read."""
        if self._repo is None:
            msg = "the repository is read by prepare"
            raise ValueError(msg)
        return self._repo

    @property
    def client(self) -> Client:
        """What asks it."""
        if self._client is None:
            msg = "the client is made by prepare"
            raise ValueError(msg)
        return self._client

    @property
    def members(self) -> Client:
        """What asks who is in a team: with a token of its own, which is lent when it is used."""
        if isinstance(self._given, FixedToken):
            return self.client
        lent = _lent(self._standing, self._given, self.repo, MEMBERS_PERMISSIONS)
        return self._asked_with(lent)

    def proven_app(self, app: str) -> str:
        """Return the app that writes, `app` as it was given where it was.

        Raises WRONG_CREDENTIAL where the credential is not that app's own (MQ3019).
        """
        credential = self.client.credential
        if isinstance(credential, AppToken):
            writer = f"{credential.slug()}{_BOT}"
        elif app:
            writer = writer_of(self.client)
        else:
            return ""
        named = app.partition(":")[0]
        if named and writer.casefold() != f"{named}{_BOT}".casefold():
            raise WRONG_CREDENTIAL(
                f"the credential writes as {quoted(writer)}, and --app names {quoted(named)}",
                "Give the client id and key, or a token, of the very app that --app names.",
            )
        return app or writer.removesuffix(_BOT)

    def _credential(self, repo: RepoName) -> Credential:
        if isinstance(self._given, FixedToken):
            return self._given
        return _lent(self._standing, self._given, repo, self._permissions)

    def _asked_with(self, credential: Credential) -> Client:
        return _client(self._standing, credential)


def lent_token(standing: Standing, repo: RepoName, permissions: Mapping[str, str]) -> AppToken:
    """Return what the app of the environment lends; raise NO_CREDENTIAL where there is none."""
    key = app_key(os.environ)
    if key is None:
        raise NO_CREDENTIAL(
            f"neither {CLIENT_ID} nor {PRIVATE_KEY} is set",
            "Give the step the repository's variable and the environment's secret of those names; "
            "`mergequeue describe` says how they are made.",
        )
    return _lent(standing, key, repo, permissions)


def committer_of(standing: Standing, lent: AppToken) -> Identity:
    """Return who the app commits as."""
    return bot_of(lent.slug(), _client(standing, lent)).identity


def _lent(
    standing: Standing, key: AppKey, repo: RepoName, permissions: Mapping[str, str]
) -> AppToken:
    clock = standing.clock
    made = app_token(key, repo, Transport(clock), addresses_of(os.environ), clock, permissions)
    made.on_new = partial(mask, standing)
    return made


def _client(standing: Standing, credential: Credential) -> Client:
    clock, tell = standing.clock, standing.terminal.line
    return Client(Transport(clock), addresses_of(os.environ), credential, clock, tell)


def _writing() -> FixedToken | AppKey:
    return app_key(os.environ) or given_write_token(os.environ)


def mask(standing: Standing, secret: str) -> None:
    """Have the runner, if there is one, hide a text from now on."""
    runner = Runner.of(os.environ, standing.terminal.command)
    if runner is not None:
        runner.mask(secret)
