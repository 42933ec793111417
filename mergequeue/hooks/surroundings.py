"""What every hook of a run has around it: what it may see and reach, where its lines go."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mergequeue.hooks.command import Command
from mergequeue.hooks.confinement import confinement_of
from mergequeue.hooks.environment import ScratchVariable, environment_of, folders_of
from mergequeue.hooks.leash import Graces
from mergequeue.hooks.policy import MODE_VARIABLE, Sandbox
from mergequeue.ports import Box

_LINUX = sys.platform == "linux"


@dataclass(frozen=True)
class Surroundings:
    """The same for every hook of a run."""

    environ: Mapping[str, str]
    """The queue's own environment, of which a hook gets the allowed names."""
    write_line: Callable[[str], None]
    """Is handed each line that a hook prints, tagged and safe to show, from several threads."""
    sandbox: Sandbox
    scratch_env: tuple[ScratchVariable, ...] = ()
    graces: Graces = field(default_factory=Graces)
    given: Mapping[str, str] = field(default_factory=dict)
    """Variables of the queue's own that every hook gets."""
    ports: tuple[int, ...] = ()
    """TCP ports that a hook may connect to, even where the base confines TCP."""

    def command(
        self,
        box: Box,
        words: Sequence[str],
        tag: str,
        given: bytes = b"",
        captured: int | None = None,
    ) -> Command:
        """Return a hook to start in `box`, whose folders are made; `given` is its input."""
        return Command(
            tuple(words),
            box.checkout,
            self._make_environment(box),
            confinement_of(self.sandbox, box, self.ports),
            tag,
            given,
            captured,
        )

    def _make_environment(self, box: Box) -> dict[str, str]:
        """Make the folders that a hook's environment names, and return that environment."""
        for folder in folders_of(box, self.scratch_env):
            Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        passed = self.sandbox.passthrough
        chosen = environment_of(self.environ, box, self.scratch_env, linux=_LINUX, passed=passed)
        return {
            **self.sandbox.variables,
            **chosen,
            **self.given,
            MODE_VARIABLE: str(self.sandbox.mode),
        }
