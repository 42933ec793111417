"""What GitHub Actions keeps of a workflow's runs, as plain records."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Job:
    """One job of one attempt of a run."""

    id: int
    name: str
    attempt: int
    status: str
    conclusion: str | None
    started_at: str
    completed_at: str | None = None


@dataclass
class Artifact:
    """An archive that a job uploaded; its bytes are what a download gives."""

    id: int
    name: str
    raw: bytes
    created_at: str
    expired: bool = False


@dataclass
class Run:
    """A run of a workflow."""

    id: int
    number: int
    workflow: str
    """The workflow's path."""
    event: str
    branch: str
    sha: str
    repository: str
    """The repository whose commit it ran; empty where that is gone."""
    actor: str
    created_at: str
    starts: list[str]
    """When each attempt began."""
    suite: int
    path: str
    """What GitHub calls its workflow, at times with the branch behind it."""
    status: str = "in_progress"
    conclusion: str | None = None
    jobs: list[Job] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    on_listed: Callable[[], None] | None = None
    """Called before its artifacts are listed: what a test lets happen meanwhile."""

    @property
    def attempt(self) -> int:
        return len(self.starts)


@dataclass
class Workflow:
    """A workflow's definition."""

    id: int
    path: str
    name: str


@dataclass
class Upload:
    """An artifact on its way."""

    run: Run
    name: str
    blocks: dict[str, bytes] = field(default_factory=dict)
    raw: bytes = b""
