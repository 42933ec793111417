"""What the queue's page shows: records with every sentence in them, and no markup."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from mergequeue.report.charts import Chart
from mergequeue.report.measures import Health


class Tone(StrEnum):
    """How something on the page looks; never the only thing that says what it is."""

    QUIET = "quiet"
    BUSY = "busy"
    READY = "ready"
    GOOD = "good"
    BAD = "bad"
    WAITS = "waits"


@dataclass(frozen=True)
class WebChange:
    """A change as the page shows it."""

    id: str
    anchor: str
    """Its place on the page, for links."""
    tone: Tone
    says: str
    """Where it stands."""
    title: str = ""
    url: str = ""
    why: str = ""
    """What it waits for."""
    code: str = ""
    """The code of that."""
    method: str = ""
    head: str = ""
    place: str = ""
    """Its place in the queue; empty where it has none."""
    below: str = ""
    """The change that it is stacked on."""
    lane: str = ""
    """Which lane it is in, where it goes before others."""
    joined: bool = False
    """Whether that is the one right before it."""
    queued: datetime | None = None
    since: datetime | None = None
    """Since when it is at its stage."""
    lands: datetime | None = None
    """When it should land; None where nothing is to go by."""
    left: str = ""
    """How long that is, in words."""


@dataclass(frozen=True)
class WebBatch:
    """Changes that one gate checks."""

    name: str
    tone: Tone
    state: str
    changes: Sequence[WebChange]
    since: datetime | None = None
    """Since when its gate may run."""


@dataclass(frozen=True)
class WebLine:
    """A line of the queue, in merge order."""

    name: str
    about: str
    batches: Sequence[WebBatch]


@dataclass(frozen=True)
class WebAway:
    """A change that was turned away."""

    change: WebChange
    code: str
    reason: str
    at: datetime
    more: str = ""
    """The command that shows the whole report, where no page of the provider's does."""


@dataclass(frozen=True)
class WebLanded:
    """A change that landed."""

    change: WebChange
    commit: str
    at: datetime
    took: str
    """How long it was in the queue."""
    together: str = ""
    """How many landed with it."""


@dataclass(frozen=True)
class Tile:
    """A figure at the top."""

    name: str
    value: str
    note: str = ""
    lands: datetime | None = None
    """Where the figure is how long it is until then, the moment that it counts down to."""


@dataclass(frozen=True)
class Table:
    """The measures as numbers."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class WebMeasures:
    """How the queue did, as the page shows it."""

    health: Sequence[Health]
    charts: Sequence[Chart]
    table: Table


@dataclass(frozen=True)
class WebView:
    """The whole page."""

    base: str
    tip: str
    """The commit that the lines start from; empty where no run has looked yet."""
    state: str
    """Whether a run goes on, and what is missing where none ever has."""
    seen: datetime | None
    """When a run last looked."""
    written: datetime
    tiles: Sequence[Tile]
    lines: Sequence[WebLine]
    apart: Sequence[WebChange]
    """Those that are queued and in no line yet."""
    away: Sequence[WebAway]
    landed: Sequence[WebLanded]
    measures: WebMeasures
    repo: str = ""
    url: str = ""
    """Where the repository is shown; empty where that is unknown."""
    run: str = ""
    """Where the run that goes on is shown."""
    paused: str = ""
    """Why the queue is paused; empty where it is not."""
