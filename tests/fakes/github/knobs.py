"""What a test sets to have GitHub behave otherwise; `faults` and `limits` are more of it."""

from dataclasses import dataclass, field


@dataclass
class Knobs:
    """Each is an attribute of the fake itself: `github.page_size = 100`."""

    page_size: int = 2
    """The most that a page holds, whatever a client asks for."""
    enterprise: bool = False
    """Whether it is an Enterprise server: /api/v3, /api/graphql."""
    search_is_incomplete: bool = False
    creators_are_ignored: bool = False
    """Whether issues are listed whoever wrote them, whatever was asked for."""
    """Whether searches say that they did not look everywhere."""
    short_lists: set[str] = field(default_factory=set)
    """Lists (as `artifacts`) that hold one less than their `total_count` says."""
    most_statuses: int = 1000
    """How many statuses of one context a commit may have."""

    mergeable_is_unknown: bool = False
    """Whether GitHub has not looked yet, and never does, whether merges are clean."""
    merges_need_a_sha: bool = True
    """Whether a merge that pins no head breaks the test."""
    base_moves_under_merges: int = 0
    """How many merges are refused because the base is said to have moved."""
    refused_merges: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Pull requests whose merge is refused, with a status and GitHub's words."""
    hollow_merges: set[int] = field(default_factory=set)
    """Pull requests whose merge is answered 200 with `merged: false`, and not done."""
    refused_pushes: dict[str, str] = field(default_factory=dict)
    """Branches that cannot be pushed to, each with GitHub's reason."""

    auto_merge_waits: bool = False
    """Whether auto-merge fires only at `run_auto_merges`, as GitHub takes its time."""
    async_merge_waits: bool = False
    """Whether merges in the background run only at `run_async_merges`."""
    async_merge_failure: str | None = None
    """Why merges in the background that were accepted fail, if they do."""
    async_merge_refusal: tuple[int, str] | None = None
    """What merges in the background are answered at once, if they fail there."""
    restacks: bool = False
    """Whether GitHub rewrites the branches above when the bottom of a stack was merged."""

    code_owners: set[str] = field(default_factory=set)
    """Whose approval counts as a code owner's, where one is required."""
    unresolved_threads: set[int] = field(default_factory=set)
    """Pull requests with a conversation that nobody resolved."""
    not_installed: set[int] = field(default_factory=set)
    """Apps that are registered and not installed."""
