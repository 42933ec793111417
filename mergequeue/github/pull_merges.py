"""Merging one pull request, pinned to its head (facts 1.9, 1.11).

GitHub merges it by auto-merge once the queue's status is green, so that is waited for first. What
an answer does not make clear, reading the pull request again does; whether the base carries it, and
what a refusal means, the queue's own stage decides.
"""

from dataclasses import dataclass

from mergequeue.documents.provider import MergeAnswer, MergeRequest
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord, RefusedError, UnclearError
from mergequeue.github.client import Client
from mergequeue.github.intent import target_of
from mergequeue.github.listing import Lists
from mergequeue.github.merge_body import merge_body
from mergequeue.github.pulls import OPEN, WholePull, number_of
from mergequeue.github.stack_merge import StackMerges
from mergequeue.report import github as words
from mergequeue.vocabulary.limits import AUTO_MERGE_POLLS, GITHUB_POLL_SECONDS


class _Merged(GitHubRecord):
    merged: bool
    message: str


@dataclass(frozen=True)
class Merges:
    """Merges pull requests of one repository."""

    client: Client
    repo: RepoName
    lists: Lists

    def merge(self, request: MergeRequest) -> MergeAnswer:
        """Merge it, or say why not.

        Raises UnclearError where nobody knows whether it merged and reading it does not show it.
        """
        pull = self.read(number_of(request.change.id))
        said = self._settled(request, pull)
        if said is not None:
            return said
        if target_of(pull) != request.change.base:
            return _not(words.merges_elsewhere(target_of(pull), request.change.base))
        if request.through or pull.stack is not None:
            return StackMerges(self.client, self.repo, self.lists, self.read).merge(request, pull)
        return self._await_auto_merge(request, pull) or self._merge(request, pull)

    def read(self, number: int) -> WholePull:
        """Return a pull request as it is now."""
        return self.client.get(self.repo.path("pulls", number)).body.read(WholePull)

    def _settled(self, request: MergeRequest, pull: WholePull) -> MergeAnswer | None:
        """Return what became of it where nothing is left to merge; None where something is."""
        if pull.head.sha != request.commit:
            return _not(words.head_moved(request.commit, pull.head.sha))
        if pull.merged:
            return MergeAnswer(merged=True, by_provider=not is_by_app(pull, request.app))
        return _not(words.CLOSED_MEANWHILE) if pull.state != OPEN else None

    def _await_auto_merge(self, request: MergeRequest, pull: WholePull) -> MergeAnswer | None:
        """Return what became of it while auto-merge was waited for; None where it has to be asked.

        The wait ends with the pull request: where it moves, closes, or loses its auto-merge.
        """
        if pull.auto_merge is None:
            return None
        for _ in range(AUTO_MERGE_POLLS):
            self.client.clock.sleep(GITHUB_POLL_SECONDS)
            pull = self.read(pull.number)
            said = self._settled(request, pull)
            if said is not None:
                # The app merges nothing while it waits, so whoever it was, it was not this call.
                return MergeAnswer(merged=True, by_provider=True) if said.merged else said
            if pull.auto_merge is None:
                return _not(words.INTENT_GONE)
        return None

    def _merge(self, request: MergeRequest, pull: WholePull) -> MergeAnswer:
        path = self.repo.path("pulls", pull.number, "merge")
        try:
            answer = self.client.write("PUT", path, merge_body(request, pull), expect=(200,))
        except RefusedError as error:
            again = self._settled(request, self.read(pull.number))
            return (
                again
                if again is not None and again.merged
                else _not(words.refused(error.status, error.message))
            )
        except UnclearError:
            again = self._settled(request, self.read(pull.number))
            if again is None:
                raise
            return again
        merged = answer.body.read(_Merged)
        return MergeAnswer(merged=True) if merged.merged else _not(merged.message or words.NO_WORDS)


def is_by_app(pull: WholePull, app: str) -> bool:
    """Whether the queue's own app merged a pull request; `app` is `--app` as it was given."""
    slug = app.partition(":")[0]
    return pull.merged_by is not None and pull.merged_by.login == f"{slug}[bot]"


def _not(reason: str) -> MergeAnswer:
    return MergeAnswer(merged=False, reason=reason)
