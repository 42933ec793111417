"""Starting git: the one module that does.

A command names the exit statuses that mean something to its caller; every other one is GIT_FAILED
with git's own words, so that "git failed" is never read as an answer (CASES B: only exit 1 is a
conflict). Arguments never stand in an error, and credentials in git's words are masked.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mergequeue.git.environment import search_path
from mergequeue.vocabulary.errors import GIT_FAILED, OLD_GIT
from mergequeue.vocabulary.limits import OLDEST_GIT
from mergequeue.vocabulary.text import cut, one_line

_VERSION = re.compile(rb"git version (\d+)\.(\d+)")
_CREDENTIALS = re.compile(r"(?<=://)[^/\s'\"]*@")
_WORDS_SHOWN = 4000
_MASK = "***"
OK = frozenset({0})


@dataclass(frozen=True)
class Ran:
    """What a git process left."""

    status: int
    """Its exit status, one of those its caller expected."""
    out: bytes
    err: bytes


@dataclass(frozen=True)
class Lent:
    """An environment for one run, and what in it must never be shown."""

    environment: Mapping[str, str]
    secrets: frozenset[str]


class Git:
    """git with one environment, in one folder, on one git directory; for many threads at once."""

    def __init__(
        self,
        program: str,
        environment: Mapping[str, str],
        folder: Path,
        *,
        git_dir: Path | None = None,
        secrets: Collection[str] = (),
    ) -> None:
        """Bind git; without `git_dir` it finds the repository that `folder` is in."""
        self.folder = folder
        self._start = [program, *([f"--git-dir={git_dir}"] if git_dir is not None else [])]
        self._environment = dict(environment)
        self._secrets = {secret for secret in secrets if secret}
        self._lent: Callable[[], Lent] | None = None

    def borrow(self, lent: Callable[[], Lent]) -> None:
        """Ask for an environment at each run from now on, in place of the one that it has."""
        self._lent = lent

    def run(
        self,
        *words: str | bytes,
        stdin: bytes = b"",
        expect: Collection[int] = OK,
        variables: Mapping[str, str] | None = None,
    ) -> Ran:
        """Run `git <words>` to its end and return what it left.

        Raises GIT_FAILED where it ends with anything but an expected status.
        """
        environment = self._environment_now()
        try:
            done = subprocess.run(
                [*self._start, *words],
                cwd=self.folder,
                env={**environment, **(variables or {})},
                input=stdin,
                capture_output=True,
                check=False,
                # Without a terminal nothing that git starts can ask on one.
                start_new_session=True,
            )
        except OSError as error:
            raise GIT_FAILED(f"git could not be started: {error.strerror}") from error
        if done.returncode not in expect:
            raise GIT_FAILED(
                f"git {_command(words)} {_end(done.returncode)}: {self.said(done.stderr)}"
            )
        return Ran(done.returncode, done.stdout, done.stderr)

    def said(self, err: bytes) -> str:
        """Return git's own words on one line, with credentials masked."""
        lines = [
            line.expandtabs(1).strip()
            for line in err.decode("utf-8", errors="replace").splitlines()
        ]
        kept = [line for line in lines if line and not line.startswith("hint:")]
        return cut(one_line(self.masked("; ".join(kept))) or "it said nothing", _WORDS_SHOWN)

    def masked(self, text: str) -> str:
        """Return `text` without the credentials of an address and without any known secret."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, _MASK)
        return _CREDENTIALS.sub(f"{_MASK}@", text)

    def _environment_now(self) -> Mapping[str, str]:
        if self._lent is None:
            return self._environment
        lent = self._lent()
        self._secrets |= lent.secrets
        return lent.environment


def find_git(outer: Mapping[str, str]) -> str:
    """Return the absolute path of a git that is new enough; raise OLD_GIT where there is none.

    Looked up in the absolute folders of PATH alone, since the current one may be a checkout.
    """
    path = search_path(outer)
    program = shutil.which("git", path=path)
    if program is None:
        raise OLD_GIT(f"there is no git on PATH ({one_line(path)})")
    environment = {"PATH": path, "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(
            [program, "--version"],
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise OLD_GIT(f"{one_line(program)} could not be started: {error.strerror}") from error
    found = _VERSION.match(done.stdout)
    if done.returncode != 0 or found is None:
        raise OLD_GIT(f"{one_line(program)} does not say its version ({_end(done.returncode)})")
    version = (int(found[1]), int(found[2]))
    if version < OLDEST_GIT:
        floor = ".".join(str(part) for part in OLDEST_GIT)
        raise OLD_GIT(f"{one_line(program)} is git {version[0]}.{version[1]}, older than {floor}")
    return program


def _end(status: int) -> str:
    return f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"


def _command(words: Sequence[str | bytes]) -> str:
    """Return which command the words start, without its arguments."""
    rest = list(words)
    while rest[0] == "-c":
        del rest[:2]
    return rest[0] if isinstance(rest[0], str) else rest[0].decode("utf-8", errors="replace")
