"""Clients of the fake: the app that writes, the job that reads, and people."""

from collections.abc import Iterator

import pytest

from tests.fakes.client import Client, client
from tests.fakes.github.story import GitHub


@pytest.fixture
def app(github: GitHub) -> Iterator[Client]:
    """The queue's app, with what it needs."""
    with client(github, github.writer) as made:
        yield made


@pytest.fixture
def job(github: GitHub) -> Iterator[Client]:
    """A job's own token, which reads."""
    with client(github, github.reader) as made:
        yield made


@pytest.fixture
def admin(github: GitHub) -> Iterator[Client]:
    """A person who administers the repository."""
    with client(github, github.token("admin")) as made:
        yield made


@pytest.fixture
def anybody(github: GitHub) -> Iterator[Client]:
    """Somebody without a token."""
    with client(github, None) as made:
        yield made
