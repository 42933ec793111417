"""What the page of a job shows of a plan, and of what has become of its changes since."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from mergequeue.documents.changes import Change
from mergequeue.documents.plan import Plan
from mergequeue.documents.verdict import Verdict
from mergequeue.report.picture import Doing, Picture, Place
from mergequeue.report.summary import Row, View
from mergequeue.report.trying import TRY_RUNS
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Decision

NOTHING_SAID: Mapping[ChangeId, str] = MappingProxyType({})
_HAS_A_TURN = frozenset({Doing.QUEUED, Doing.GATED})
_PLANNED = {
    Decision.KICK: Doing.KICKED,
    Decision.WAIT: Doing.WAITS,
    Decision.MERGED: Doing.MERGED,
}


@dataclass(frozen=True)
class GitHubLinks:
    """Where pull requests are shown, and how one is queued."""

    web: str
    """The address of GitHub, without a slash at its end; empty where it is unknown."""
    repo: str
    """`<owner>/<name>`."""

    def url(self, change: ChangeId) -> str:
        """Return where a change is shown; empty where that is unknown."""
        return f"{self.web}/{self.repo}/pull/{change}" if self.web and self.repo else ""

    def home(self) -> str:
        """Return where the repository is shown; empty where that is unknown."""
        return f"{self.web}/{self.repo}" if self.web and self.repo else ""

    def run(self, source: str) -> str:
        """Return where a run is shown, named as `OWNER/REPO/runs/<id>`; empty for what is none."""
        repo, runs, number = source.rpartition("/runs/")
        shown = self.web and repo.count("/") == 1 and runs and number.isdecimal()
        return f"{self.web}/{repo}/actions/runs/{number}" if shown else ""

    def queue(self, change: Change) -> str:
        """Return the command that queues a change."""
        return f"gh pr merge {change.id} --auto --{change.method}"


def view_of(
    plan: Plan, picture: Picture, links: GitHubLinks, said: Mapping[ChangeId, str] = NOTHING_SAID
) -> View:
    """Return a plan's view: what planning decided, and beside it what `picture` has seen since.

    `said` is where each change stands, for those that have their turn now or later.
    """
    rows: dict[ChangeId, Row] = {}
    for change in plan.admitted:
        place = _told(picture.places.get(change.id, Place()), said.get(change.id, ""))
        rows[change.id] = _row(change, place, links, change.below)
    for verdict in plan.verdicts:
        place = picture.places.get(verdict.change.id) or _place(verdict)
        rows[verdict.change.id] = _row(verdict.change, place, links, None)
    tries: list[Change] = [*plan.tries, *(verdict.change for verdict in plan.untried)]
    for tried in tries:
        place = picture.places.get(tried.id, Place(why=TRY_RUNS))
        rows[tried.id] = _row(tried, place, links, None)
    lines = [
        [[change.id for change in batch] for batch in plan.batches_of(partition)]
        for partition in plan.partitions
    ]
    return View(plan.base, lines, rows)


def _told(place: Place, said: str) -> Place:
    """Return the place of a change, with where it stands if it has its turn now or later."""
    return replace(place, why=said) if said and place.doing in _HAS_A_TURN else place


def _place(verdict: Verdict) -> Place:
    return Place(_PLANNED.get(verdict.decision, Doing.QUEUED), verdict.reason or verdict.report)


def _row(change: Change, place: Place, links: GitHubLinks, below: ChangeId | None) -> Row:
    return Row(
        change.id,
        place.doing,
        title=change.title,
        why=place.why,
        command=links.queue(change) if place.doing is Doing.KICKED else "",
        url=links.url(change.id),
        below=below,
    )
