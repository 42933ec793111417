"""Removing a folder whatever a hook made of it."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_tree(folder: Path) -> None:
    """Remove a folder and all that it holds; one that is gone already is fine.

    Folders that lack rights are given them back (facts C2). Links are removed and never followed.
    Removing goes on past what cannot be removed, such as the files of another user, and what is
    left of the folder stays: the first OSError is raised at the end.

    Any depth is removed without recursion or long paths: each folder met is moved up to the top.
    """
    try:
        if not folder.is_symlink():
            folder.chmod(0o700)
        top = os.open(folder, _OPEN)
    except FileNotFoundError:
        return
    try:
        failed = _empty(top)
    finally:
        os.close(top)
    if failed is not None:
        raise failed
    with suppress(FileNotFoundError):
        folder.rmdir()


def _empty(top: int) -> OSError | None:
    """Empty the folder open as `top`, and return what stood in the way first."""
    failed: dict[str, OSError] = {}
    while entries := [entry for entry in _listed(top) if entry.name not in failed]:
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    _dissolve(entry.name, top)
                else:
                    os.unlink(entry.name, dir_fd=top)
            except FileNotFoundError:
                continue
            except OSError as error:
                failed[entry.name] = error
    return next(iter(failed.values()), None)


def _dissolve(name: str, top: int) -> None:
    """Remove one folder in `top`: its files at once, the folders in it moved up beside it."""
    os.chmod(name, 0o700, dir_fd=top)
    inside = os.open(name, _OPEN, dir_fd=top)
    try:
        for entry in _listed(inside):
            with suppress(FileNotFoundError):
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.name, 0o700, dir_fd=inside)
                    moved = f"mq-{secrets.token_hex(8)}"
                    os.rename(entry.name, moved, src_dir_fd=inside, dst_dir_fd=top)
                else:
                    os.unlink(entry.name, dir_fd=inside)
    finally:
        os.close(inside)
    os.rmdir(name, dir_fd=top)


def _listed(folder: int) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return list(entries)
