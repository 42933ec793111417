"""A part of the step: the queue's status moved, and told what merged."""

from collections.abc import Sequence
from dataclasses import dataclass

from mergequeue.documents.event import Happening
from mergequeue.documents.provider import MarkRequest, StatusPost
from mergequeue.merge import status
from mergequeue.ports import Events, Landing, ProviderWrites
from mergequeue.report import applying
from mergequeue.vocabulary.errors import STATUS_FAILED, MergequeueError
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.words import EventKind, Mark


@dataclass(frozen=True)
class Showing:
    """Writes statuses and marks, all of one call in one."""

    writes: ProviderWrites
    events: Events

    def post(self, posts: Sequence[StatusPost]) -> None:
        """Post statuses; raise STATUS_FAILED where one could not be."""
        try:
            self.writes.post_status(posts)
        except MergequeueError as error:
            raise STATUS_FAILED(error.problem) from error

    def turn_green(self, landings: Sequence[Landing]) -> None:
        """Turn each green, from the bottom."""
        self.post([status.about_to_merge(landing) for landing in landings])

    def set_back(self, landings: Sequence[Landing]) -> None:
        """Set each success back to pending; one that fails keeps no other green."""
        if not landings:
            return
        try:
            self.post([status.not_followed_through(landing) for landing in landings])
        except MergequeueError as error:
            if len(landings) == 1:
                self._not_set_back(landings[0], error)
                raise
            self._set_back_alone(landings)

    def _set_back_alone(self, landings: Sequence[Landing]) -> None:
        failed: MergequeueError | None = None
        for landing in landings:
            try:
                self.post([status.not_followed_through(landing)])
            except MergequeueError as error:
                self._not_set_back(landing, error)
                failed = failed or error
        if failed is not None:
            raise failed

    def merged(
        self, landings: Sequence[Landing], tips: Sequence[CommitId], *, by_provider: bool
    ) -> None:
        """Tell of each that merged where it is, and take its mark away; as many as there are tips.

        A mark that stays is a notice.
        """
        told = list(zip(landings, tips, strict=False))
        for landing, tip in told:
            change = landing.change
            self.events.emit(
                Happening(
                    kind=EventKind.MERGED,
                    change=change.id,
                    commit=landing.commit,
                    reason=applying.landed(change.base, tip),
                    by_provider=by_provider,
                )
            )
        if not told:
            return
        marks = [
            MarkRequest(change=one.change.id, repo=one.change.repo, mark=Mark.NONE, head=one.commit)
            for one, _ in told
        ]
        try:
            failures = self.writes.mark(marks)
        except MergequeueError as error:
            failures = (error.problem,)
        for failure in failures:
            self._notice(told[0][0] if len(told) == 1 else None, failure)

    def _not_set_back(self, landing: Landing, error: MergequeueError) -> None:
        self._notice(landing, f"its success could not be set back: {error.problem}")

    def _notice(self, landing: Landing | None, reason: str) -> None:
        change = None if landing is None else landing.change.id
        self.events.emit(Happening(kind=EventKind.NOTICE, change=change, reason=reason))
