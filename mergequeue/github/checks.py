"""How the checks that a base requires stand at a commit (facts 1.8; CASES E).

From the jobs of the newest run of each workflow and from commit statuses, every page of them, which
the queue's app may read. Check runs of other apps need a permission that it may lack, so they are
asked for only where a required name is still missing, and nothing is made of a refusal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mergequeue.documents.capabilities import RequiredCheck
from mergequeue.documents.provider import Check
from mergequeue.documents.record import CommitId
from mergequeue.github.addresses import RepoName
from mergequeue.github.client import Client
from mergequeue.github.reported import (
    COMPLETED,
    Status,
    check_runs,
    near_names,
    newest_jobs,
    newest_statuses,
)
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import BAD_ANSWER
from mergequeue.vocabulary.words import CheckState

ACTIONS_APP = "15368"
"""The integration that GitHub Actions reports its jobs as."""

_PASSES = frozenset({"success", "neutral", "skipped"})
"""The conclusions that GitHub counts as passed; any other one of what has ended is a failure."""
_STATUSES = {
    "success": CheckState.SUCCESS,
    "pending": CheckState.PENDING,
    "failure": CheckState.FAILURE,
    "error": CheckState.FAILURE,
}


@dataclass(frozen=True)
class Reported:
    """What was reported at a commit."""

    jobs: Mapping[str, CheckState] = field(default_factory=dict)
    statuses: Mapping[str, CheckState] = field(default_factory=dict)
    runs: Mapping[tuple[str, str], CheckState] = field(default_factory=dict)
    """Check runs by name and integration."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that was reported, each once."""
        return tuple(dict.fromkeys([*self.jobs, *self.statuses, *(name for name, _ in self.runs)]))


class Checks:
    """Reads what was reported at commits of one repository."""

    def __init__(self, client: Client, repo: RepoName) -> None:
        self._client = client
        self._repo = repo

    def read(self, required: Sequence[RequiredCheck], commit: CommitId) -> tuple[Check, ...]:
        """Return the state of each required check."""
        if not required:
            return ()
        reported = Reported(self._jobs(commit), self._statuses(commit))
        if any(state_of(check, reported) is None for check in required):
            reported = Reported(reported.jobs, reported.statuses, self._check_runs(commit))
        return checks_of(required, reported)

    def _jobs(self, commit: CommitId) -> Mapping[str, CheckState]:
        """Return the state of each job: the first of a name counts, of the newest run."""
        found: dict[str, CheckState] = {}
        for ran in newest_jobs(self._client, self._repo, commit):
            for job in ran.jobs:
                found.setdefault(job.name, job_state(job.status, job.conclusion))
        return found

    def _statuses(self, commit: CommitId) -> Mapping[str, CheckState]:
        items = newest_statuses(self._client, self._repo, commit)
        return {item.context: status_state(item) for item in items}

    def _check_runs(self, commit: CommitId) -> Mapping[tuple[str, str], CheckState]:
        runs = check_runs(self._client, self._repo, commit)
        return {
            (run.name, str(run.app.id) if run.app else ""): job_state(run.status, run.conclusion)
            for run in reversed(runs)
        }


def checks_of(required: Iterable[RequiredCheck], reported: Reported) -> tuple[Check, ...]:
    """Return the state of each required name; one that nothing reported says so, and what did.

    A name that several rules require is one check, and the state furthest from success decides.
    """
    found: dict[str, Check] = {}
    required = tuple(required)
    known = {check.context for check in required}
    for check in required:
        state = state_of(check, reported)
        reason = "" if state is not None else _never_reported(check, reported, known)
        new = Check(name=check.context, state=state or CheckState.PENDING, reason=reason)
        old = found.get(check.context)
        if old is None or _WORSE.index(new.state) < _WORSE.index(old.state):
            found[check.context] = new
    return tuple(found.values())


_WORSE = (CheckState.FAILURE, CheckState.PENDING, CheckState.SUCCESS)


def state_of(check: RequiredCheck, reported: Reported) -> CheckState | None:
    """Return what was reported under a required name; None where nothing was.

    A job goes before a status. Of a check that is pinned to an app, only that app's counts: who
    posted a status is GitHub's to tell, so one counts for every app but GitHub Actions.
    """
    name, app = check.context, check.integration
    if app in {"", ACTIONS_APP} and name in reported.jobs:
        return reported.jobs[name]
    if app != ACTIONS_APP and name in reported.statuses:
        return reported.statuses[name]
    return next(
        (state for (run, by), state in reported.runs.items() if run == name and app in {"", by}),
        None,
    )


def job_state(status: str, conclusion: str | None) -> CheckState:
    """Return the state of a job or check run, as GitHub counts its conclusion."""
    if status != COMPLETED:
        return CheckState.PENDING
    return CheckState.SUCCESS if conclusion in _PASSES else CheckState.FAILURE


def status_state(item: Status) -> CheckState:
    """Return the state of a status; raise BAD_ANSWER for one that GitHub does not document."""
    state = _STATUSES.get(item.state)
    if state is None:
        raise BAD_ANSWER(words.unknown_status(item.context, item.state))
    return state


def _never_reported(check: RequiredCheck, reported: Reported, required: set[str]) -> str:
    others = [name for name in reported.names if name not in required]
    by_another = check.context in reported.names
    return words.never_reported(near_names(check.context, others), by_another_app=by_another)
