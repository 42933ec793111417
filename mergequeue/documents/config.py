"""`mergequeue.toml`: what the base says of its units and of the queue.

DESIGN, Facts.
"""

from typing import Annotated, Self

from pydantic import Field, model_validator

from mergequeue.documents.record import NonEmpty, Record, Unit, require
from mergequeue.vocabulary.words import SandboxMode

FILE = "mergequeue.toml"
"""The file's path in the base's tree; no candidate's copy of it is ever read."""

UnitName = Annotated[Unit, Field(min_length=1, pattern=r"^[^-/\x00-\x1f\x7f][^\x00-\x1f\x7f]*$")]


class QueueTable(Record):
    """`[queue]`: what an option of the command line would say; the option wins."""

    gate: str = ""
    """The gate's command and its words; the affected units are appended."""
    regenerate: str = ""
    """The command that rewrites generated files: the units appended, the paths on its stdin."""
    depth: Annotated[int, Field(ge=1)] | None = None
    """How many batches of a partition are gated at once."""
    batch: Annotated[int, Field(ge=1)] | None = None
    """How many changes of a partition one gate run checks at most."""
    rest: UnitName | None = None
    """The unit that owns every path which no other unit owns."""
    sparse: bool = False
    """Whether the gate reads only the files of its units, of what they depend on, and of no
    unit.
    """


class UnitTable(Record):
    """`[unit.<name>]`: the paths of one unit, what it is built from, and what it generates."""

    paths: Annotated[tuple[NonEmpty, ...], Field(min_length=1)]
    """Patterns as in .gitignore; a path that one of them matches is the unit's."""
    depends: tuple[UnitName, ...] = ()
    """Units whose changes affect this one."""
    outputs: tuple[NonEmpty, ...] = ()
    """Patterns of the files that its regeneration writes whole."""
    updates: tuple[NonEmpty, ...] = ()
    """Patterns of source files that its regeneration rewrites in place."""
    generator: tuple[NonEmpty, ...] = ()
    """Patterns of every file that its regeneration runs or reads."""


class AutoResolveTable(Record):
    """`[auto_resolve]`: in which files a conflict may be settled (facts 3.16)."""

    prose: tuple[NonEmpty, ...] | None = None
    """Patterns of the files that are prose; markdown where it is not set."""
    allow: tuple[NonEmpty, ...] = ()
    """Patterns of the code that a project opts in."""


Port = Annotated[int, Field(ge=0, le=65535)]


class SandboxTable(Record):
    """`[sandbox]`: what a hook may reach besides its own box and the machine's toolchains."""

    mode: SandboxMode = SandboxMode.BEST_EFFORT
    """Whether hooks run where the kernel cannot confine them; `required` refuses to."""
    allow: tuple[NonEmpty, ...] = ()
    """Absolute paths to read; `write:` and `run:` before one, or `run+write:`, ask for more."""
    passthrough: tuple[NonEmpty, ...] = ()
    """Variables of the queue's environment that every hook gets."""
    tcp_connect: tuple[Port, ...] | None = None
    """The only TCP ports that a hook may connect to; any where it is not set."""
    tcp_bind: tuple[Port, ...] | None = None
    """The only TCP ports that a hook may listen on; any where it is not set."""
    udp: bool = False
    """Whether UDP stays open where TCP is confined."""
    unix_sockets: bool = True
    """Whether a hook may make Unix sockets other than pairs; landlock cannot say to which."""


class Configuration(Record):
    """The whole file; empty where the base has none."""

    queue: QueueTable = QueueTable()
    auto_resolve: AutoResolveTable = AutoResolveTable()
    sandbox: SandboxTable = SandboxTable()
    unit: dict[UnitName, UnitTable] = {}

    @model_validator(mode="after")
    def _units_that_exist(self) -> Self:
        known = set(self.unit)
        if self.queue.rest is not None:
            known.add(self.queue.rest)
        for name, table in self.unit.items():
            strange = next((other for other in table.depends if other not in known), None)
            require(strange is None, f"unit {name} depends on {strange}, which is no unit")
        return self
