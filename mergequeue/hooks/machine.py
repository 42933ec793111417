"""Reads what a sandbox is made from on this machine: its kernel, its trees, what is private."""

import os
import pwd
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mergequeue.hooks import trees
from mergequeue.hooks.capabilities import may_be_dropped
from mergequeue.hooks.environment import path_folders
from mergequeue.hooks.landlock import Access
from mergequeue.hooks.policy import (
    Ability,
    Asked,
    Grant,
    Sandbox,
    decide_abi,
    gives_away,
    is_inside,
)
from mergequeue.hooks.syscall_filter import knows_machine
from mergequeue.hooks.warden import abi
from mergequeue.vocabulary.words import SandboxMode

_TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108 (kept out of what a hook may reach)
_RUNS = ("mq-", "mergequeue-")
"""How the folders of runs are named, of this one and of others."""
_RUNNER_PLACES = (
    *("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"),
    *("GITHUB_EVENT_PATH", "GITHUB_WORKSPACE", "RUNNER_TEMP", "RUNNER_WORKSPACE"),
)
_SOCKETS = (
    *("/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock"),
    *("/run/crio/crio.sock", "/run/buildkit/buildkitd.sock", "/var/lib/incus/unix.socket"),
    *("/tmp/.X11-unix/X0", "/run/systemd/private"),  # noqa: S108 (looked at, and never made)
)
_USER_SOCKETS = ("bus", "systemd/private", "docker.sock", "podman/podman.sock")
_SOCKET_VARIABLES = ("DOCKER_HOST", "CONTAINER_HOST", "SSH_AUTH_SOCK")
_SECRETS = (
    *(f"/etc/{name}" for name in ("shadow", "shadow-", "gshadow", "gshadow-", "sudoers")),
    *(f"/etc/{name}" for name in ("sudoers.d", "ssl/private", "pki/tls/private", "krb5.keytab")),
)
"""Kept from root's hooks by name too: one of them may have opened it to all in an earlier run."""
_OTHERS_MAY = {True: stat.S_IROTH | stat.S_IXOTH, False: stat.S_IROTH}
_ROOT = 0


def read_ability(outside: Mapping[str, str]) -> Ability:
    """Return what the kernel can confine of a hook that a queue in this environment starts."""
    dropped = True
    if os.geteuid() == _ROOT:
        masks = _capability_masks()
        dropped = may_be_dropped(masks.get("CapEff", 0), masks.get("CapBnd", 0))
    return Ability(abi(), knows_machine(os.uname().machine), dropped, tuple(_open_sockets(outside)))


def make_sandbox(
    asked: Asked,
    mode: SandboxMode,
    outside: Mapping[str, str],
    private: Sequence[Path],
    checkouts: Sequence[Path],
) -> Sandbox:
    """Return the policy for this machine; raise NO_SANDBOX where `required` cannot be had.

    `private` are the folders of the queue itself, which no grant opens; `checkouts` hold commits of
    the repository, which only a grant that names them opens.
    """
    places = _Places(outside, private, checkouts)
    variables, homes = places.tool_homes()
    grants = [*places.system(), *places.toolchains(), *homes, *places.allowed(asked.allow)]
    return Sandbox(
        mode,
        trees.plainest(grants),
        asked.passthrough,
        variables,
        asked.tcp,
        asked.unix_sockets,
        decide_abi(mode, read_ability(outside), asked),
        os.uname().machine,
    )


@dataclass
class _Places:
    """The trees of this machine, with no link left in any path."""

    outside: Mapping[str, str]
    private: Sequence[Path]
    checkouts: Sequence[Path]
    homes: tuple[str, ...] = field(init=False)
    path: tuple[str, ...] = field(init=False)
    never: tuple[str, ...] = field(init=False)
    """What no grant opens."""
    kept_out: tuple[str, ...] = field(init=False)
    """What only a grant that names it opens."""

    def __post_init__(self) -> None:
        places = [self.outside[name] for name in _RUNNER_PLACES if self.outside.get(name)]
        temporary = _real((*_TEMPORARY, tempfile.gettempdir()))
        runs = [
            path
            for folder in temporary
            for path in _children(folder)
            if os.path.basename(path).startswith(_RUNS)  # noqa: PTH119 (paths here are text)
        ]
        self.never = (*_real([*map(str, self.private), *places]), *runs)
        self.homes = _real(_homes(self.outside))
        named = [*self.homes, *_real(map(str, self.checkouts)), *temporary]
        self.kept_out = (*self.never, *(each for each in named if each != "/"))
        self.path = _real(path_folders(self.outside.get("PATH", "")))

    def system(self) -> Iterator[Grant]:
        """Yield the system's trees, devices and shared memory."""
        closed = tuple(_closed_to_others()) if os.geteuid() == _ROOT else ()
        for grant in trees.SYSTEM:
            for place in _real([grant.path]):
                yield from self._granted(place, grant.access, (*self.kept_out, *closed))
        yield from (Grant(path, Access.READ) for path in _real(trees.RESOLVED))
        yield from trees.DEVICES
        for memory in _real([trees.MEMORY]):
            if not any(is_inside(place, memory) for place in self.kept_out):
                yield Grant(memory, Access.SHARED)

    def toolchains(self) -> Iterator[Grant]:
        """Yield the trees around the folders of PATH, and around what links in them lead to."""
        waiting, seen = list(self.path), set[str]()
        while waiting:
            folder = waiting.pop(0)
            if folder in seen:
                continue
            seen.add(folder)
            for place in trees.beside(folder, self.homes, os.path.exists):
                yield from self._granted(place, trees.RUN, self.kept_out)
            if is_inside(folder, "/usr") and not is_inside(folder, "/usr/local"):
                continue
            for target in _targets(folder):
                home = os.path.dirname(target)  # noqa: PTH120 (paths here are text)
                if os.path.basename(home) in {"bin", "sbin"}:  # noqa: PTH119 (as above)
                    waiting.append(home)
                yield from self._granted(target, trees.RUN, self.kept_out)

    def tool_homes(self) -> tuple[dict[str, str], list[Grant]]:
        """Return the variables that lead toolchains to where they lie, and their trees."""
        variables: dict[str, str] = {}
        grants: list[Grant] = []
        for tool in trees.TOOL_HOMES:
            set_to = self.outside.get(tool.variable)
            named = trees.tool_home(tool, set_to, self.homes, self.path)
            place = next(iter(_real(named)), None)
            if place is not None:
                variables[tool.variable] = place
                for part in _real(f"{place}/{part}" for part in tool.parts):
                    grants += self._granted(part, trees.RUN, self.kept_out)
        return variables, grants

    def allowed(self, grants: Sequence[Grant]) -> Iterator[Grant]:
        """Yield what the base allows, but for what no grant opens.

        A link that a hook could have put there is not followed out of what it may write.
        """
        writable = [grant.path for grant in grants if Access.WRITE in grant.access]
        for grant in grants:
            for place in _real([grant.path]):
                around = [path for path in writable if is_inside(grant.path, path)]
                if all(is_inside(place, os.path.realpath(path)) for path in around):
                    yield from self._granted(place, grant.access, self.never)

    def _granted(self, path: str, access: Access, kept_out: Sequence[str]) -> Iterator[Grant]:
        return (Grant(each, access) for each in trees.without(path, kept_out, _children))


def _homes(outside: Mapping[str, str]) -> Iterator[str]:
    if outside.get("HOME", "").startswith("/"):
        yield outside["HOME"]
    try:
        yield pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return


def _real(paths: Iterable[str]) -> tuple[str, ...]:
    """Return those that exist, each once and with no link left in it."""
    return tuple(
        dict.fromkeys(os.path.realpath(path) for path in paths if os.path.exists(path))  # noqa: PTH110 (as above)
    )


def _children(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if not entry.is_symlink())
    except OSError:
        return []


def _targets(folder: str) -> list[str]:
    """Return what the links in a folder lead to, outside of it."""
    try:
        with os.scandir(folder) as entries:
            links = [entry.path for entry in entries if entry.is_symlink()]
    except OSError:
        return []
    return [target for target in _real(links) if not is_inside(target, folder)]


def _closed_to_others() -> Iterator[str]:
    """Yield what is in /etc, or at the top of other trees, for root alone to read."""
    yield from _real(_SECRETS)
    for top, deep in (("/etc", True), ("/opt", False), ("/usr/local", False), ("/usr", False)):
        yield from _closed_in(top, deep=deep)


def _closed_in(folder: str, *, deep: bool) -> Iterator[str]:
    for child in _children(folder):
        try:
            mode = os.lstat(child).st_mode
        except OSError:
            continue
        needed = _OTHERS_MAY[stat.S_ISDIR(mode)]
        if mode & needed != needed:
            yield child
        elif deep and stat.S_ISDIR(mode):
            yield from _closed_in(child, deep=True)


def _open_sockets(outside: Mapping[str, str]) -> Iterator[str]:
    """Yield the Unix sockets that this user can connect to and that give more than they should.

    One that was mounted into a container is in no list of the kernel's, so the usual places and
    those that variables name are looked at too.
    """
    user = f"/run/user/{os.geteuid()}"
    named = [outside.get(name, "").removeprefix("unix://") for name in _SOCKET_VARIABLES]
    usual = [*_SOCKETS, *(f"{user}/{name}" for name in _USER_SOCKETS)]
    bound = [path for path in _bound() if gives_away(path, to_root=os.geteuid() == _ROOT)]
    paths = _real([*usual, *bound, *(path for path in named if path.startswith("/"))])
    for path in sorted(paths):
        if os.access(path, os.W_OK) and stat.S_ISSOCK(os.stat(path).st_mode):  # noqa: PTH116 (as above)
            yield path


def _bound() -> list[str]:
    """Return the paths that Unix sockets of this network are bound to."""
    try:
        text = Path("/proc/net/unix").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    return [line.split(maxsplit=7)[-1] for line in text.splitlines() if " /" in line]


def _capability_masks() -> dict[str, int]:
    """Return the sets of this process, as the kernel shows them."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return {}
    fields = (line.partition(":") for line in lines if line.startswith("Cap"))
    return {name: int(value, 16) for name, _, value in fields}
