"""Looking at the checkout once: whether the queue can work on it, and where its objects lie."""

import os
from dataclasses import dataclass
from pathlib import Path

from mergequeue.git.process import Git
from mergequeue.git.remote import (
    Remote,
    is_partial,
    parse_configuration,
    remote_of,
    render_trusted,
    user_of,
)
from mergequeue.vocabulary.errors import NOT_A_REPOSITORY, PARTIAL, SHALLOW
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.text import one_line


@dataclass(frozen=True)
class Checkout:
    """What is taken from the checkout."""

    folder: Path
    """Where a relative address of the remote starts: the work tree, or the bare repository."""
    folders: tuple[Path, ...]
    """Every folder that commits of the repository are checked out to, and the repository itself."""
    git_dir: Path
    """The repository itself, its configuration in it."""
    head: CommitId | None
    """The commit that is checked out there, where there is one."""
    shallow: Path
    """The file whose existence makes it shallow."""
    stores: tuple[Path, ...]
    """Its object folder, and those that it borrows from."""
    remote: Remote
    user: Identity | None
    """Who the person at the checkout is to git, where their configuration says."""
    trusted: str
    """git configuration that trusts the folders which the user trusts, and says nothing else."""


def look_at_checkout(git: Git, remote: str) -> Checkout:
    """Return what the queue needs of the repository that git's folder is in.

    Raises NOT_A_REPOSITORY, SHALLOW, PARTIAL or BAD_REMOTE where the queue cannot work on it.
    """
    shown = one_line(str(git.folder))
    if not git.folder.is_dir():
        raise NOT_A_REPOSITORY(f"{shown} is no folder")
    asked = git.run(
        "rev-parse",
        "--path-format=absolute",
        "--show-object-format",
        "--is-bare-repository",
        "--is-shallow-repository",
        "--git-common-dir",
        expect={0, 128},
    )
    if asked.status != 0:
        raise NOT_A_REPOSITORY(f"{shown}: {git.said(asked.err)}")
    kind, bare, shallow, common_dir = os.fsdecode(asked.out[:-1]).split("\n", maxsplit=3)
    if kind != "sha1":
        raise NOT_A_REPOSITORY(
            f"{shown} names its objects by {kind}, and only sha1 repositories can be read"
        )
    if shallow != "false":
        raise SHALLOW(f"{shown} is in a shallow clone")
    configuration = parse_configuration(git.run("config", "--list", "-z", "--show-scope").out)
    if is_partial(configuration.settings):
        raise PARTIAL(f"{shown} is in a partial clone")
    common = Path(common_dir)
    top = common if bare == "true" else _top(git, common)
    return Checkout(
        top,
        (top, common, *_work_trees(git)),
        common,
        _head(git),
        common / "shallow",
        _stores(common / "objects"),
        remote_of(configuration.settings, remote),
        user_of(configuration.settings),
        render_trusted(configuration),
    )


def _top(git: Git, common: Path) -> Path:
    asked = git.run("rev-parse", "--path-format=absolute", "--show-toplevel", expect={0, 128})
    # Inside a .git folder there is no work tree to ask for.
    return Path(os.fsdecode(asked.out[:-1])) if asked.status == 0 else common


def _head(git: Git) -> CommitId | None:
    asked = git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}", expect={0, 1})
    return CommitId(asked.out.decode().strip()) if asked.status == 0 else None


def _work_trees(git: Git) -> tuple[Path, ...]:
    """Return every work tree of the repository, wherever in them or in it the queue was started."""
    listed = git.run("worktree", "list", "--porcelain", "-z").out.split(b"\0")
    prefix = b"worktree "
    return tuple(
        Path(os.fsdecode(line[len(prefix) :])) for line in listed if line.startswith(prefix)
    )


def _stores(objects: Path) -> tuple[Path, ...]:
    """Return an object folder and every one it borrows from, each once."""
    found: list[Path] = []
    waiting = [objects.resolve()]
    while waiting:
        store = waiting.pop(0)
        if store in found or not store.is_dir():
            continue
        found.append(store)
        listing = store / "info" / "alternates"
        lines = listing.read_bytes().splitlines() if listing.is_file() else []
        waiting += [
            (store / os.fsdecode(line)).resolve()
            for line in lines
            if line and not line.startswith((b"#", b'"'))
        ]
    return tuple(found)
