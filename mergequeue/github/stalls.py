"""What would stall the queue in a repository, said before it does (CASES D and E; pure)."""

from collections.abc import Iterator, Sequence

from mergequeue.documents.capabilities import RequiredCheck, Setting
from mergequeue.github.wiring import Wiring
from mergequeue.report import github_setup as words


def warnings_of(
    wiring: Wiring, checks: Sequence[RequiredCheck], *, base: str, context: str, approvals: int
) -> tuple[str, ...]:
    """Return a sentence for each thing that a person should know before requiring the queue."""
    return tuple(_warnings(wiring, checks, base=base, context=context, approvals=approvals))


def settings_of(wiring: Wiring) -> tuple[Setting, ...]:
    """Return the settings that the queue needs another way."""
    found = []
    if wiring.auto_merge is not True:
        value = "off" if wiring.auto_merge is False else "not shown to this token"
        found.append(Setting(name="auto-merge", value=value, want="on"))
    if wiring.strict():
        name = "Require branches to be up to date before merging"
        found.append(Setting(name=name, value="on", want="off"))
    return tuple(found)


def _warnings(
    wiring: Wiring, checks: Sequence[RequiredCheck], *, base: str, context: str, approvals: int
) -> Iterator[str]:
    for check in checks:
        if check.context != context and not check.events:
            yield words.never_reported(check.context)
        if check.context == context and not check.integration:
            yield words.unpinned(context)
    if any(rule.parameters.dismiss_stale_reviews_on_push for rule in wiring.rules):
        yield words.approvals_dismissed()
    if any(rule.parameters.require_last_push_approval for rule in wiring.rules):
        yield words.last_push_approval()
    if wiring.has("required_signatures"):
        yield words.signatures_required()
    if approvals == 0:
        yield words.no_approval_required(base)
