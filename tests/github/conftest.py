"""A server that answers as a test tells it to, and a client of it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from mergequeue.documents.provider import RetargetRequest
from mergequeue.github.addresses import Addresses, RepoName, addresses_of
from mergequeue.github.client import Client
from mergequeue.github.credentials import FixedToken
from mergequeue.github.reading import GitHubReads
from mergequeue.github.transport import Received, Sent, Transport
from mergequeue.github.writing import GitHubWrites
from mergequeue.vocabulary.ids import BranchName, ChangeId
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.support.answering import Answers, PassingClock, answering

SECRET = "ghs_notToBeShown"


@pytest.fixture(scope="session")
def _server() -> Iterator[Answers]:
    with answering() as answers:
        yield answers


@pytest.fixture
def server(_server: Answers) -> Answers:
    _server.asked.clear()
    return _server


@dataclass
class Calls:
    """A client, and what it waited for and said."""

    client: Client
    clock: PassingClock
    said: list[str] = field(default_factory=list)


@pytest.fixture
def calls(server: Answers) -> Calls:
    clock, said = PassingClock(), list[str]()
    addresses = Addresses(server.root, f"{server.root}/graphql", server.root)
    client = Client(Transport(clock), addresses, FixedToken(SECRET), clock, said.append)
    return Calls(client, clock, said)


@dataclass
class Watched:
    """A transport that lets something happen right before a request is sent."""

    inner: Transport
    hooks: list[Callable[[Sent], None]] = field(default_factory=list)
    changes: list[tuple[str, Callable[[Any], object]]] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)

    def send(self, sent: Sent, token: str) -> Received:
        self.sent.append(f"{sent.method} {sent.address}")
        for hook in self.hooks:
            hook(sent)
        received = self.inner.send(sent, token)
        for part, change in self.changes:
            if part in sent.address or part in str(sent.body):
                value = json.loads(received.raw)
                change(value)
                received = replace(received, raw=json.dumps(value).encode())
        return received


@dataclass
class Provider:
    """The provider over the fake GitHub, with a clock that passes while it sleeps."""

    reads: GitHubReads
    writes: GitHubWrites
    clock: PassingClock
    said: list[str]
    github: GitHub
    reading: Watched
    writing: Watched

    def when_asked(
        self, method: str, part: str, nth: int, happens: Callable[[], object]
    ) -> list[str]:
        """Let something happen right before the nth such request; returns them as they come."""
        seen: list[str] = []

        def hook(sent: Sent) -> None:
            if sent.method == method and part in sent.address:
                seen.append(sent.address)
                if len(seen) == nth:
                    happens()

        self.reading.hooks.append(hook)
        self.writing.hooks.append(hook)
        return seen

    def asked(self, method: str) -> list[str]:
        """Return what the writing side asked by a method."""
        return [line for line in self.writing.sent if line.startswith(method)]

    def retarget(self, pull: Pull, base: str) -> None:
        """Point a pull request at another base."""
        request = RetargetRequest(change=ChangeId(str(pull.number)), base=BranchName(base))
        self.writes.retarget(request)

    @contextmanager
    def spoiled(self, part: str, change: Callable[[Any], object]) -> Iterator[None]:
        """Change every answer to a request whose address or query holds `part`, on its way."""
        for watched in (self.reading, self.writing):
            watched.changes.append((part, change))
        yield
        for watched in (self.reading, self.writing):
            watched.changes.clear()


def provider_of(github: GitHub, app: str = "acme-queue") -> Provider:
    """Return the provider for the fake's own repository."""
    clock, said = PassingClock(), list[str]()
    addresses = addresses_of({"GITHUB_API_URL": github.api_url, "GITHUB_SERVER_URL": github.url})
    watched = [Watched(Transport(clock)) for _ in range(2)]
    reader, writer, rerunner = (
        Client(one, addresses, FixedToken(token.text), clock, said.append)
        for one, token in zip(
            (*watched, watched[-1]), (github.reader, github.writer, github.rerunner), strict=True
        )
    )
    repo = RepoName("acme", "acme")
    return Provider(
        GitHubReads(reader, repo, tell=said.append, app=app),
        GitHubWrites(writer, repo, tell=said.append, rerunning=lambda: rerunner, app=app),
        clock,
        said,
        github,
        *watched,
    )


@pytest.fixture
def provider(github: GitHub) -> Provider:
    """The provider over the test's own GitHub."""
    return provider_of(github)
