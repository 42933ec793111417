"""A validation run: what started it, whether it is over, and what it has uploaded (facts 1.10).

Nothing is decided here about whether to trust it. A run that was re-run may have uploaded one name
several times, in several attempts; GitHub does not say which attempt an artifact is of, but when
each attempt began.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import AwareDatetime, Field

from mergequeue.documents.provider import Artifact, ArtifactQuestion, RunListing, RunOrigin
from mergequeue.documents.record import NonEmpty
from mergequeue.github.addresses import RepoName, repo_named
from mergequeue.github.answers import Answer, GitHubRecord, RefusedError
from mergequeue.github.client import Client
from mergequeue.vocabulary.errors import NO_SOURCE, UNTRUSTED_RUN
from mergequeue.vocabulary.text import quoted

_RUN = re.compile(r"(?P<repo>[^/]+/[^/]+)/runs/(?P<id>[1-9][0-9]{0,18})\Z")
_OF_THE_BRANCH = frozenset({"push", "workflow_dispatch"})
"""The events that run the branch's own copy of a workflow; all others may run somebody else's."""
_OVER = "completed"
_NOT_FOUND = 404


class _Repository(GitHubRecord):
    full_name: NonEmpty


class _Run(GitHubRecord):
    repository: _Repository
    head_repository: _Repository | None
    head_branch: str | None
    event: NonEmpty
    path: NonEmpty
    status: str | None
    run_attempt: Annotated[int, Field(ge=1)] = 1


class _Attempt(GitHubRecord):
    run_started_at: AwareDatetime


class _Artifact(GitHubRecord):
    id: int
    name: NonEmpty
    created_at: AwareDatetime | None


@dataclass(frozen=True)
class RunArtifacts:
    """The `ListsArtifacts` port over GitHub Actions."""

    client: Client
    repo: RepoName
    """The repository that the queue works on: no other one's runs are followed."""

    def list_artifacts(self, question: ArtifactQuestion) -> RunListing:
        """Return what `<owner>/<name>/runs/<id>` has uploaded, its status read before that.

        Raises NO_SOURCE where that names no run, UNTRUSTED_RUN where it is another repository's.
        """
        named, number = parse_run(question.source)
        if not named.is_same(self.repo):
            raise UNTRUSTED_RUN(f"run {number} is of {named}, and the queue works on {self.repo}")
        run = self._run(number)
        if not repo_named(run.repository.full_name).is_same(self.repo):
            raise UNTRUSTED_RUN(f"run {number} is of {run.repository.full_name}")
        path = self.repo.path("actions", "runs", number, "artifacts")
        listed = [item.read(_Artifact) for item in self.client.pages(path, inside="artifacts")]
        attempts = self._attempts(number, run, listed)
        return RunListing(
            run=_origin(run),
            complete=run.status == _OVER,
            artifacts=tuple(
                Artifact(
                    name=artifact.name,
                    url=self._address(artifact.id),
                    attempt=attempts.get(artifact.id, 1),
                )
                for artifact in listed
            ),
            headers=self.client.headers(),
        )

    def _run(self, number: str) -> _Run:
        try:
            return self.client.get(self.repo.path("actions", "runs", number)).body.read(_Run)
        except RefusedError as error:
            raise _no_run(self.repo, number, error.answer) from error

    def _attempts(self, number: str, run: _Run, listed: Sequence[_Artifact]) -> dict[int, int]:
        """Return of which attempt each artifact is, asked only where one name stands twice."""
        names = Counter(artifact.name for artifact in listed)
        if run.run_attempt == 1 or max(names.values(), default=0) < 2:  # noqa: PLR2004 (twice)
            return {}
        starts = [self._started(number, attempt) for attempt in range(2, run.run_attempt + 1)]
        return {
            artifact.id: 1 + sum(start <= artifact.created_at for start in starts)
            for artifact in listed
            if artifact.created_at is not None
        }

    def _started(self, number: str, attempt: int) -> AwareDatetime:
        path = self.repo.path("actions", "runs", number, "attempts", attempt)
        return self.client.get(path).body.read(_Attempt).run_started_at

    def _address(self, artifact: int) -> str:
        path = self.repo.path("actions", "artifacts", artifact, "zip")
        return f"{self.client.addresses.rest}{path}"


def parse_run(source: str) -> tuple[RepoName, str]:
    """Return the repository and the number that `<owner>/<name>/runs/<id>` names.

    Raises NO_SOURCE where it is no such thing.
    """
    found = _RUN.match(source)
    if found is None:
        raise NO_SOURCE(
            f"{quoted(source)} names no run of GitHub Actions",
            "Name it as run:OWNER/REPO/runs/<id>, with the number from the run's own address.",
        )
    return repo_named(found["repo"]), found["id"]


def _no_run(repo: RepoName, number: str, answer: Answer) -> Exception:
    if answer.status != _NOT_FOUND:
        return RefusedError(answer)
    return NO_SOURCE(
        f"{repo} has no run {number}, or the credential may not read it",
        "See that the run exists, and that the credential has the permission `actions: read`.",
    )


def _origin(run: _Run) -> RunOrigin:
    return RunOrigin(
        repo=run.repository.full_name,
        head_repo=run.head_repository.full_name if run.head_repository else "",
        head_branch=run.head_branch or "",
        event=run.event,
        branch_event=run.event in _OF_THE_BRANCH,
        definition=run.path,
    )
