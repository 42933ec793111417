"""What is said of a try run: to whoever asked for it on the provider, and on a terminal."""

from mergequeue.documents.verdict import Verdict
from mergequeue.report.columns import folded
from mergequeue.vocabulary.codes import MEANINGS, Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, short
from mergequeue.vocabulary.limits import CLAIM_BYTES, LONGEST_MS
from mergequeue.vocabulary.text import code_span, cut, one_line
from mergequeue.vocabulary.words import Decision

_MILLISECONDS = 1000
_MINUTE = 60
TRY_RUNS = "a try run: gated on its own, and never merged"
NO_MERGE = "This queues, approves and merges nothing."


def try_headline(verdict: Verdict) -> str:
    """Return how a try run ended, in a few words."""
    match verdict.decision:
        case Decision.MERGE:
            return "green"
        case Decision.MERGED:
            return "there is nothing to try"
        case Decision.KICK:
            return "red" if verdict.code is Code.KICK_RED else "it could not merge"
        case _:
            return "undecided"


def try_report(verdict: Verdict, base: BranchName, base_commit: CommitId) -> str:
    """Return the Markdown of a try run in the queue's own words."""
    where = f"{code_span(base)} at {code_span(short(base_commit))}"
    head = code_span(short(verdict.change.head))
    return f"**Try run: {try_headline(verdict)}.** {_told(verdict, head, where)} {NO_MERGE}"


def _told(verdict: Verdict, head: str, where: str) -> str:
    match verdict.decision:
        case Decision.MERGE if verdict.gate:
            took = _span(verdict.duration_ms)
            return f"{head}, merged onto {where} and nothing else, passed its gate in {took}."
        case Decision.MERGE:
            return f"{head} reaches no unit of {where}, so there was nothing to gate."
        case Decision.MERGED:
            return f"{where} carries {head} already."
        case _:
            meaning = "" if verdict.code is None else MEANINGS[verdict.code]
            return f"{head} onto {where}: {meaning}."


def try_lines(id_: ChangeId, verdict: Verdict, width: int | None) -> list[str]:
    """Return the same for a terminal, with what the verdict says."""
    lines = [f"{id_}: try run {try_headline(verdict)}"]
    said = cut(one_line(verdict.reason), CLAIM_BYTES)
    if said:
        lines.append(f"  {said}")
    if verdict.gate:
        lines.append(f"  {one_line(verdict.gate)}, {_span(verdict.duration_ms)}")
    lines.append(f"  {NO_MERGE}")
    return [part for line in lines for part in folded(line, width)]


def not_reported(id_: ChangeId) -> str:
    """Return why what a try run came to is shown nowhere: nobody asks for it any more."""
    return f"a try run of {id_} was made, and nobody asks for it as it is now; it is not reported"


def try_failed(why: str) -> str:
    """Return that what a try run came to could not be shown."""
    return f"what its try run came to could not be shown: {one_line(why)}"


def tried(verdict: Verdict) -> str:
    """Return the notice of a try run that is over."""
    return f"its try run: {try_headline(verdict)}"


def _span(milliseconds: int) -> str:
    """Return a time that a verdict claims; no claim is too long to be said."""
    seconds = min(milliseconds, LONGEST_MS) / _MILLISECONDS
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // _MINUTE} min {int(seconds) % _MINUTE} s"
