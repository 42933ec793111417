"""The policy of a command's hooks: what the base asks for and the option, on this machine."""

import os
from collections.abc import Sequence
from pathlib import Path

from mergequeue.documents.config import SandboxTable
from mergequeue.git.workshop import Workshop
from mergequeue.hooks.machine import make_sandbox, read_ability
from mergequeue.hooks.policy import (
    MODE_VARIABLE,
    Sandbox,
    decide_asked,
    decide_mode,
    shortfalls,
    smaller_shortfalls,
)
from mergequeue.host.console import Terminal
from mergequeue.report.errors import warning_lines
from mergequeue.vocabulary.errors import SANDBOX_PARTIAL
from mergequeue.vocabulary.words import SandboxMode


def open_sandbox(
    table: SandboxTable,
    option: SandboxMode | None,
    workshop: Workshop,
    private: Sequence[Path],
    terminal: Terminal,
) -> Sandbox:
    """Return the policy; say once what the kernel cannot confine.

    `private` are folders of the command's own, which no grant opens. Raises SANDBOX_GRANT,
    WEAKER_SANDBOX, and NO_SANDBOX where what is required cannot be had.
    """
    asked = decide_asked(table)
    mode = decide_mode(asked.mode, option, os.environ.get(MODE_VARIABLE))
    outside = dict(os.environ)
    own = [*workshop.private, *private]
    sandbox = make_sandbox(asked, mode, outside, own, workshop.checkouts)
    ability = read_ability(outside)
    missing = [*shortfalls(ability, asked), *smaller_shortfalls(ability)]
    if missing:
        terminal.once(warning_lines(SANDBOX_PARTIAL("; ".join(missing))))
    return sandbox
