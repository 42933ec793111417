"""What every hook of a run has around it: what it may see, its folders, where its lines go."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mergequeue.hooks.environment import ScratchVariable, environment_of, folders_of
from mergequeue.hooks.leash import Graces
from mergequeue.ports import Box

_LINUX = sys.platform == "linux"


@dataclass(frozen=True)
class Surroundings:
    """The same for every hook of a run."""

    environ: Mapping[str, str]
    """The queue's own environment, of which a hook gets the allowed names."""
    write_line: Callable[[str], None]
    """Is handed each line that a hook prints, tagged and safe to show, from several threads."""
    scratch_env: tuple[ScratchVariable, ...] = ()
    graces: Graces = field(default_factory=Graces)

    def make_in(self, box: Box) -> dict[str, str]:
        """Make the folders that a hook's environment names, and return that environment."""
        for folder in folders_of(box, self.scratch_env):
            Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        return environment_of(self.environ, box, self.scratch_env, linux=_LINUX)
