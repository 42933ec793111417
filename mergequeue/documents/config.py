"""`mergequeue.toml`: what the base says of its units and of the queue.

DESIGN, Facts.
"""

import re
from datetime import timedelta
from string import Formatter
from typing import Annotated, Self

from pydantic import Field, model_validator

from mergequeue.documents.duration import Duration
from mergequeue.documents.record import NonEmpty, Record, Unit, repeated, require
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
    timeout: Duration | None = None
    """How long each try of a gate may take; as long as it likes where it is not set."""
    retry: tuple[NonEmpty, ...] = ()
    """Regular expressions: a red gate with a line of output that has one of them is run again."""
    retries: Annotated[int, Field(ge=1, le=10)] = 1
    """How often it is run again at most."""
    rest: UnitName | None = None
    """The unit that owns every path which no other unit owns."""
    sparse: bool = False
    """Whether the gate reads only the files of its units, of what they depend on, and of no
    unit.
    """

    @model_validator(mode="after")
    def _patterns_that_read(self) -> Self:
        for pattern in self.retry:
            try:
                re.compile(pattern)
            except re.error as error:
                msg = f"retry: {pattern!r} is no regular expression: {error}"
                raise ValueError(msg) from error
        return self


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


class ReviewersTable(Record):
    """`[reviewers]`: whose review of its head a change waits for (seed 2, Pre-flights)."""

    required: tuple[NonEmpty, ...] = ()
    """The reviewers, as the provider names them; none where it is empty."""
    wait: Duration = timedelta(minutes=30)
    """How long a change waits for one that does not answer before it is handed back."""
    comments: tuple[NonEmpty, ...] = ()
    """Those of them who review by comments alone, so that a comment on the head is an answer."""

    @model_validator(mode="after")
    def _no_reviewer_twice(self) -> Self:
        twice = repeated(self.required)
        require(twice is None, f"required names {twice} twice")
        strange = next((name for name in self.comments if name not in self.required), None)
        require(strange is None, f"comments names {strange}, which required does not")
        return self


_ABOUT = ("change", "title", "base", "method", "author")
_TEXT = ("description", "commits")
_PEOPLE = ("reviewer", "co_author")
_TRAILER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*: \S")


class MessageTable(Record):
    """`[message]`: the words of the commits that squashes and merges leave on the base.

    Each is a template: `{title}` stands for the change's title, `{{` for a brace.
    """

    title: str = ""
    """The first line; the provider's own where it is empty."""
    body: str | None = None
    """What stands beneath it; the provider's own where it is not set."""
    trailers: tuple[NonEmpty, ...] = ()
    """Trailers at its end, a line each; one that names people has a line for each of them."""

    @model_validator(mode="after")
    def _fields_that_exist(self) -> Self:
        _check_template("title", self.title, _ABOUT)
        require("\n" not in self.title, "the title is one line")
        _check_template("body", self.body or "", (*_ABOUT, *_TEXT))
        for trailer in self.trailers:
            named = _check_template("trailers", trailer, (*_ABOUT, *_PEOPLE))
            require("\n" not in trailer, "a trailer is one line")
            require(_TRAILER.match(trailer) is not None, "a trailer is as `Key: value`")
            require(len(named & set(_PEOPLE)) <= 1, "a trailer names people in one way")
        return self

    @property
    def asks_people(self) -> bool:
        """Whether it says more of a change than its commits and its listing do."""
        told = (self.body or "", *self.trailers)
        return any(name in text for text in told for name in ("{description}", "{reviewer}"))


def _check_template(key: str, text: str, known: tuple[str, ...]) -> set[str]:
    """Return the fields that a template names; raise ValueError for one that is none."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        msg = f"{key} is no template: {error}"
        raise ValueError(msg) from error
    found: set[str] = set()
    for _, name, form, conversion in parts:
        if name is not None:
            plain = name in known and not form and not conversion
            say = ", ".join(f"{{{each}}}" for each in known)
            require(plain, f"{key} has {{{name}}}, which is no field; known are {say}")
            found.add(name)
    return found


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


class ControlTable(Record):
    """`[control]`: what people may ask of the queue besides queueing a change."""

    priority: bool = False
    """Whether a change that is marked so goes before all others."""
    named: bool = False
    """Whether a plain-git queue takes only the branches whose name names the base."""
    tries: bool = False
    """Whether a change is gated on its own, and never merged, where somebody asks for that."""


PreflightName = Annotated[
    str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_][A-Za-z0-9_. -]*$")
]


class PreflightTable(Record):
    """`[preflight.<name>]`: a check that a change passes on its own before it joins a batch."""

    check: str = ""
    """The check that reports it, where the provider has checks."""
    command: str = ""
    """The command and its words, run where no such check is; the affected units are appended."""

    @model_validator(mode="after")
    def _is_run_somehow(self) -> Self:
        require(self.check.strip() + self.command.strip() != "", "it names a check, or a command")
        return self


class Configuration(Record):
    """The whole file; empty where the base has none."""

    queue: QueueTable = QueueTable()
    auto_resolve: AutoResolveTable = AutoResolveTable()
    sandbox: SandboxTable = SandboxTable()
    reviewers: ReviewersTable = ReviewersTable()
    message: MessageTable = MessageTable()
    control: ControlTable = ControlTable()
    preflight: dict[PreflightName, PreflightTable] = {}
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
