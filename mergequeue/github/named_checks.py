"""How checks of any name stand at a head, and running them again (seed 2; CASES E).

A name is looked for among the jobs of the newest run of each workflow, the statuses, then
the check runs of other apps, where the token may read those. Only jobs can be run again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from functools import cached_property

from pydantic import AwareDatetime

from mergequeue.documents.preflight import (
    NamedCheck,
    NamedChecksQuestion,
    NamedState,
    RerunRequest,
)
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import RefusedError, UnclearError
from mergequeue.github.checks import status_state
from mergequeue.github.client import Client
from mergequeue.github.reported import (
    COMPLETED,
    CheckRun,
    Job,
    Ran,
    Status,
    check_runs,
    near_names,
    newest_jobs,
    newest_statuses,
)
from mergequeue.report import preflights as words
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import CheckState

_CONCLUSIONS = {
    "success": NamedState.PASSED,
    "neutral": NamedState.PASSED,
    "skipped": NamedState.PASSED,
    "cancelled": NamedState.CANCELLED,
    "stale": NamedState.CANCELLED,
    "action_required": NamedState.RUNNING,
}
"""How GitHub's conclusions count; any other one of what has ended is a failure."""
_STATES = {
    CheckState.SUCCESS: NamedState.PASSED,
    CheckState.PENDING: NamedState.RUNNING,
    CheckState.FAILURE: NamedState.FAILED,
}


class NamedChecks:
    """Reads checks by name in one repository."""

    def __init__(self, client: Client, repo: RepoName) -> None:
        self._client = client
        self._repo = repo

    def read(
        self, questions: Sequence[NamedChecksQuestion]
    ) -> Mapping[ChangeId, tuple[NamedCheck, ...] | str]:
        """Return the newest run of each name at each head; a text where a change's do not read."""
        found: dict[ChangeId, tuple[NamedCheck, ...] | str] = {}
        for question in questions:
            head = _Head(self._client, self._repo, question.change.head)
            try:
                found[question.change.id] = tuple(head.check(name) for name in question.names)
            except RefusedError as error:
                found[question.change.id] = error.problem
        return found


@dataclass
class _Head:
    """What was reported at one head; each kind is read when the kinds before it lack a name."""

    client: Client
    repo: RepoName
    commit: CommitId

    def check(self, name: str) -> NamedCheck:
        for ran in self._ran:
            for job in ran.jobs:
                if job.name == name:
                    return _of_job(name, ran, job)
        kinds: tuple[Callable[[], Mapping[str, NamedCheck]], ...] = (
            lambda: self._statuses,
            lambda: self._check_runs,
        )
        for kind in kinds:
            if name in kind():
                return kind()[name]
        if not all(ran.run.is_over for ran in self._ran):
            return NamedCheck(name=name, state=NamedState.RUNNING, reason=words.NOT_YET)
        near = near_names(name, [*self._job_names, *self._statuses, *self._check_runs])
        return NamedCheck(name=name, state=NamedState.MISSING, reason=words.never_reported(near))

    @cached_property
    def _ran(self) -> tuple[Ran, ...]:
        return newest_jobs(self.client, self.repo, self.commit)

    @property
    def _job_names(self) -> list[str]:
        return list(dict.fromkeys(job.name for ran in self._ran for job in ran.jobs))

    @cached_property
    def _statuses(self) -> Mapping[str, NamedCheck]:
        items = newest_statuses(self.client, self.repo, self.commit)
        return {item.context: _of_status(item) for item in items}

    @cached_property
    def _check_runs(self) -> Mapping[str, NamedCheck]:
        runs = check_runs(self.client, self.repo, self.commit)
        return {run.name: _of_check_run(run) for run in reversed(runs)}


def _of_job(name: str, ran: Ran, job: Job) -> NamedCheck:
    state = _state(job.status, job.conclusion)
    return NamedCheck(
        name=name,
        state=state,
        ended_at=_utc(job.completed_at) if state is not NamedState.RUNNING else None,
        duration_ms=_milliseconds(job) if state is NamedState.PASSED else 0,
        again=job.run_attempt > 1,
        id=str(ran.run.id) if ran.run.is_over else "",
        reason="" if ran.run.is_over else words.RUN_UNDER_WAY,
    )


def _milliseconds(job: Job) -> int:
    if job.started_at is None or job.completed_at is None:
        return 0
    return max(job.completed_at - job.started_at, timedelta()) // timedelta(milliseconds=1)


def _of_check_run(run: CheckRun) -> NamedCheck:
    state = _state(run.status, run.conclusion)
    return NamedCheck(
        name=run.name, state=state, ended_at=_utc(run.completed_at), reason=words.BY_ANOTHER_APP
    )


def _of_status(item: Status) -> NamedCheck:
    state = _STATES[status_state(item)]
    return NamedCheck(
        name=item.context, state=state, ended_at=_utc(item.updated_at), reason=words.IS_A_STATUS
    )


def _state(status: str, conclusion: str | None) -> NamedState:
    if status != COMPLETED:
        return NamedState.RUNNING
    return _CONCLUSIONS.get(conclusion or "", NamedState.FAILED)


def _utc(moment: AwareDatetime | None) -> AwareDatetime | None:
    return moment.astimezone(UTC) if moment is not None else None


class Reruns:
    """Runs jobs again; made with a credential that has this one right where that can be had."""

    def __init__(self, client: Callable[[], Client], repo: RepoName) -> None:
        """Ask for the client only once there is something to run."""
        self._client = client
        self._repo = repo

    def rerun(self, requests: Sequence[RerunRequest]) -> Mapping[ChangeId, str]:
        """Run the jobs of each run again that did not succeed; return in words what was refused.

        GitHub runs them on the very commit that they ran on before. Where nobody knows whether it
        was done, nothing is said: the next plan reads how they stand.
        """
        problems: dict[ChangeId, str] = {}
        for change, run in dict.fromkeys((it.change, it.check.id) for it in requests):
            path = self._repo.path("actions", "runs", run, "rerun-failed-jobs")
            try:
                self._client().write("POST", path, expect=(201,))
            except RefusedError as error:
                problems[change] = error.problem
            except UnclearError:
                continue
        return problems
