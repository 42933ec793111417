"""The messages of what lands: the queue's own words, and those that the base's file asks for.

    [message]
    title = "{title} (#{change})"
    body = "{description}"
    trailers = ["Reviewed-by: {reviewer}", "Change: {change}"]

No word in a message keeps a provider from running workflows (CASES, G). A change's own words are in
it as they are, mentions included, and are repeated nowhere else; but a trailer of a key that the
base's file has one of is the queue's word, and nobody else writes one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from unicodedata import category

from mergequeue.documents.changes import Change
from mergequeue.documents.config import MessageTable
from mergequeue.ports import CommitFacts
from mergequeue.vocabulary.text import one_line
from mergequeue.vocabulary.words import Method

_SKIPS = re.compile(r"\[(skip ci|ci skip|no ci|skip actions|actions skip)\]", re.IGNORECASE)
_SKIP_TRAILER = re.compile(r"^(\s*skip-checks)\s*:\s*true\b", re.IGNORECASE | re.MULTILINE)
_TRAILER = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)\s*:\s+(\S.*)\Z")
_KEYED = re.compile(r"^[^\S\n]*([A-Za-z0-9-]+)[^\S\n]*:", re.MULTILINE)
_ADDRESS = re.compile(r"<([^<>]*)>\s*\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FOLDS = re.compile(r"[ \t]*</?(?:details|summary)(?:\s[^<>]*)?>[ \t]*", re.IGNORECASE)
_CO_AUTHOR = "co-authored-by"


@dataclass(frozen=True)
class Told:
    """What a message may say of a change."""

    change: Change
    commits: Sequence[CommitFacts]
    """Its own, oldest first."""
    head: CommitFacts
    description: str | None = None
    """What its author says of it; None where the provider has no such thing, and its head does."""
    reviewers: Sequence[str] = ()
    """Who approves its head, in the order in which they did."""


@dataclass(frozen=True)
class Wording:
    """The words that the base's file asks for."""

    title: str = ""
    """Empty where the provider's own stands."""
    body: str | None = None
    """All that stands beneath it; None where the provider's own does."""


def wording_of(table: MessageTable, told: Told) -> Wording:
    """Return the words of a squash or a merge; a rebase keeps those of its commits."""
    if told.change.method is Method.REBASE or table == MessageTable():
        return Wording()
    fields, keys = _fields(told), _keys_of(table)
    title = _line(table.title.format_map(fields))
    trailers = _block(table, told, fields)
    if table.body is None and not trailers and not _says_any(told, keys):
        return Wording(unskipped(title))
    typed = {name: _unkeyed(fields[name], keys) for name in ("title", "description")}
    if table.body is not None:
        text = table.body.format_map({**fields, **typed}).strip()
    elif told.change.method is Method.SQUASH:
        bullets = _bullets(told.commits)
        text = "" if bullets == [f"* {fields['title']}"] else "\n\n".join(bullets)
    else:
        text = _unkeyed(_line(told.change.title), keys)
    parts = [part for part in (_plain(text), "\n".join(trailers)) if part]
    return Wording(unskipped(title), unskipped("\n\n".join(parts)))


def squash_message(commits: Sequence[CommitFacts], head: CommitFacts) -> str:
    """Return the message of a squash: a bullet for each own commit, and the people at the end.

    Oldest first, merges left out (facts 3.11). Trailers are the union over the commits, one block,
    in first-seen order; people are told apart by address whatever its case, and the head's author,
    who the squash is by, is left out. No word in it keeps a provider from running workflows.
    """
    trailers = _distinct(_trailers(_own(commits)), head)
    return unskipped(
        "\n\n".join([*_bullets(commits), *(["\n".join(trailers)] if trailers else [])]) + "\n"
    )


def holds_skip(texts: Iterable[str]) -> bool:
    """Whether a text holds a word that keeps a provider from running workflows."""
    return any(unskipped(text) != text for text in texts)


def unskipped(text: str) -> str:
    """Return the text with the words broken that would keep a provider from running workflows
    (CASES, G).
    """
    return _SKIP_TRAILER.sub(r"\1 (true)", _SKIPS.sub(r"(\1)", text))


def unfolded(text: str) -> str:
    """Return Markdown without the tags that fold a part of it away on its page, outside fenced
    code; the words of a summary stand on a line of their own.
    """
    kept: list[str] = []
    fence = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1].startswith(fence) and not line.strip(" `~"))):
            fence = "" if fence else mark[1]
        unfolds = not fence and not mark and _FOLDS.search(line)
        kept += [part for part in _FOLDS.split(line) if part] if unfolds else [line]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def subject_of(message: str) -> str:
    """Return a commit's first paragraph in one line."""
    paragraph = message.strip("\n").split("\n\n", 1)[0]
    return " ".join(line.strip() for line in paragraph.splitlines())


def _fields(told: Told) -> Mapping[str, str]:
    change, head = told.change, told.head
    description = told.description
    if description is None:
        description = "\n\n".join(_prose(head.message))
    return {
        "author": _line(str(head.author)),
        "base": change.base,
        "change": change.id,
        "commits": "\n\n".join(_bullets(told.commits)),
        "description": _plain(unfolded(description)),
        "method": change.method.value,
        "title": _line(change.title) or _line(subject_of(head.message)),
    }


def _block(table: MessageTable, told: Told, fields: Mapping[str, str]) -> list[str]:
    """Return the trailers: those of the commits, for a squash, and those that the file asks for."""
    squash = told.change.method is Method.SQUASH
    own = _trailers(_own(told.commits)) if squash else []
    found = [(key, said) for key, said in own if key.casefold() not in _keys_of(table)]
    people = {"co_author": [str(one.author) for one in _own(told.commits)]}
    people["reviewer"] = list(told.reviewers)
    for template in table.trailers:
        key, _, value = template.partition(":")
        each = next((name for name in people if f"{{{name}}}" in value), None)
        names = people[each] if each else [""]
        for name in names:
            said = _line(value.format_map({**fields, each or "": name}))
            if said:
                found.append((key.strip(), said))
    return _distinct(found, told.head)


def _keys_of(table: MessageTable) -> frozenset[str]:
    """Return the keys that the base's file has trailers of, and that no author's words may have.

    Whom a change was written with, git itself takes its author's word for.
    """
    keys = {template.partition(":")[0].strip().casefold() for template in table.trailers}
    return frozenset(keys - {_CO_AUTHOR})


def _says_any(told: Told, keys: frozenset[str]) -> bool:
    """Return whether the provider's own text would have a trailer of one of these keys."""
    if told.change.method is Method.SQUASH:
        return any(key.casefold() in keys for key, _ in _trailers(_own(told.commits)))
    title = _line(told.change.title)
    return _unkeyed(title, keys) != title


def _unkeyed(text: str, keys: frozenset[str]) -> str:
    """Return such a text in which no line reads as a trailer of one of these keys."""
    return _KEYED.sub(lambda line: f"{line[1]} -" if line[1].casefold() in keys else line[0], text)


def _bullets(commits: Sequence[CommitFacts]) -> list[str]:
    return [f"* {one_line(subject_of(commit.message))}" for commit in _own(commits)]


def _own(commits: Sequence[CommitFacts]) -> list[CommitFacts]:
    return [commit for commit in commits if len(commit.parents) < 2]  # noqa: PLR2004 (a merge has two)


def _trailers(commits: Sequence[CommitFacts]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for commit in commits:
        found += [("Co-authored-by", str(commit.author)), *_trailers_of(commit.message)]
    return found


def _distinct(trailers: Iterable[tuple[str, str]], head: CommitFacts) -> list[str]:
    """Return each trailer once, without the head's author, who is the author of what lands."""
    author = head.author.email.casefold()
    found: dict[tuple[str, str], str] = {}
    for key, value in trailers:
        is_person = key.casefold() == _CO_AUTHOR
        match = _ADDRESS.search(value)
        identity = match.group(1).strip().casefold() if is_person and match else value.casefold()
        if not (is_person and identity == author):
            found.setdefault((key.casefold(), identity), one_line(f"{key}: {value}"))
    return list(found.values())


def _trailers_of(message: str) -> list[tuple[str, str]]:
    """Return the trailers of a message: its last paragraph, where every line of it is one."""
    paragraphs = message.strip().split("\n\n")
    if len(paragraphs) < 2:  # noqa: PLR2004 (a subject alone has none)
        return []
    matches = [_TRAILER.match(line) for line in paragraphs[-1].splitlines()]
    return (
        [(match.group(1), match.group(2).strip()) for match in matches if match]
        if all(matches)
        else []
    )


def _prose(message: str) -> list[str]:
    """Return what a commit says beneath its subject, without its trailers."""
    paragraphs = message.strip().split("\n\n")[1:]
    return paragraphs[:-1] if _trailers_of(message) else paragraphs


def _plain(text: str) -> str:
    """Return a text without control characters, and without halves of characters."""
    return "".join(
        letter for letter in text if letter in "\n\t" or category(letter) not in {"Cc", "Cs"}
    )


def _line(text: str) -> str:
    """Return such a text in one line."""
    return " ".join(_plain(text).split())
