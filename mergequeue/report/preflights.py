"""What is said of a change's pre-flights (seed 2, Pre-flights and Reading the queue)."""

from collections.abc import Sequence

from mergequeue.vocabulary.ids import CommitId, short
from mergequeue.vocabulary.text import code_span, one_line

NOT_YET = "nothing has reported it at the head yet, and runs there have not ended"
RUN_UNDER_WAY = "the run that it is of has not ended"
BY_ANOTHER_APP = "another app reported it"
IS_A_STATUS = "it is a status, which whoever posted it runs again"

PASSED_LATE = "its pre-flights passed once others that were ready had gone ahead"
"""Why a change waits whose pre-flights passed after a batch was built past it."""

PASSED_ALONE = "its pre-flights passed, and a required reviewer has not reviewed its head"
"""Why a change waits whose pre-flights ran while its review was waited for."""


def never_reported(near: Sequence[str]) -> str:
    """Return that nothing reported a check at a head, and what was reported there instead."""
    if not near:
        return "nothing reports it at the head"
    return f"nothing reports it at the head; reported are {', '.join(map(one_line, near))}"


def named(names: Sequence[str]) -> str:
    """Return pre-flights by name, as the subject of a sentence."""
    *others, last = map(one_line, names)
    return f"its pre-flights {', '.join(others)} and {last}" if others else f"its pre-flight {last}"


def running(names: Sequence[str]) -> str:
    """Return that pre-flights run."""
    return f"{named(names)} {_verb(names, 'runs', 'run')}"


def again(names: Sequence[str]) -> str:
    """Return that pre-flights run again."""
    how = "it was cancelled, or failed" if len(names) == 1 else "they were cancelled, or failed"
    return f"{named(names)} {_verb(names, 'runs', 'run')} again, since {how} before it was queued"


def stuck(name: str, why: str) -> str:
    """Return that a pre-flight that has to run again cannot be, and what a person does."""
    because = f" ({one_line(why)})" if why else ""
    return (
        f"its pre-flight {one_line(name)} ended before it was queued and cannot be run again from "
        f"here{because}: run it again there, or push a new head"
    )


def cancelled_again(name: str) -> str:
    """Return that a pre-flight was run again for nothing, and what a person does."""
    return (
        f"its pre-flight {one_line(name)} was cancelled once more after it was run again: run it "
        "again there, or push a new head"
    )


def unread(why: str) -> str:
    """Return that the provider could not say how pre-flights stand."""
    return f"how its pre-flights stand cannot be read: {one_line(why)}"


def passed_over(name: str, why: str) -> str:
    """Return that a change goes on without a pre-flight that nothing runs at its head."""
    return f"goes on without the pre-flight {one_line(name)}, since {one_line(why)}"


def not_rerun(why: str) -> str:
    """Return that a provider would not run pre-flights again."""
    return f"its pre-flights could not be run again: {one_line(why)}"


def failed_detail(names: Sequence[str], summary: str = "") -> str:
    """Return the first line of the report on a change whose pre-flights failed."""
    *others, last = map(code_span, names)
    what = f"{', '.join(others)} and {last} fail" if others else f"{last} fails"
    because = f": {code_span(summary)}" if summary else ""
    plural = "pre-flights" if others else "pre-flight"
    return f"The {plural} {what} with it{because}."


def failed_report(report: str, line: str, onto: CommitId) -> str:
    """Return a failed pre-flight's report with what ran, and what it passed on."""
    ran = f"What ran is {code_span(line)}; on {code_span(short(onto))} as it stands it passes."
    return f"{report.rstrip()}\n\n{ran}\n"


def failed(name: str, summary: str, line: str) -> str:
    """Return why a change is handed back whose pre-flight failed in validation."""
    because = f": {one_line(summary)}" if summary else ""
    return f"its pre-flight {one_line(name)}, which runs {one_line(line)}, fails{because}"


def fails_beneath(name: str, onto: CommitId, summary: str) -> str:
    """Return why a change waits whose pre-flight fails without it, too."""
    because = f": {one_line(summary)}" if summary else ""
    return (
        f"its pre-flight {one_line(name)} fails, and fails too on {short(onto)}, which it would be "
        f"merged onto{because}"
    )


def beneath_gate(name: str, onto: CommitId) -> str:
    """Return that a pre-flight starts on a commit as it stands, to see whose a failure is."""
    return f"the pre-flight {one_line(name)} failed, so it is run on {short(onto)} as it stands"


def unknown_preflight(name: str) -> str:
    """Return that a plan names a pre-flight that is none of its base's."""
    return f"it names the pre-flight {one_line(name)}, whose command the base's file does not name"


def no_command(name: str) -> str:
    """Return that a pre-flight can be had nowhere, for an error."""
    return (
        f"mergequeue.toml: preflight.{one_line(name)} names a check and no command, and the "
        "provider has no checks"
    )


ADD_A_COMMAND = (
    "Give it a `command` as well in mergequeue.toml on the base: it is run where no check is."
)


def _verb(names: Sequence[str], one: str, more: str) -> str:
    return one if len(names) == 1 else more
