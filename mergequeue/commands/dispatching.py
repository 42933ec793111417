"""Starting a validation run, unless one that has not ended will see what it is wanted for."""

from dataclasses import dataclass
from datetime import datetime

from mergequeue.commands.github import GitHub
from mergequeue.commands.tools import Standing
from mergequeue.github.addresses import RepoName
from mergequeue.github.client import Client
from mergequeue.github.dispatches import WorkflowRuns
from mergequeue.plan.runs import decide_dispatch
from mergequeue.report.jobs import SEEN_BY_A_RUN
from mergequeue.vocabulary.ids import BranchName


@dataclass(frozen=True)
class Dispatching:
    """What a run is started with, as the app."""

    standing: Standing
    repo: RepoName
    workflow: str
    reading: Client
    """What the runs that have not ended are read with."""

    def start(self, base: BranchName, since: datetime) -> str:
        """Start a run for what happened at a moment; return why none is wanted, empty where it was
        started.

        Raises NO_WORKFLOW, and what GitHub and its credential raise.
        """
        runs = WorkflowRuns(self.reading, self.repo).list_runs(self.workflow, base)
        if not decide_dispatch(runs, since):
            return SEEN_BY_A_RUN
        writing = GitHub.for_dispatching(self.standing).client_of(self.repo)
        WorkflowRuns(writing, self.repo).dispatch(self.workflow, base)
        return ""
