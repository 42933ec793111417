"""The comment by which a change goes back to its author on GitHub (seed 1, Providers; facts 2.9).

The report in the queue's own words, what the verdict claims in a fence, the run, how to run it
again, the files and commits folded away, how to queue it again, and last a line for the queue's own
eyes. What others typed is in code spans and fences alone, and the whole always fits.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import ConfigDict

from mergequeue.documents.provider import KickBack
from mergequeue.documents.record import CommitId, Record
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.limits import (
    CLAIM_BYTES,
    PATH_BYTES_SHOWN,
    PATHS_SHOWN,
)
from mergequeue.vocabulary.text import code_block, code_span, cut
from mergequeue.vocabulary.words import Method

_MARKER: Final = re.compile(r"<!-- mergequeue (\{[^\n]*\}) -->\Z")
_SPECIAL: Final = {ord(char): f"\\u{ord(char):04x}" for char in "-<>!&@"}
_RUN: Final = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+/runs/[1-9][0-9]*\Z")
_SAFE_WORD: Final = re.compile(r"[A-Za-z0-9_@%+=:,./-]+\Z")

_TAIL_BYTES = 8_000
"""What the last lines, and the marker among them, take at most."""
_BLOCK_BYTES = 10_000
"""What one folded block takes at most."""
_REPORT_BYTES = 20_000
"""What the report takes at most: with three blocks, the claim and the tail, less than 65,536."""
_LINE_BYTES = 4_000
"""What a line of the report takes at most before it is shown as text, and cut."""


@dataclass(frozen=True)
class Where:
    """Where the comment is posted, and how the change was queued."""

    web: str
    """The address that people open."""
    host: str
    repo: str
    number: int
    top: int | None = None
    """The top of its stack, whose label queues it."""
    labelled: bool = False
    """Whether its own label queued it, rather than auto-merge."""
    fork: bool = False


def kick_comment(kick: KickBack, where: Where) -> str:
    """Return the comment; its last line is the marker, which `is_kick_comment` knows again."""
    parts = [
        _report(kick),
        _claim(kick),
        _regeneration(kick),
        run_link(kick.source, where.web),
        _reproduction(kick, where),
        *_lists(kick),
        _requeue(kick, where),
        marker(kick),
    ]
    return "\n\n".join(part for part in parts if part)


def marker(kick: KickBack) -> str:
    """Return the comment's last line: one JSON object of the code, the head, the method and files.

    No file name in it can end the HTML comment, mention anybody, or break the line.
    """
    fields: dict[str, object] = {
        "code": kick.code.value,
        "head": kick.commit,
        "method": kick.change.method.value,
        "files": [],
    }
    files: list[str] = []
    for path in kick.paths:
        more = {**fields, "files": [*files, cut(path, PATH_BYTES_SHOWN)]}
        if len(files) == PATHS_SHOWN or len(_escaped(more)) > _TAIL_BYTES - 200:
            fields["more"] = len(kick.paths) - len(files)
            break
        files.append(cut(path, PATH_BYTES_SHOWN))
    return f"<!-- mergequeue {_escaped({**fields, 'files': files})} -->"


def is_kick_comment(body: str) -> bool:
    """Whether the last line of a comment that is not blank is the queue's marker."""
    return _marked(body) is not None


class KickMark(Record):
    """What the last line of a kick-back says, as far as it is read again."""

    model_config = ConfigDict(extra="ignore")

    code: Code
    head: CommitId
    method: Method | None = None
    """None in a comment of an older version."""


def kick_of(body: str) -> KickMark | None:
    """Return what a kick-back's last line says; None for any other comment."""
    marked = _marked(body)
    try:
        return None if marked is None else KickMark.model_validate_json(marked)
    except ValueError:
        return None


def same_kick(one: str, other: str) -> bool:
    """Whether two comments are about one kick: the same code, head and files."""
    marked = _marked(one)
    return marked is not None and marked == _marked(other)


def _marked(body: str) -> str | None:
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    found = _MARKER.match(lines[-1]) if lines else None
    return found[1] if found is not None else None


def _escaped(fields: dict[str, object]) -> str:
    return json.dumps(fields).translate(_SPECIAL)


def _report(kick: KickBack) -> str:
    """Return the report without its lists, which are folded away beneath."""
    paragraphs = kick.report.strip().split("\n\n")
    lists = [number for number, text in enumerate(paragraphs) if text.startswith("- ")]
    headings = {number - 1 for number in lists if paragraphs[number - 1].endswith(":")}
    kept = [text for n, text in enumerate(paragraphs) if n not in lists and n not in headings]
    return _whole_lines("\n\n".join(kept), _REPORT_BYTES)


def _whole_lines(text: str, limit: int) -> str:
    """Return as many whole lines as fit: a line that is cut could leave a code span open."""
    kept: list[str] = []
    for line in text.split("\n"):
        short = len(line.encode()) <= _LINE_BYTES
        kept.append(line if short else code_block(line, _LINE_BYTES))
        if len("\n".join(kept).encode()) > limit:
            return "\n".join([*kept[:-1], "(The rest is too long to show here.)"])
    return "\n".join(kept)


def _claim(kick: KickBack) -> str:
    first = kick.report.partition("\n")[0]
    claim = kick.claim.removeprefix(first).strip()
    if not claim or claim in kick.report:
        return ""
    return f"The job that judged it says:\n\n{code_block(claim, CLAIM_BYTES)}"


def _regeneration(kick: KickBack) -> str:
    if kick.code is not Code.KICK_REGENERATION:
        return ""
    base = code_span(kick.change.base)
    return (
        "It is labelled `merge-queue: needs regeneration`. Merge "
        f"{base} into it, regenerate the files, commit them, and push."
    )


def run_link(source: str, web: str) -> str:
    """Return a link to the run that apply followed; empty where it followed none."""
    run = _run_of(source)
    if run is None:
        return ""
    repo, id_ = run
    return f"Validated in [run {id_}]({web}/{repo}/actions/runs/{id_})."


def _run_of(source: str) -> tuple[str, str] | None:
    """Return the repository and number of the run that apply followed, where it followed one."""
    if not _RUN.match(source):
        return None
    repo, _, id_ = source.rpartition("/runs/")
    return repo, id_


def _reproduction(kick: KickBack, where: Where) -> str:
    """Return the folded block that validates the change again on its author's machine (facts K2,
    K3).
    """
    run = _run_of(kick.source)
    if run is None or kick.reproduce is None:
        return ""
    repo, id_ = run
    named = repo if where.host == "github.com" else f"{where.host}/{repo}"
    folder = f"mergequeue-{id_}"
    regenerate = kick.reproduce.regenerate
    again = f" --regenerate {_word(regenerate)}" if regenerate else ""
    lines = [
        f"gh run download {id_} -R {_word(named)} -n mergequeue-plan -D {folder}",
        (
            f"mergequeue validate --stdin --verdicts {folder}/verdicts --only {kick.change.id} "
            f"--gate {_word(kick.reproduce.gate)}{again} < {folder}/plan.json"
        ),
    ]
    fence, _, rest = code_block("\n".join(lines), _BLOCK_BYTES).partition("\n")
    return _folded("Run it again in a clone", f"{fence}sh\n{rest}")


def _word(text: str) -> str:
    """Return a text as one word of a shell."""
    return text if _SAFE_WORD.match(text) else "'" + text.replace("'", "'\"'\"'") + "'"


def _lists(kick: KickBack) -> Iterator[str]:
    if kick.paths:
        yield _folded(f"Files at issue ({len(kick.paths)})", _items(kick.paths))
    if kick.paths and kick.with_:
        base = code_span(kick.change.base)
        yield _folded(
            f"Commits of the base that touched them ({len(kick.with_)})",
            f"On {base}:\n\n{_items(kick.with_)}",
        )


def _items(texts: Sequence[str]) -> str:
    """Return a list of code spans, as many as fit, and how many more there are."""
    lines: list[str] = []
    size = 0
    for text in texts[:PATHS_SHOWN]:
        line = f"- {code_span(cut(text, PATH_BYTES_SHOWN))}"
        size += len(line.encode()) + 1
        if size > _BLOCK_BYTES:
            break
        lines.append(line)
    more = len(texts) - len(lines)
    return "\n".join([*lines, *([f"\nand {more} more"] if more else [])])


def _folded(title: str, inside: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{inside}\n\n</details>"


def _requeue(kick: KickBack, where: Where) -> str:
    """Return how it is queued again, by the way it was queued (facts K11)."""
    if where.fork:
        return ""
    label = f"merge-queue: {kick.change.method}"
    command = f"gh pr merge {where.number} --auto --{kick.change.method}"
    if where.top is not None:
        command = f"gh pr edit {where.top} --add-label {_word(label)}"
    elif where.labelled:
        command = f"gh pr edit {where.number} --add-label {_word(label)}"
    otherwise = ""
    if where.top is None and not where.labelled:
        otherwise = f" (or, where GitHub offers no auto-merge, label it {code_span(label)})"
    return f"To queue it again{otherwise}:\n\n{code_block(command, _TAIL_BYTES)}"
