"""Where GitHub is, and how a repository is called there: the one place that makes addresses.

    github.com         https://api.github.com        .../graphql        https://github.com
    <name>.ghe.com     https://api.<name>.ghe.com    .../graphql        https://<name>.ghe.com
    Enterprise Server  https://<host>/api/v3         .../api/graphql    https://<host>

All of it comes from the two variables that a runner sets, GITHUB_API_URL and GITHUB_SERVER_URL
(facts 1.1; CASES D). Credentials go nowhere but there, so anything else than https is refused,
this machine's own loopback aside.
"""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NewType
from urllib.parse import SplitResult, quote, urlsplit

from mergequeue.vocabulary.errors import BAD_REMOTE, PROVIDER_FAILED, USAGE
from mergequeue.vocabulary.text import quoted

ApiPath = NewType("ApiPath", str)
"""The path of a request, each of its segments percent-encoded, starting with `/`."""

API = "GITHUB_API_URL"
SERVER = "GITHUB_SERVER_URL"

_DEFAULT_SERVER = "https://github.com"
_ENTERPRISE = "/api/v3"
_SCP = re.compile(r"(?P<user>[^@/:]+@)?(?P<host>[^@/:\[\]]+):(?!//)(?P<path>.+)\Z")
_NAME = re.compile(r"[A-Za-z0-9._-]+\Z")
_SET = f"Set {API} and {SERVER} as the runner of that GitHub does."


@dataclass(frozen=True)
class Addresses:
    """The addresses of one GitHub, without a slash at their end."""

    rest: str
    graphql: str
    web: str
    """What people open, and git clones from."""

    @property
    def host(self) -> str:
        """The web host as `gh -R <host>/<owner>/<name>` takes it, its port included."""
        return urlsplit(self.web).netloc

    @property
    def is_enterprise_server(self) -> bool:
        """Whether it is a GitHub that somebody runs themselves, which lacks what came later."""
        return self.rest.endswith(_ENTERPRISE)


@dataclass(frozen=True)
class RepoName:
    """How a repository is called."""

    owner: str
    name: str

    def __str__(self) -> str:
        """Return it as GitHub writes it."""
        return f"{self.owner}/{self.name}"

    def path(self, *segments: str | int) -> ApiPath:
        """Return the path of something of this repository."""
        return api_path("repos", self.owner, self.name, *segments)

    def clone_address(self, addresses: Addresses) -> str:
        """Return where git fetches it from and pushes it to."""
        return f"{addresses.web}/{self}.git"

    def is_same(self, other: "RepoName") -> bool:
        """Whether the two are one repository: GitHub does not tell letters' case apart."""
        return str(self).casefold() == str(other).casefold()


def addresses_of(environment: Mapping[str, str]) -> Addresses:
    """Return the addresses that the runner's two variables name, github.com's without them.

    Where only one of them is set, the other follows from it. Raises USAGE for what is no address.
    """
    api, server = (environment.get(name, "").strip().rstrip("/") for name in (API, SERVER))
    rest = _checked(api, API) if api else ""
    web = _checked(server, SERVER) if server else ""
    rest = rest or _rest_of(web or _DEFAULT_SERVER)
    web = web or _web_of(rest)
    graphql = f"{rest.removesuffix('/v3')}/graphql" if rest.endswith(_ENTERPRISE) else ""
    return Addresses(rest, graphql or f"{rest}/graphql", web)


def api_path(*segments: str | int) -> ApiPath:
    """Return the path that the segments make, with only letters, digits and `-._~` left bare.

    Raises PROVIDER_FAILED for an empty segment and for `.` and `..`, which would name another path.
    """
    texts = [str(segment) for segment in segments]
    for text in texts:
        if text in {"", ".", ".."}:
            raise PROVIDER_FAILED(f"{quoted(text) or 'an empty text'} is no part of an address")
    return ApiPath("".join(f"/{quote(text, safe='')}" for text in texts))


def repo_named(text: str) -> RepoName:
    """Return the repository that `<owner>/<name>` names; raise BAD_REMOTE for any other form."""
    owner, _, name = text.partition("/")
    if not _is_name(owner) or not _is_name(name):
        raise BAD_REMOTE(
            f"{quoted(text)} is no repository of GitHub's", "Name it as <owner>/<name>."
        )
    return RepoName(owner, name)


def repo_of(remote_url: str, addresses: Addresses) -> RepoName:
    """Return which repository of this GitHub a remote's address names.

    It is `git@HOST:o/r`, `https://HOST/o/r` or `ssh://git@HOST/o/r`, with or without `.git`.
    Raises BAD_REMOTE for any other form, and for another host than the one that is asked.
    """
    host, path = _host_and_path(remote_url)
    if not _is_host(host, addresses, is_web=remote_url.lower().startswith("http")):
        raise BAD_REMOTE(f"the remote is on {quoted(host)}, and not on {addresses.host}", _SET)
    return repo_named(path.strip("/").removesuffix(".git"))


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself, so that nothing sent there leaves it."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_safe(address: SplitResult) -> bool:
    """Whether what is sent to an address can be read by nobody on the way."""
    host = address.hostname or ""
    return address.scheme == "https" or (address.scheme == "http" and is_loopback(host))


def _checked(text: str, variable: str) -> str:
    try:
        address = urlsplit(text)
        whole = bool(address.hostname) and (address.port is None or address.port > 0)
    except ValueError:
        raise USAGE(f"{variable} is no address", _SET) from None
    if not whole or "@" in address.netloc or address.query or address.fragment:
        raise USAGE(f"{variable} is no address of a server", _SET)
    if not is_safe(address):
        raise USAGE(f"{variable} is no https address, so a credential could be read on the way")
    return text


def _rest_of(web: str) -> str:
    address = urlsplit(web)
    host = address.hostname or ""
    if host == "github.com" or host.endswith(".ghe.com"):
        return f"{address.scheme}://api.{address.netloc}"
    return f"{web}{_ENTERPRISE}"


def _web_of(rest: str) -> str:
    address = urlsplit(rest)
    host = address.netloc if rest.endswith(_ENTERPRISE) else address.netloc.removeprefix("api.")
    return f"{address.scheme}://{host}"


def _host_and_path(remote_url: str) -> tuple[str, str]:
    scp = _SCP.match(remote_url)
    if scp is not None:
        return scp["host"], scp["path"]
    try:
        address = urlsplit(remote_url)
        is_ssh = address.scheme == "ssh"
        if (is_ssh or is_safe(address)) and address.hostname:
            return (address.hostname if is_ssh else _bare(address)), address.path
    except ValueError:
        pass
    raise BAD_REMOTE(
        "the remote's address names no repository of GitHub's",
        "Its forms are git@HOST:OWNER/REPO, https://HOST/OWNER/REPO and ssh://git@HOST/OWNER/REPO.",
    )


def _bare(address: SplitResult) -> str:
    return address.netloc.rpartition("@")[2]


def _is_host(host: str, addresses: Addresses, *, is_web: bool) -> bool:
    web = urlsplit(addresses.web)
    if is_web:
        return host.lower() == web.netloc.lower()
    # A name without a dot is one that the person's ssh configuration gives a meaning.
    known = {web.hostname, f"ssh.{web.hostname}"}
    return host.lower() in known or "." not in host


def _is_name(text: str) -> bool:
    return bool(_NAME.match(text)) and text not in {".", ".."}
