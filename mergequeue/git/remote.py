"""The remote as the user's own configuration of the checkout has it: pure reading of that listing.

Of all that configuration only what reaching the remote takes is used: its address, and the
settings of transports (`credential.*`, `http.*`, `url.*`, `core.sshCommand`, `ssh.variant`);
beside it, whom the person trusts (`safe.directory`) and who they are (`user.name`, `user.email`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from mergequeue.git.environment import Setting
from mergequeue.vocabulary.errors import BAD_REMOTE
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.text import quoted

NAME = "queue"
"""What the queue's own repository calls the remote, whatever the checkout calls it."""

_TRANSPORT_PREFIXES = ("credential.", "http.", "url.")
_TRANSPORT_KEYS = frozenset({"core.sshcommand", "ssh.variant"})
_REMOTE_KEYS = frozenset({"url", "pushurl", "proxy", "proxyauthmethod"})
_PROTECTED = frozenset({"system", "global", "command"})
_USER_PART = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*://)([^/]*)@")


@dataclass(frozen=True)
class Remote:
    """How the remote is reached."""

    address: str
    """Its first address as configured, without credentials."""
    settings: tuple[Setting, ...]
    """What git is given to reach it under the name `queue`; some of it may be secret."""
    secrets: frozenset[str]
    """The texts in `settings` that must never be shown."""


@dataclass(frozen=True)
class GitConfiguration:
    """The user's effective configuration of the checkout, in git's order."""

    settings: tuple[Setting, ...]
    trusted: tuple[str, ...]
    """The values of `safe.directory` that git listens to: those that no repository sets itself."""


def parse_configuration(listing: bytes) -> GitConfiguration:
    """Return what `git config --list -z --show-scope` lists; a key without a value is true."""
    texts = listing.decode("utf-8", errors="surrogateescape").split("\0")
    settings: list[Setting] = []
    trusted = []
    for scope, entry in zip(texts[::2], texts[1::2], strict=False):
        key, found, value = entry.partition("\n")
        settings.append((key, value if found else "true"))
        if key == "safe.directory" and scope in _PROTECTED:
            trusted.append(value)
    return GitConfiguration(tuple(settings), tuple(trusted))


def render_trusted(configuration: GitConfiguration) -> str:
    """Return a file of git configuration that trusts the folders which the user trusts."""
    lines = [f"\tdirectory = {_quoted(folder)}\n" for folder in configuration.trusted]
    return "".join(["[safe]\n", *lines])


def remote_of(settings: Sequence[Setting], name: str) -> Remote:
    """Return the remote configured under `name`; raise BAD_REMOTE where there is none."""
    prefix = f"remote.{name}."
    own = [(key[len(prefix) :], value) for key, value in settings if key.startswith(prefix)]
    address = next((value for key, value in own if key == "url" and value), None)
    if address is None:
        raise BAD_REMOTE(_no_such(settings, name))
    chosen: list[Setting] = [
        (key, value)
        for key, value in settings
        if key.startswith(_TRANSPORT_PREFIXES) or key in _TRANSPORT_KEYS
    ]
    # The first of each: git would push to every address, and there is one remote to lease from.
    first = {key: value for key, value in reversed(own) if key in _REMOTE_KEYS and value}
    chosen += [(f"remote.{NAME}.{key}", value) for key, value in first.items()]
    return Remote(without_credentials(address), tuple(chosen), _secrets(chosen))


def without_credentials(address: str) -> str:
    """Return an address without its password, and for HTTP without its user (it may be a token)."""
    found = _USER_PART.match(address)
    if found is None:
        return address
    scheme, user = found[1], found[2].partition(":")[0]
    kept = "" if scheme.lower().startswith("http") else f"{user}@"
    return f"{scheme}{kept}{address[found.end() :]}"


def user_of(settings: Sequence[Setting]) -> Identity | None:
    """Return who the settings say commits; None where they name nobody whole."""
    last = dict(settings)
    name, email = (_shown(last.get(key, "")) for key in ("user.name", "user.email"))
    return Identity(name, email) if name and email else None


def is_partial(settings: Sequence[Setting]) -> bool:
    """Whether the settings say that the repository may lack objects which a remote promised."""
    return any(
        key == "extensions.partialclone"
        or (key.startswith("remote.") and key.endswith(".partialclonefilter"))
        or (key.startswith("remote.") and key.endswith(".promisor") and _is_true(value))
        for key, value in settings
    )


def _shown(value: str) -> str:
    return value.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _is_true(value: str) -> bool:
    return value.lower() not in {"false", "no", "off", "0", ""}


def _no_such(settings: Sequence[Setting], name: str) -> str:
    names = sorted(
        {
            key.removeprefix("remote.").removesuffix(".url")
            for key, _ in settings
            if key.startswith("remote.") and key.endswith(".url")
        }
    )
    known = ", ".join(quoted(each) for each in names) or "none"
    return f"{quoted(without_credentials(name))} is no remote of the checkout (it has: {known})"


def _secrets(settings: Sequence[Setting]) -> frozenset[str]:
    found: set[str] = set()
    for key, value in settings:
        for text in (value, key.removeprefix("url.")):
            user = _USER_PART.match(text)
            if user is not None:
                found |= _credentials(user[2], token=user[1].lower().startswith("http"))
        if key.startswith("http.") and key.endswith(".extraheader"):
            found |= {value, value.partition(":")[2].strip(), value.rpartition(" ")[2]}
    return frozenset(found - {""})


def _credentials(user: str, *, token: bool) -> set[str]:
    name, colon, password = user.partition(":")
    shown = {password} if colon else ({name} if token else set())
    return shown | {unquote(text) for text in shown}
