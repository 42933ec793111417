"""A part of the step: how a change ends, told to the provider and in events (facts A20 to A24)."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from mergequeue.apply.current import decide_kick_back
from mergequeue.apply.marks import mark_after_wait
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.apply.pausing import decide_shown
from mergequeue.apply.preflights import is_a_gates, known_failure
from mergequeue.apply.ready import Ending
from mergequeue.apply.run import Ended, Settings
from mergequeue.apply.trust import known_refusal
from mergequeue.documents.changes import Change
from mergequeue.documents.event import Happening
from mergequeue.documents.memory import Pause
from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import Approval, KickBack, MarkRequest
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import Events, Merger, ProviderWrites, Waiting
from mergequeue.report.kicks import kick_report, kicked_reason
from mergequeue.report.waits import wait_reason
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.limits import CLAIM_BYTES
from mergequeue.vocabulary.text import cut, one_line, path_text
from mergequeue.vocabulary.words import EventKind, Mark


@dataclass
class Telling:
    """Carries out what was decided of a change, and remembers its one ending in this run."""

    writes: ProviderWrites
    merger: Merger
    events: Events
    plan: Plan
    settings: Settings
    source: str
    """The validation run that apply follows; empty for a directory."""
    listed: frozenset[ChangeId]
    """What the provider listed as queued when the run started."""
    preflights: Collection[str] = ()
    """The base's own pre-flights, by name."""
    pause: Pause | None = None
    """Why the queue is paused, as it was when a change was last taken; None where it is not."""
    endings: dict[ChangeId, Ending] = field(default_factory=dict)
    ended: list[Ended] = field(default_factory=list)
    _together: bool = False
    _waiting: list[Waiting] = field(default_factory=list)
    _marks: list[MarkRequest] = field(default_factory=list)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Post the statuses of all that is found to wait in here, and show its marks, at its end:
        each time that a provider is written to may cost a round trip, or a push.
        """
        self._together = True
        try:
            yield
        finally:
            self._together = False
            self._write()

    def waits(self, change: Change, wait: Wait, *, green: bool, quoted: bool = False) -> None:
        """Keep a change queued and say why; with `quoted`, the reason is a verdict's, which says
        what ends the wait itself.
        """
        shown = decide_shown(wait, self.pause)
        wait, quoted = shown, quoted and shown is wait
        reason = one_line(wait.reason) if quoted else wait_reason(wait.code, detail=wait.reason)
        self._end(
            Ended(change.id, Ending.WAITS, wait.code, reason, green, would=self.settings.dry_run)
        )
        if self.settings.dry_run:
            self.notice(f"would wait, {wait.code}: {reason}", change.id)
            return
        self.events.emit(
            Happening(kind=EventKind.WAITING, change=change.id, code=wait.code, reason=reason)
        )
        if change.id not in self.listed:
            return  # It left the queue before this run: its last status stands.
        self._waiting.append(Waiting(change, wait.head or change.head, reason))
        mark = mark_after_wait(wait.code)
        if mark is not None:
            self._marks += self._mark_of(change, mark)
        self._write()

    def merged_already(self, change: Change, commit: CommitId, reason: str) -> None:
        """Tell that a change is on the base that this run did not merge (facts A24)."""
        self._end(Ended(change.id, Ending.MERGED, reason=reason, green=True, commit=commit))
        if self.settings.dry_run:
            self.notice(reason, change.id)
            return
        self.events.emit(
            Happening(
                kind=EventKind.MERGED,
                change=change.id,
                commit=commit,
                by_provider=False,
                reason=reason,
            )
        )
        self._marks += self._mark_of(change, Mark.NONE)
        self._write()

    def would_merge(self, change: Change, reason: str) -> None:
        """Say what a dry run would have merged; it counts as merged for those above (facts A8)."""
        self._end(Ended(change.id, Ending.MERGED, reason=reason, green=True, would=True))
        self.notice(reason, change.id)

    def merged(self, change: Change, commit: CommitId | None = None) -> None:
        """Remember a change that the merger landed as `commit`, and told of."""
        self._end(Ended(change.id, Ending.MERGED, green=True, commit=commit))

    def kick(self, change: Change, kick: Kick, answer: Approval | str, on: CommitId) -> None:
        """Hand a change back for what apply found itself."""
        paths = tuple(path_text(path) for path in kick.paths)
        report = kick_report(
            kick.code, change=change, base=self.plan.base, on=on, paths=paths, detail=kick.detail
        )
        self._hand_back(
            change,
            answer,
            KickBack(
                change=change,
                commit=change.head,
                code=kick.code,
                report=report,
                paths=paths,
                source=self.source,
            ),
        )

    def kick_as_judged(
        self,
        change: Change,
        verdict: Verdict,
        answer: Approval | str,
        on: CommitId,
        *,
        validated: bool,
    ) -> None:
        """Hand a change back for what a verdict says: in apply's own words, the verdict's shown as
        a claim (seed 1, Verdicts). `on` is what apply itself knows to be beneath it.
        """
        code = verdict.code
        if code is None:
            msg = "a verdict that kicks has a code"
            raise ValueError(msg)
        report = kick_report(
            code,
            change=change,
            base=self.plan.base,
            on=on,
            paths=verdict.paths,
            with_=verdict.with_,
            detail=known_refusal(change, code, self.listed)
            or known_failure(verdict, self.preflights),
        )
        self._hand_back(
            change,
            answer,
            KickBack(
                change=change,
                commit=change.head,
                code=code,
                report=report,
                claim=cut(verdict.reason, CLAIM_BYTES),
                paths=verdict.paths,
                with_=verdict.with_,
                candidate_commit=verdict.candidate_commit,
                source=self.source,
                reproduce=self.settings.reproduce if validated and is_a_gates(code) else None,
            ),
        )

    def _hand_back(self, change: Change, answer: Approval | str, kick: KickBack) -> None:
        """Carry a kick-back out, where nothing has changed since it was decided."""
        reason = kicked_reason(kick.report, kick.claim)
        if self.settings.dry_run:
            self._end(Ended(change.id, Ending.KICKED, kick.code, reason, would=True))
            self.notice(f"would be kicked back, {kick.code}: {reason}", change.id)
            return
        stays = decide_kick_back(change, answer, listed=change.id in self.listed)
        if stays is not None:
            self.waits(change, stays, green=False)
            return
        self._end(Ended(change.id, Ending.KICKED, kick.code, reason))
        self.events.emit(
            Happening(kind=EventKind.KICKED, change=change.id, code=kick.code, reason=reason)
        )
        try:
            self.merger.post_kicked(change, change.head)
        except MergequeueError as error:
            self.notice(f"its status could not be set: {error.problem}", change.id)
        self.writes.kick_back(kick)
        self.mark(self._mark_of(change, kick.mark))

    def mark(self, marks: tuple[MarkRequest, ...]) -> None:
        """Show marks; one that cannot be shown is a notice, since the status and the report are the
        record.
        """
        if not marks:
            return
        try:
            failures = self.writes.mark(marks)
        except MergequeueError as error:
            failures = (error.problem,)
        for failure in failures:
            self.notice(failure)

    def notice(self, reason: str, change: ChangeId | None = None) -> None:
        """Say something that changes no ending."""
        self.emit(Happening(kind=EventKind.NOTICE, change=change, reason=one_line(reason)))

    def emit(self, happening: Happening) -> None:
        """Tell what happened."""
        self.events.emit(happening)

    def _mark_of(self, change: Change, mark: Mark) -> tuple[MarkRequest, ...]:
        if change.id not in self.listed:
            return ()  # Where to write would be the plan's word alone.
        return (MarkRequest(change=change.id, repo=change.repo, mark=mark, head=change.head),)

    def _write(self) -> None:
        if self._together:
            return
        waiting, self._waiting = self._waiting, []
        marks, self._marks = self._marks, []
        self._post_waiting(waiting)
        self.mark(tuple(marks))

    def _post_waiting(self, waiting: Sequence[Waiting]) -> None:
        if not waiting:
            return
        try:
            self.merger.post_waiting(waiting)
        except MergequeueError as error:
            if len(waiting) == 1:
                self.notice(f"its status could not be set: {error.problem}", waiting[0].change.id)
                return
            # One that the provider refuses takes no other's status with it.
            for one in waiting:
                self._post_waiting([one])

    def _end(self, ended: Ended) -> None:
        self.endings[ended.change] = ended.ending
        self.ended.append(ended)
