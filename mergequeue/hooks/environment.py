"""A hook's environment: an allowlist, built from nothing (seed 1, Trust model; facts H3).

A name that stands here nowhere never reaches a hook, whatever the queue itself was started with: no
token, no MERGEQUEUE_, GITHUB_, ACTIONS_ or RUNNER_ variable.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from mergequeue.ports import Box
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.text import quoted

_PASSED = ("USER", "LOGNAME", "LANG", "LANGUAGE", "TERM")
_PASSED_PREFIX = "LC_"
_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
_TEMPORARY = "tmp"
_RUNTIME = "run"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_KEPT_NAMES = frozenset({*_PASSED, "PATH", "HOME", "TMPDIR"})
_KEPT_PREFIXES = ("MERGEQUEUE_", "GITHUB_", "ACTIONS_", "RUNNER_", "GIT_", _PASSED_PREFIX)


@dataclass(frozen=True)
class ScratchVariable:
    """One `--scratch-env NAME=DIR`."""

    name: str
    folder: str
    """A path inside the box's scratch folder, `/` between its parts."""


def parse_scratch_env(options: Sequence[str]) -> tuple[ScratchVariable, ...]:
    """Return what `--scratch-env NAME=DIR` asks for, in the order given.

    Raises USAGE for a name that is none, is the queue's own or stands twice, and for a folder that
    is not plainly inside the scratch folder.
    """
    found: dict[str, ScratchVariable] = {}
    for option in options:
        name, equals, folder = option.partition("=")
        _check_name(name, option if equals else "")
        if name in found:
            raise USAGE(f"--scratch-env names {name} twice")
        found[name] = ScratchVariable(name, _inside(folder, option))
    return tuple(found.values())


def environment_of(
    outside: Mapping[str, str],
    box: Box,
    scratch_env: Sequence[ScratchVariable],
    *,
    linux: bool,
    passed: Collection[str] = (),
) -> dict[str, str]:
    """Return the whole environment of a hook in `box`, from the queue's own (`outside`).

    HOME, TMPDIR and, on Linux, the XDG folders lie in the box. git reads no configuration of the
    machine, so that it works where HOME holds none. PATH keeps its absolute entries alone: a
    relative one would name a folder of the checkout, where a change can plant a program. `passed`
    are the names that the base's configuration adds.
    """
    chosen = {name: value for name, value in outside.items() if _is_passed(name) or name in passed}
    chosen["PATH"] = ":".join(path_folders(outside.get("PATH", ""))) or _DEFAULT_PATH
    chosen["HOME"] = box.home
    chosen["TMPDIR"] = f"{box.scratch}/{_TEMPORARY}"
    chosen["GIT_CONFIG_GLOBAL"] = "/dev/null"
    chosen["GIT_CONFIG_NOSYSTEM"] = "1"
    if linux:
        chosen["XDG_CACHE_HOME"] = f"{box.home}/.cache"
        chosen["XDG_CONFIG_HOME"] = f"{box.home}/.config"
        chosen["XDG_DATA_HOME"] = f"{box.home}/.local/share"
        chosen["XDG_STATE_HOME"] = f"{box.home}/.local/state"
        chosen["XDG_RUNTIME_DIR"] = f"{box.scratch}/{_RUNTIME}"
    chosen.update((variable.name, f"{box.scratch}/{variable.folder}") for variable in scratch_env)
    return chosen


def folders_of(box: Box, scratch_env: Sequence[ScratchVariable]) -> tuple[str, ...]:
    """Return the folders that have to exist before a hook runs in `box`."""
    own = (box.home, f"{box.scratch}/{_TEMPORARY}", f"{box.scratch}/{_RUNTIME}")
    return (*own, *(f"{box.scratch}/{variable.folder}" for variable in scratch_env))


def path_folders(path: str) -> tuple[str, ...]:
    """Return the folders of a PATH that programs are looked up in: its absolute entries."""
    return tuple(entry for entry in path.split(":") if entry.startswith("/"))


def _is_passed(name: str) -> bool:
    return name in _PASSED or name.startswith(_PASSED_PREFIX)


def _check_name(name: str, option: str) -> None:
    if not option:
        raise USAGE(f"--scratch-env {quoted(name)} is not of the form NAME=DIR")
    if not _NAME.match(name):
        raise USAGE(f"--scratch-env {quoted(option)} names no variable")
    if name in _KEPT_NAMES or name.startswith(_KEPT_PREFIXES):
        raise USAGE(f"--scratch-env cannot set {name}, which the queue sets or keeps from hooks")


def _inside(folder: str, option: str) -> str:
    parts = [part for part in folder.split("/") if part not in {"", "."}]
    if folder.startswith("/") or ".." in parts or not parts or "\0" in folder:
        raise USAGE(f"--scratch-env {quoted(option)} names no folder inside the scratch folder")
    return "/".join(parts)
