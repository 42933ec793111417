"""What a kicked-back change's author reads, whether planning, validation or apply decided it.

It conflicts with the base in `CHANGELOG.md`.

Its head `4b1c…` was merged onto `main` at `9f2e…`, with nothing queued ahead of it beneath, so
the conflict is its own.

Files at issue:

- `CHANGELOG.md`

Merge `main` into it (or rebase it onto that), settle these files, push, and queue it again.
"""

from collections.abc import Sequence

from mergequeue.documents.changes import Change
from mergequeue.report.landings import what_happened
from mergequeue.vocabulary.codes import MEANINGS, Code
from mergequeue.vocabulary.ids import BranchName, CommitId, short
from mergequeue.vocabulary.limits import CLAIM_BYTES, PATH_BYTES_SHOWN, PATHS_SHOWN
from mergequeue.vocabulary.text import code_span, cut, one_line
from mergequeue.vocabulary.words import Method

_HEADS = "refs/heads/"
_NAMED = 3
"""How many files the first line names before it only counts them."""
_NAMED_BYTES = 120
"""How long their names may be together there: a first line is also a log's and a table's."""
_REASONS = 10
"""Of how many files it is said why they are at issue."""
_CLAIM_BYTES = 300
"""How much of a verdict's own words is said in one line."""


def kick_report(  # noqa: PLR0913 (each is one fact of a report, and none goes without saying)
    code: Code,
    *,
    change: Change,
    base: BranchName,
    on: CommitId,
    paths: Sequence[str] = (),
    with_: Sequence[str] = (),
    detail: str = "",
    whys: Sequence[str] = (),
) -> str:
    """Return the report as Markdown; its first line is the reason of the `kicked` event.

    `on` is what the change was looked at on: the base's tip, or what its candidate was built onto.
    `paths` are the files at issue, `whys` say why each is, and `with_` are the base's commits that
    touched them, all of them as text;
    `detail` is a sentence of the queue's own to start with, what others typed in it in code spans.
    The change's title and its author's words are in no report (seed 1, Trust model).
    """
    parts = [
        one_line(detail) or _first_line(code, paths),
        _what_happened(code, change, base, on),
        _files(paths),
        _reasons(whys),
        _commits(with_, base) if paths else "",
        _what_to_do(code, base, change.method, files=bool(paths)) + _how_to_queue(code, change),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def kicked_reason(report: str, claim: str) -> str:
    """Return why a change was kicked back, in one line: its report's first, and what that leaves
    to the verdict.
    """
    first = report.partition("\n")[0]
    said = cut(one_line(claim.removeprefix(first).strip()), _CLAIM_BYTES)
    return f"{first} Its verdict says: {said}" if said and said not in first else first


def _first_line(code: Code, paths: Sequence[str]) -> str:
    match code:
        case Code.KICK_CONFLICT:
            where = f" in {_named(paths)}" if paths else ""
            return f"It conflicts with the base{where}."
        case Code.KICK_RED:
            return "The gate is red with it, and green without it."
        case _:
            return MEANINGS[code][0].upper() + MEANINGS[code][1:] + "."


def _what_happened(code: Code, change: Change, base: BranchName, on: CommitId) -> str:
    head, onto, name = code_span(short(change.head)), code_span(short(on)), code_span(base)
    match code:
        case Code.KICK_CONFLICT:
            return (
                f"Its head {head} was merged onto {name} at {onto}, with nothing queued ahead of "
                "it beneath, so the conflict is its own."
            )
        case Code.KICK_RED:
            return (
                f"Its head {head} was run on {onto}, on the way to {name}. Nothing beneath it "
                "explains the red, so it is its own."
            )
        case Code.KICK_REGENERATION:
            return (
                f"Its head {head} was merged onto {onto}, on the way to {name}. Code that a change "
                "may have written is never run where the queue can write, so its files could not "
                "be made there."
            )
        case Code.KICK_LANDING:
            return what_happened(head, base, on)
        case _:
            return f"This is about its head {head}, looked at on {onto} on the way to {name}."


def _files(paths: Sequence[str]) -> str:
    if not paths:
        return ""
    more = len(paths) - PATHS_SHOWN
    rest = [f"\nand {_count(more)} more."] if more > 0 else []
    return "\n".join(["Files at issue:\n", *_items(paths), *rest])


def _reasons(whys: Sequence[str]) -> str:
    if not whys:
        return ""
    items = [f"- {code_span(cut(why, CLAIM_BYTES))}" for why in whys[:_REASONS]]
    more = len(whys) - _REASONS
    rest = [f"\nand {more} more."] if more > 0 else []
    return "\n".join(["Why they stayed conflicts:\n", *items, *rest])


def _commits(subjects: Sequence[str], base: BranchName) -> str:
    if not subjects:
        return ""
    return "\n".join([f"Commits of {code_span(base)} that touched them:\n", *_items(subjects)])


def _items(texts: Sequence[str]) -> list[str]:
    return [f"- {code_span(cut(text, PATH_BYTES_SHOWN))}" for text in texts[:PATHS_SHOWN]]


def _what_to_do(code: Code, base: BranchName, method: Method, *, files: bool) -> str:
    match code:
        case Code.KICK_CONFLICT:
            these = "these files" if files else "the conflict"
            # Replaying its commits leaves its merges out, and with them what they settled.
            how = (
                f"Rebase it onto {code_span(base)}"
                if method is Method.REBASE
                else f"Merge {code_span(base)} into it (or rebase it onto that)"
            )
            return f"{how}, settle {these}, push, and queue it again"
        case Code.KICK_RED:
            return "Run it with the base merged in, mend what is red, push, and queue it again"
        case Code.KICK_REGENERATION:
            return (
                f"Merge {code_span(base)} into it, regenerate its files there, push, and queue it "
                "again"
            )
        case Code.KICK_PREFLIGHT:
            return "Run it with the base merged in, mend what fails, push, and queue it again"
        case Code.KICK_LANDING:
            return "Once what refuses it is put right, queue it again as it is"
        case Code.KICK_REVIEW:
            return "Settle that by a push, or by a review of its head, and queue it again"
        case _:
            return "Once that is put right, queue it again"


def _how_to_queue(code: Code, change: Change) -> str:
    if change.ref is None or not change.ref.startswith(_HEADS):
        return f", with the merge method {code_span(change.method)}."
    if code is Code.KICK_LANDING:
        return f": {code_span(f'mergequeue requeue {change.id}')} does that."
    return f": a push of its new head to {code_span(change.ref.removeprefix(_HEADS))} does that."


def _named(paths: Sequence[str]) -> str:
    """Return the files by name where they are few and short, and else how many they are."""
    *others, last = map(code_span, paths)
    named = f"{', '.join(others)} and {last}" if others else last
    short_enough = len(paths) <= _NAMED and len(named.encode()) <= _NAMED_BYTES
    return named if short_enough else _count(len(paths))


def _count(files: int) -> str:
    return "1 file" if files == 1 else f"{files} files"
