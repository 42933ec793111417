"""Merging members of a stack: GitHub's asynchronous merge, its preview of stacks in one place.

One call merges the pull request and all beneath it, and pins the top alone, so that every other
member is read first. Unproven against GitHub itself (facts, Least certain): what `position` and
`size` become after a part of a stack merged.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from mergequeue.documents.provider import MergeAnswer, MergeRequest
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord, RefusedError, UnclearError
from mergequeue.github.client import Client
from mergequeue.github.listing import Lists
from mergequeue.github.merge_body import merge_body
from mergequeue.github.pulls import OPEN, WholePull, number_of
from mergequeue.report import github as words
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.limits import GITHUB_POLL_SECONDS, STACK_MERGE_POLLS

_ANSWERED = (200, 202, 400, 409)
_NOT_FOUND = 404


class State(StrEnum):
    """How an asynchronous merge stands."""

    PENDING = "pending"
    MERGED = "merged"
    ENQUEUED = "enqueued"
    FAILED = "failed"


class _Details(GitHubRecord):
    message: str
    uuid: str = ""
    """There while the merge is under way."""
    expected_head_sha: str = ""


class _Result(GitHubRecord):
    status: State
    details: _Details


@dataclass(frozen=True)
class StackMerges:
    """Merges stacked pull requests of one repository."""

    client: Client
    repo: RepoName
    lists: Lists
    read: Callable[[int], WholePull]

    def merge(self, request: MergeRequest, pull: WholePull) -> MergeAnswer:
        """Merge it with all that `through` names beneath it, or say why not."""
        why_not = self._moved(request) or self._unasked(request, pull)
        if why_not:
            return _not(why_not)
        try:
            result = self._start(request, pull)
        except RefusedError as error:
            return self._merged(request) or _not(words.refused(error.status, error.message))
        except UnclearError:
            answer = self._merged(request)
            if answer is None:
                raise
            return answer
        return self._follow(request, result)

    def _moved(self, request: MergeRequest) -> str:
        """Return which member is no longer at its pin; empty where all are."""
        for pin in request.through:
            member = self.read(number_of(pin.id))
            if member.head.sha != pin.commit:
                return words.member_moved(pin.id, pin.commit, member.head.sha)
        return ""

    def _unasked(self, request: MergeRequest, pull: WholePull) -> str:
        """Return which open ones the call would merge unasked; empty where none (CASES F)."""
        place = pull.stack
        if place is None:
            return ""
        if place.id is None or place.position is None:
            return words.STACK_UNREAD
        position = place.position
        asked: set[ChangeId] = {pin.id for pin in request.through}
        unasked = [
            member.id
            for member in self.lists.open_pulls().members(place.id)
            if member.stack and (member.stack.position or 0) < position and member.id not in asked
        ]
        return words.would_merge_too(unasked) if unasked else ""

    def _start(self, request: MergeRequest, pull: WholePull) -> _Result:
        """Ask for the merge; one that is under way already is followed in its place."""
        body = {**merge_body(request, pull), "merge_action": "direct_merge"}
        path = self.repo.path("pulls", pull.number, "merge-async")
        return self.client.write("PUT", path, body, expect=_ANSWERED).body.read(_Result)

    def _follow(self, request: MergeRequest, result: _Result) -> MergeAnswer:
        """Poll the merge to its end; a pull request that closed without merging ends it too."""
        expected = result.details.expected_head_sha
        if expected and expected != request.commit:
            return _not(words.other_merge_running(expected))
        number, uuid = number_of(request.change.id), result.details.uuid
        for _ in range(STACK_MERGE_POLLS):
            if result.status is State.FAILED:
                return self._merged(request) or _not(result.details.message or words.NO_WORDS)
            if result.status is State.ENQUEUED:
                return _not(words.NATIVE_QUEUE)
            now = self.read(number)
            if now.merged or now.state != OPEN:
                return self._ended(request, now)
            self.client.clock.sleep(GITHUB_POLL_SECONDS)
            if uuid:
                result = self._again(number, uuid, result)
        return _not(words.STACK_MERGE_SLOW)

    def _again(self, number: int, uuid: str, result: _Result) -> _Result:
        """Return how the merge stands; GitHub forgets it after a day, and then the pull request
        alone tells.
        """
        path = self.repo.path("pulls", number, "merge-async", uuid)
        answer = self.client.get(path, expect=(200, _NOT_FOUND))
        return result if answer.status == _NOT_FOUND else answer.body.read(_Result)

    def _merged(self, request: MergeRequest) -> MergeAnswer | None:
        """Return that it merged, where reading it shows that."""
        now = self.read(number_of(request.change.id))
        if not (now.merged and now.head.sha == request.commit):
            return None
        return MergeAnswer(merged=True)

    def _ended(self, request: MergeRequest, now: WholePull) -> MergeAnswer:
        if now.head.sha != request.commit:
            return _not(words.head_moved(request.commit, now.head.sha))
        return MergeAnswer(merged=True) if now.merged else _not(words.CLOSED_MEANWHILE)


def _not(reason: str) -> MergeAnswer:
    return MergeAnswer(merged=False, reason=reason)
