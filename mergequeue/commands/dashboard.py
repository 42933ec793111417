"""The page that apply keeps: on its job, and on the pinned issue where one was asked for."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from mergequeue.apply.ready import Ending
from mergequeue.apply.run import ApplyResult, Ended
from mergequeue.commands.github import GitHub
from mergequeue.commands.job import Step, links_of
from mergequeue.commands.tools import Standing
from mergequeue.documents.plan import Plan
from mergequeue.github.addresses import repo_named
from mergequeue.github.dashboards import PAGE_BYTES, Dashboard
from mergequeue.report.annotations import Level
from mergequeue.report.picture import Doing, Place
from mergequeue.report.summary import page
from mergequeue.report.views import view_of
from mergequeue.vocabulary.ids import BranchName, ChangeId, short

_WOULD: Mapping[Ending, Doing] = {
    Ending.MERGED: Doing.WOULD_MERGE,
    Ending.KICKED: Doing.WOULD_KICK,
    Ending.WAITS: Doing.WOULD_WAIT,
}


@dataclass(frozen=True)
class Board:
    """The dashboard of an apply run; nothing where none was asked for."""

    step: Step
    issue: Dashboard | None

    def show(self, plan: Plan, said: Mapping[ChangeId, str]) -> None:
        """Bring it up to date with what became of a plan so far."""
        if self.issue is None:
            return
        view = view_of(plan, self.step.picture, links_of(), said)
        heading = f"{plan.base} at {short(plan.base_commit)}"
        self.issue.show(page(heading, view, PAGE_BYTES))


def board_of(standing: Standing, step: Step, base: BranchName, *, wanted: bool) -> Board:
    """Return the dashboard; raise NO_CREDENTIAL or NOT_THE_APP where the app is missing."""
    if not wanted:
        return Board(step, None)
    repo = repo_named(os.environ.get("GITHUB_REPOSITORY", ""))
    client = GitHub.for_dashboard(standing).client_of(repo)

    def tell(sentence: str) -> None:
        step.runner.annotate(Level.WARNING, "Dashboard", sentence)

    return Board(step, Dashboard(client, repo, base, tell))


def show_what_would_be(step: Step, result: ApplyResult) -> None:
    """Have the page show what a dry run would have done of each change."""
    would = {ended.change: _place(ended) for ended in result.ended if ended.would}
    step.picture = replace(step.picture, places={**step.picture.places, **would})


def _place(ended: Ended) -> Place:
    return Place(_WOULD[ended.ending], ended.reason)
