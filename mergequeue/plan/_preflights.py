"""A part of the step: how the pre-flights of each change stand, in one question to the provider."""

from collections.abc import Mapping

from mergequeue.documents.event import Happening
from mergequeue.documents.preflight import NamedCheck, NamedChecksQuestion
from mergequeue.plan._draft import Draft
from mergequeue.plan.preflights import (
    Known,
    checks_wanted,
    decide_standing,
    has_failed,
    nowhere_run,
    passed_at_head,
    queued_since,
    standing_of,
)
from mergequeue.ports import Events, GitReads, ProviderReads
from mergequeue.report import preflights as words
from mergequeue.vocabulary.errors import BAD_CONFIGURATION
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import EventKind


def decide_preflights(
    draft: Draft, provider: ProviderReads, reads: GitReads, events: Events
) -> None:
    """Decide the changes whose pre-flights failed or run, and note what validation has to run.

    Raises BAD_CONFIGURATION for a pre-flight that nothing can run.
    """
    tables = draft.configuration.preflight
    left = draft.left()
    if not tables or not left:
        return
    stranded = nowhere_run(tables, has_checks=draft.has_checks)
    if stranded is not None:
        raise BAD_CONFIGURATION(words.no_command(stranded), words.ADD_A_COMMAND)
    checks = _ask(draft, provider)
    for change in left:
        found = checks.get(change.id, ())
        known = Known(
            has_checks=draft.has_checks,
            passed=passed_at_head(draft.memory, change),
            checks=found,
            carries_tip=has_failed(found) and reads.is_ancestor(draft.tip.commit, change.head),
            queued_at=queued_since(draft.memory, change),
        )
        standing = standing_of(tables, known)
        for notice in standing.notices:
            events.emit(Happening(kind=EventKind.NOTICE, change=change.id, reason=notice))
        draft.decide(change, decide_standing(standing, change, draft.tip))
        draft.preflights[change.id] = standing


def _ask(draft: Draft, provider: ProviderReads) -> Mapping[ChangeId, tuple[NamedCheck, ...] | str]:
    questions = []
    for change in draft.left():
        passed = passed_at_head(draft.memory, change)
        names = checks_wanted(draft.configuration.preflight, passed, has_checks=draft.has_checks)
        if names:
            questions.append(NamedChecksQuestion(change=change, names=names))
    return provider.named_checks(questions) if questions else {}
