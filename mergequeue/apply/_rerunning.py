"""A part of the step: runs pre-flights again that have to be, where the provider has checks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mergequeue.apply.preflights import waiting_for_preflights
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Change, Listing
from mergequeue.documents.plan import Plan
from mergequeue.documents.preflight import NamedCheck, NamedChecksQuestion, RerunRequest
from mergequeue.plan.preflights import (
    Known,
    Tables,
    checks_wanted,
    has_failed,
    passed_at_head,
    queued_since,
    standing_of,
)
from mergequeue.ports import GitReads, Memory, ProviderReads, ProviderWrites, ReadsMemory
from mergequeue.vocabulary.errors import APP_FAILED, PROVIDER_FAILED, MergequeueError
from mergequeue.vocabulary.ids import ChangeId

_STOPS_NOTHING = frozenset({APP_FAILED.code, PROVIDER_FAILED.code})


@dataclass(frozen=True)
class Rerunning:
    """Asks how the checks of waiting changes stand, as planning did, and has them run again."""

    git: GitReads
    reads: ProviderReads
    writes: ProviderWrites
    memory: ReadsMemory
    plan: Plan
    listing: Listing
    provider: Capabilities
    tables: Tables

    def rerun(self) -> Mapping[ChangeId, str]:
        """Run again what has to be; return in words why some of a change's could not be.

        What GitHub refuses, or the app may not do, stops nothing: the change waits and says so.
        """
        changes = waiting_for_preflights(self.plan, self.listing)
        if not self.tables or not changes or not self.provider.named_checks:
            return {}
        try:
            requests = self._requests(changes, self.memory.recall())
            return self.writes.rerun_checks(requests) if requests else {}
        except MergequeueError as error:
            if error.code not in _STOPS_NOTHING:
                raise
            return {change.id: error.problem for change in changes}

    def _requests(self, changes: Sequence[Change], memory: Memory) -> list[RerunRequest]:
        questions = []
        for change in changes:
            names = checks_wanted(self.tables, passed_at_head(memory, change), has_checks=True)
            if names:
                questions.append(NamedChecksQuestion(change=change, names=names))
        answers = self.reads.named_checks(questions) if questions else {}
        return [
            RerunRequest(change=change.id, repo=change.repo, commit=change.head, check=check)
            for change in changes
            for check in standing_of(
                self.tables, self._known(change, answers.get(change.id, ()), memory)
            ).reruns
        ]

    def _known(self, change: Change, checks: tuple[NamedCheck, ...] | str, memory: Memory) -> Known:
        tip = self.plan.base_commit
        return Known(
            has_checks=True,
            passed=passed_at_head(memory, change),
            checks=checks,
            carries_tip=has_failed(checks) and self.git.is_ancestor(tip, change.head),
            queued_at=queued_since(memory, change),
        )
