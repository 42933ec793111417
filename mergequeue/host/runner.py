"""A CI's runner as GitHub Actions has it: what a step leaves for it, and what it is told.

Outputs and the summary are files that the runner names in the environment; masks, groups and
annotations are lines of the log.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mergequeue.host.files import append_to
from mergequeue.report.annotations import Level, annotation, command_line
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import USAGE
from mergequeue.vocabulary.text import cut, one_line


@dataclass(frozen=True)
class Runner:
    """The runner that this process is a step of."""

    write: Callable[[str], None]
    """Writes one line to the log as it stands."""
    outputs: Path | None
    """Where a step's outputs go; None where the runner takes none."""
    summaries: Path | None
    """Where a step's summary goes, in Markdown."""

    @classmethod
    def of(cls, environ: Mapping[str, str], write: Callable[[str], None]) -> "Runner | None":
        """Return the runner that an environment tells of; None outside of one."""
        if environ.get("GITHUB_ACTIONS") != "true":
            return None
        return cls(write, _file(environ, "GITHUB_OUTPUT"), _file(environ, "GITHUB_STEP_SUMMARY"))

    def output(self, name: str, value: str) -> None:
        """Leave an output of the step: any text, as it stands.

        Raises USAGE where the runner takes none.
        """
        if self.outputs is None:
            raise USAGE(
                f"the output {name} has no place: GITHUB_OUTPUT names no file",
                "Run this as a step of a workflow.",
            )
        # A delimiter that nobody can guess cannot stand in the value that somebody typed.
        border = f"end-{uuid.uuid4().hex}"
        append_to(self.outputs, f"{name}<<{border}\n{value}\n{border}\n")

    def summary(self, markdown: str) -> None:
        """Add to the step's summary; what is over the runner's limit is cut off, since it would
        show nothing of a longer one.
        """
        if self.summaries is not None:
            append_to(self.summaries, cut(markdown, limits.SUMMARY_BYTES) + "\n")

    def mask(self, secret: str) -> None:
        """Have the runner show `***` in place of a text from now on, each of its lines too."""
        for line in {secret, *secret.splitlines()}:
            if line:
                self.write(command_line("add-mask", line))

    def annotate(self, level: Level, title: str, message: str) -> None:
        """Show a message beside the run."""
        self.write(annotation(level, title, message))

    def group(self, title: str) -> None:
        """Fold the lines that follow, up to `end_group`."""
        self.write(command_line("group", one_line(title)))

    def end_group(self) -> None:
        """End the group."""
        self.write(command_line("endgroup"))


def _file(environ: Mapping[str, str], name: str) -> Path | None:
    return Path(environ[name]) if environ.get(name) else None
