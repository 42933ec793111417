"""Which folders of a machine are its system and its toolchains: a hook may read and run those.

- The system's own trees are the same everywhere, and stand in a table.
- A toolchain is found by `PATH`, as the hook finds it: the folder on it, and what an installation
  has beside a `bin`: `lib`, `share` and the like. In the home of a user that is all: never what
  else lies in the home, and of `~/.cargo` not the credentials.
- Where a program on `PATH` is a link, what it leads to is a toolchain too.
- Some toolchains look for themselves under `HOME`, which a hook has another one of; they stand in a
  table, with the variable that leads them back.

landlock can allow a tree and refuse nothing in it. So a tree that holds something private (a home,
the temporary folder, the queue's own) is granted as the folders in it that do not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from mergequeue.hooks.landlock import Access
from mergequeue.hooks.policy import Grant, is_inside

RUN = Access.READ | Access.RUN

SYSTEM = (
    *(Grant(f"/{name}", RUN) for name in ("bin", "lib", "lib32", "lib64", "libx32", "sbin", "usr")),
    *(Grant(path, RUN) for path in ("/opt", "/nix/store", "/gnu/store", "/snap")),
    Grant("/home/linuxbrew/.linuxbrew", RUN),
    *(Grant(path, Access.READ) for path in ("/etc", "/proc")),
    *(Grant(f"/sys/{name}", Access.READ) for name in ("devices/system", "fs/cgroup", "kernel/mm")),
    *(Grant(f"/var/{name}", Access.READ) for name in ("lib/dpkg", "lib/rpm", "cache/fontconfig")),
)
RESOLVED = ("/etc/resolv.conf", "/etc/hosts", "/etc/localtime")
"""Files of the system that are often links to somewhere else."""
DEVICES = tuple(
    Grant(f"/dev/{name}", Access.DEVICE) for name in ("null", "zero", "full", "random", "urandom")
)
MEMORY = "/dev/shm"  # noqa: S108 (no temporary file: where semaphores and shared memory have to lie)
"""Where the C library makes semaphores and shared memory, and nowhere else."""

_BIN = frozenset({"bin", "sbin", "shims", "cmd"})
_BESIDE_BIN = (
    *("bin", "sbin", "lib", "lib32", "lib64", "libexec", "include", "share"),
    *("gems", "specifications", "extensions"),
)
_NODE_BIN = ".bin"
"""Node's: what lies around it is what its programs are made of."""
_LOCAL = ".local"
_DATA = "share"
"""In `~/.local` it holds what programs keep for their user, keyrings among it."""
_WHOLE = ("pyvenv.cfg", "conda-meta", "lib/modules", "jre/lib/rt.jar", "pkg/tool", "bin/mvn")
"""What tells a whole installation by: of Python, conda, Java, Go, Maven."""

_ENVS = ("bin", "libexec", "plugins", "shims", "versions", "version")


@dataclass(frozen=True)
class ToolHome:
    """A toolchain that looks for itself under HOME unless a variable says where it lies."""

    variable: str
    folder: str
    """Where it is under a home, unless the variable says otherwise."""
    parts: tuple[str, ...]
    """What in it is toolchain."""
    beside: str = ""
    """The folder under a home that is on PATH where it is used; the toolchain's own unless set."""


TOOL_HOMES = (
    ToolHome("RUSTUP_HOME", ".rustup", ("toolchains", "settings.toml"), ".cargo/bin"),
    ToolHome("PYENV_ROOT", ".pyenv", _ENVS),
    ToolHome("RBENV_ROOT", ".rbenv", _ENVS),
    ToolHome("NODENV_ROOT", ".nodenv", _ENVS),
    ToolHome("GOENV_ROOT", ".goenv", _ENVS),
    ToolHome("VOLTA_HOME", ".volta", ("bin", "tools", "layout.v4")),
    ToolHome("ASDF_DATA_DIR", ".asdf", ("bin", "installs", "lib", "plugins", "shims")),
    ToolHome("MISE_DATA_DIR", ".local/share/mise", ("installs", "plugins", "shims")),
    ToolHome("SDKMAN_DIR", ".sdkman", ("candidates",)),
)


def beside(folder: str, homes: Sequence[str], exists: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the trees of the installation that a folder of programs belongs to."""
    place = PurePosixPath(folder)
    prefix = place.parent
    if place.name == _NODE_BIN:
        return (str(prefix),)
    if place.name not in _BIN or str(prefix) in {"/", *homes}:
        return (folder,)
    if any(exists(str(prefix / name)) for name in _WHOLE):
        return (str(prefix),)
    is_local = any(prefix == PurePosixPath(home) / _LOCAL for home in homes)
    names = [name for name in _BESIDE_BIN if not (is_local and name == _DATA)]
    return (folder, *(str(prefix / name) for name in names if exists(str(prefix / name))))


def tool_home(
    tool: ToolHome, set_to: str | None, homes: Sequence[str], path: Sequence[str]
) -> tuple[str, ...]:
    """Return where a toolchain may lie, the likeliest first; none where nothing asks for it."""
    if set_to is not None and set_to.startswith("/"):
        return (set_to,)
    asked = [
        home
        for home in homes
        if any(is_inside(folder, f"{home}/{tool.beside or tool.folder}") for folder in path)
    ]
    return tuple(f"{home}/{tool.folder}" for home in asked)


def without(
    path: str, kept_out: Sequence[str], children: Callable[[str], Iterable[str]]
) -> Iterator[str]:
    """Yield a path, or where it holds what is kept out, the paths in it that do not.

    `children` gives what lies directly in a folder, links left out. A path inside of what is kept
    out is yielded: it was named by itself.
    """
    if path in kept_out:
        return
    if not any(is_inside(place, path) for place in kept_out):
        yield path
        return
    for child in children(path):
        yield from without(child, kept_out, children)


def plainest(grants: Iterable[Grant]) -> tuple[Grant, ...]:
    """Return the grants without those that say nothing beside another."""
    whole: dict[str, Access] = {}
    for grant in grants:
        whole[grant.path] = whole.get(grant.path, grant.access) | grant.access
    return tuple(
        Grant(path, access)
        for path, access in whole.items()
        if not any(
            access & ~whole.get(str(parent), Access(0)) == Access(0)
            for parent in PurePosixPath(path).parents
        )
    )
