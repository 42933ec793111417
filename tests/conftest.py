"""Guards around every test: no home, no settings of whoever runs them, no network."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.fakes.github.fixtures import github  # noqa: F401  a fixture for every test
from tests.support.repositories import playground  # noqa: F401  a fixture for every test

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile("dev")

# What a person's shell or a CI job may carry that git, the program, or rich would act on.
_CARRIED = (
    "ACTIONS_",
    "CLICOLOR",
    "COLUMNS",
    "EMAIL",
    "FORCE_COLOR",
    "GH_",
    "GITHUB_",
    "GIT_",
    "LINES",
    "MERGEQUEUE_",
    "NO_COLOR",
    "RUNNER_",
    "SSH_",
    "XDG_",
)
_REAL_HOME = os.environ.get("HOME", "/")
_LOCAL = ("127.0.0.1", "::1", "localhost")


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.connect":
        address = arguments[1]  # a string or bytes for a Unix socket
        host = address[0] if isinstance(address, tuple) else None
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    if host is not None and host not in _LOCAL:
        message = f"a test reached for the network: {host!r}"
        raise RuntimeError(message)


# An audit hook stays for the life of the process, which is what a guard should do.
sys.addaudithook(_refuse_network)


@pytest.fixture(scope="session")
def real_home() -> str:
    """The home of whoever runs the tests, for the few that need its settings (of pip)."""
    return _REAL_HOME


@pytest.fixture(scope="session", autouse=True)
def _guards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(_CARRIED):
                patch.delenv(name)
        patch.setenv("HOME", str(home))
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("GIT_ALLOW_PROTOCOL", "file")
        patch.setenv("GIT_TERMINAL_PROMPT", "0")
        yield home
