"""What a hook may reach, decided from the base's configuration (seed 1, Trust model).

    [sandbox]
    mode = "best-effort"                    or "required"
    allow = ["/srv/data", "write:/srv/cache", "run:/srv/tools", "run+write:/srv/sdk"]
    passthrough = ["HTTPS_PROXY"]
    tcp_connect = [443]                     TCP is confined where one of these two is there
    tcp_bind = []
    udp = false
    unix_sockets = true

Nothing of a candidate's own file is ever looked at.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from mergequeue.documents.config import SandboxTable
from mergequeue.hooks import landlock
from mergequeue.hooks.landlock import Access
from mergequeue.vocabulary.errors import NO_SANDBOX, SANDBOX_GRANT, WEAKER_SANDBOX
from mergequeue.vocabulary.text import quoted
from mergequeue.vocabulary.words import SandboxMode

MODE_VARIABLE = "MERGEQUEUE_SANDBOX"
"""Names the mode to whatever a hook runs, a queue among it."""

_ACCESSES = {"read": Access.READ, "run": Access.RUN, "write": Access.WRITE}
_ORDER = (SandboxMode.BEST_EFFORT, SandboxMode.REQUIRED)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_NEVER_PASSED = ("MERGEQUEUE_", "GITHUB_", "ACTIONS_", "RUNNER_")
"""The queue's own token, the job's token, its file commands and its runtime are named so."""
_KEPT_BY_THE_QUEUE = re.compile(r"(PATH|HOME|TMPDIR|XDG_\w+|GIT_CONFIG_\w+)\Z")


@dataclass(frozen=True)
class Grant:
    """A path, and what a hook may do beneath it."""

    path: str
    access: Access


@dataclass(frozen=True)
class Tcp:
    """Which TCP ports a hook may use; None where any."""

    connect: tuple[int, ...] | None = None
    bind: tuple[int, ...] | None = None
    udp: bool = False
    """Whether UDP is left open where TCP is confined."""

    @property
    def is_confined(self) -> bool:
        """Whether there is anything that a hook may not do."""
        return self.connect is not None or self.bind is not None


@dataclass(frozen=True)
class Asked:
    """What the base's `[sandbox]` asks for, checked."""

    mode: SandboxMode = SandboxMode.BEST_EFFORT
    allow: tuple[Grant, ...] = ()
    passthrough: tuple[str, ...] = ()
    tcp: Tcp = field(default_factory=Tcp)
    unix_sockets: bool = True


@dataclass(frozen=True)
class Sandbox:
    """The policy of every hook of a run, for this machine."""

    mode: SandboxMode
    grants: tuple[Grant, ...] = ()
    """What it may reach outside its own box."""
    passthrough: tuple[str, ...] = ()
    """Variables of the queue's environment that it gets besides."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Where toolchains lie that look for themselves under HOME."""
    tcp: Tcp = field(default_factory=Tcp)
    unix_sockets: bool = True
    """Whether it may make Unix sockets that are no pair."""
    abi: int = 0
    """landlock's version, as far as it is used; 0 where the kernel confines nothing."""
    machine: str = ""
    """The architecture, as `uname -m` names it."""


@dataclass(frozen=True)
class Ability:
    """What this machine's kernel can do to confine a hook."""

    abi: int = 0
    knows_machine: bool = False
    """Whether there is a filter of system calls for its architecture."""
    drops_capabilities: bool = True
    sockets: tuple[str, ...] = ()
    """Unix sockets within reach of the queue's user that give away the machine, or the user."""


def decide_asked(table: SandboxTable) -> Asked:
    """Return what `[sandbox]` asks for; raise SANDBOX_GRANT for a grant that is none."""
    return Asked(
        table.mode,
        tuple(_grant(entry) for entry in table.allow),
        tuple(_passed(name) for name in table.passthrough),
        Tcp(table.tcp_connect, table.tcp_bind, table.udp),
        table.unix_sockets,
    )


def decide_mode(asked: SandboxMode, option: SandboxMode | None, outer: str | None) -> SandboxMode:
    """Return the strictest of what the base, the option and the hook around this queue ask for.

    `outer` is MERGEQUEUE_SANDBOX as it stands in the environment. Raises WEAKER_SANDBOX for an
    option that is weaker than it, and where it names no mode.
    """
    around = None
    if outer is not None:
        if outer not in _ORDER:
            raise WEAKER_SANDBOX(f"{MODE_VARIABLE} is {quoted(outer)}, which is no mode")
        around = SandboxMode(outer)
        if option is not None and _ORDER.index(option) < _ORDER.index(around):
            raise WEAKER_SANDBOX(f"--sandbox={option} inside a hook whose sandbox is {around}")
    wanted = [mode for mode in (asked, option, around) if mode is not None]
    return max(wanted, key=_ORDER.index)


def shortfalls(ability: Ability, asked: Asked) -> tuple[str, ...]:
    """Return what the kernel cannot confine that `required` asks for."""
    if ability.abi == 0:
        return ("this system has no landlock, so the kernel confines nothing",)
    found = []
    tcp = asked.tcp
    is_filtered = tcp.is_confined or not asked.unix_sockets
    if ability.abi < landlock.USABLE:
        found.append("landlock has ABI 1, under which no build tool works, so it is not used")
    elif ability.abi < landlock.WHOLE:
        found.append("landlock has ABI 2, under which files outside can be truncated")
    if tcp.is_confined and ability.abi < landlock.TCP:
        found.append(f"landlock has ABI {ability.abi}, which knows no TCP ports")
    if is_filtered and not ability.knows_machine:
        found.append("other kinds of sockets cannot be refused on this architecture")
    if not ability.drops_capabilities:
        found.append("root's capabilities cannot be dropped here, and some lead past landlock")
    return (*found, *_open_sockets(ability, asked))


def _open_sockets(ability: Ability, asked: Asked) -> tuple[str, ...]:
    """Return a sentence where a hook can ask a program outside to do what it may not do itself."""
    named = {grant.path for grant in asked.allow if Access.WRITE in grant.access}
    within = sorted(set(ability.sockets) - named) if asked.unix_sockets else []
    if not within:
        return ()
    listed = ", ".join(quoted(path) for path in within)
    sentence = (
        f"landlock keeps no hook from {listed}, through which it can do what it may not do itself: "
        "close it to the queue's user, set sandbox.unix_sockets to false, or allow it by name "
        f'("write:{quoted(within[0])}")'
    )
    return (sentence,)


def smaller_shortfalls(ability: Ability) -> tuple[str, ...]:
    """Return what it cannot confine that is said, and refused by no mode."""
    if landlock.USABLE <= ability.abi < landlock.SIGNALS:
        return (f"landlock has ABI {ability.abi}, which keeps no signal inside",)
    return ()


def decide_abi(mode: SandboxMode, ability: Ability, asked: Asked) -> int:
    """Return the ABI to use, 0 for none; raise NO_SANDBOX where `required` cannot be had."""
    missing = shortfalls(ability, asked)
    if missing and mode is SandboxMode.REQUIRED:
        raise NO_SANDBOX("; ".join(missing))
    return ability.abi if ability.abi >= landlock.USABLE else 0


def _grant(entry: str) -> Grant:
    words, colon, path = entry.partition(":")
    access = Access.READ
    if colon and not words.startswith("/"):
        for word in words.split("+"):
            if word not in _ACCESSES:
                known = ", ".join(_ACCESSES)
                raise _bad("allow", entry, f"{quoted(word)} is no access; known are {known}")
            access |= _ACCESSES[word]
    else:
        path = entry
    return Grant(_checked_path(path, entry), access)


def _checked_path(path: str, entry: str) -> str:
    if not path.startswith("/"):
        raise _bad("allow", entry, "the path is not absolute (a `~` is not read either)")
    if "\0" in path or ".." in path.split("/"):
        raise _bad("allow", entry, "the path holds `..` or a NUL character")
    plain = str(PurePosixPath("/" + path.lstrip("/")))
    if plain == "/":
        raise _bad("allow", entry, "the whole machine cannot be granted")
    return plain


def _passed(name: str) -> str:
    if not _NAME.match(name):
        raise _bad("passthrough", name, "it names no variable")
    if name.startswith(_NEVER_PASSED):
        raise _bad(
            "passthrough", name, "variables of the queue and of its CI job never reach a hook"
        )
    if _KEPT_BY_THE_QUEUE.match(name):
        raise _bad("passthrough", name, "the queue sets it itself")
    return name


def _bad(key: str, entry: str, why: str) -> Exception:
    return SANDBOX_GRANT(f"sandbox.{key}: {quoted(entry)}: {why}")


_MACHINE = r"docker|containerd|podman|crio|buildkitd|libvirt-sock|lxd/unix|incus/unix"
_AGENTS = r"ssh-[^/]+/agent\.\d+|S\.gpg-agent[^/]*|keyring/ssh|ssh-agent[^/]*"
_STARTERS = r"systemd/private|user/\d+/bus|tmp/dbus-[^/]+"
_SCREENS = r"\.X11-unix/X\d+|tmux-\d+/[^/]+|screens?/S-[^/]+/[^/]+|emacs\d*/[^/]+|vscode-[^/]+"
_TELLING = re.compile(rf"/([^/]*({_MACHINE})[^/]*\.sock|{_AGENTS}|{_STARTERS}|{_SCREENS})\Z")
_OF_ROOT = "/dbus/system_bus_socket"


def gives_away(socket: str, *, to_root: bool) -> bool:
    """Whether who may connect to a Unix socket can have things done outside any sandbox."""
    return bool(_TELLING.search(socket)) or (to_root and socket.endswith(_OF_ROOT))


def is_inside(path: str, place: str) -> bool:
    """Whether an absolute path is a place or lies beneath it; neither holds a link."""
    return path == place or path.startswith(place.rstrip("/") + "/")


def may_run(program: str, box: Sequence[str], sandbox: Sandbox) -> bool:
    """Whether the policy lets a program run, by its path with no link left in it (seed 1).

    It lies in the hook's own folders, or beneath a path that may be run.
    """
    runnable = [grant.path for grant in sandbox.grants if Access.RUN in grant.access]
    return any(is_inside(program, place) for place in (*box, *runnable))
