"""A server that answers as a test tells it to, and a client of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from mergequeue.github.addresses import Addresses
from mergequeue.github.client import Client
from mergequeue.github.credentials import FixedToken
from mergequeue.github.transport import Transport
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
