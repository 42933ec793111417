"""Names and numbers that cross module borders, each with the function that makes it from text."""

import re
from typing import NewType

CommitId = NewType("CommitId", str)
"""A full commit id: 40 or 64 lower-case hexadecimal digits."""

TreeId = NewType("TreeId", str)
"""A full tree id, of the same form."""

ChangeId = NewType("ChangeId", str)
"""What the provider calls a change; it names a directory."""

BranchName = NewType("BranchName", str)
"""A branch without `refs/heads/`."""

RefName = NewType("RefName", str)
"""A fully qualified reference, starting with `refs/`."""

Unit = NewType("Unit", str)
"""What partitions and gates are made of: a project, a package, whatever the facts name."""

RepoPath = NewType("RepoPath", bytes)
"""A path inside a repository, as git has it: any bytes but NUL, `/` between its parts."""

ALL_UNITS = Unit("/")
"""What a gate is given for a change of no proven reach, unless the facts name their units."""

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")
_CHANGE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\Z")
_REF_BAD = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//")


def parse_commit(text: str) -> CommitId:
    """Return `text` as a commit id; raise ValueError for anything but a full lower-case id."""
    if not _COMMIT.match(text):
        msg = "not a full commit id (40 or 64 lower-case hexadecimal digits)"
        raise ValueError(msg)
    return CommitId(text)


def parse_change(text: str) -> ChangeId:
    """Return `text` as a change id; raise ValueError where it could not name a directory."""
    if not _CHANGE.match(text):
        msg = (
            "not a change id (1 to 128 letters, digits, '.', '_' and '-', "
            "not starting with '.' or '-')"
        )
        raise ValueError(msg)
    if text.casefold() == "plan.json":
        msg = "not a change id ('plan.json' is the plan's own name among the verdicts)"
        raise ValueError(msg)
    return ChangeId(text)


def parse_ref(text: str) -> RefName:
    """Return `text` as a reference that git's check-ref-format accepts, or raise ValueError."""
    if not text.startswith("refs/"):
        msg = "not a fully qualified reference (it starts with 'refs/')"
        raise ValueError(msg)
    _check_ref_parts(text)
    return RefName(text)


def parse_branch(text: str) -> BranchName:
    """Return `text` as a branch name, or raise ValueError.

    A full reference, `HEAD` and `@` are none.
    """
    if text in {"", "HEAD", "@"} or text.startswith(("refs/", "-")):
        msg = "not a branch name (without 'refs/heads/', not 'HEAD', not starting with '-')"
        raise ValueError(msg)
    _check_ref_parts(text)
    return BranchName(text)


def _check_ref_parts(text: str) -> None:
    parts = text.split("/")
    bad_part = any(
        part == "" or part.startswith((".", "-")) or part.endswith(".lock") for part in parts
    )
    if bad_part or text.endswith(".") or _REF_BAD.search(text):
        msg = "not a name that git's check-ref-format accepts"
        raise ValueError(msg)


def short(commit: str) -> str:
    """Return the first 12 digits of an id: for people only, never for a document."""
    return commit[:12]


def branch_ref(branch: str) -> RefName:
    """Return the full reference of a branch."""
    return RefName(f"refs/heads/{branch}")
