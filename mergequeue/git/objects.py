"""Objects as bytes, read in this process; an error names the one that is missing or broken."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile

import pygit2

from mergequeue.vocabulary.errors import GIT_FAILED, UNDATED
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import CommitId, TreeId

COMMIT, TREE, BLOB = 1, 2, 3
"""What git numbers the kinds of objects with."""
_KINDS = {COMMIT: "commit", TREE: "tree", BLOB: "blob", 4: "tag"}

_TREE, _PARENT = b"tree ", b"parent "
_WHO = re.compile(rb"(?P<name>[^<]*)<(?P<email>[^>]*)>(?: +(?P<date>\d+)(?: +[-+]\d+)?)?")


def read_object(repository: pygit2.Repository, id_: str) -> tuple[int, bytes]:
    """Return an object's kind and content; raise GIT_FAILED, naming it, where it does not read."""
    try:
        kind, content = repository.read(id_)
    except KeyError:
        raise GIT_FAILED(f"the object {id_} is missing") from None
    except (ValueError, pygit2.GitError) as error:
        raise GIT_FAILED(f"the object {id_} is broken: {error}") from error
    return kind, content


def read_kind(repository: pygit2.Repository, id_: str, kind: int) -> bytes:
    """Return the content of an object of a kind; raise GIT_FAILED where it is of another."""
    found, content = read_object(repository, id_)
    if found != kind:
        raise GIT_FAILED(f"the object {id_} is a {_KINDS.get(found)}, not a {_KINDS[kind]}")
    return content


def size_of(repository: pygit2.Repository, id_: str) -> int:
    """Return how many bytes an object holds; raise GIT_FAILED where it does not read."""
    try:
        return repository.odb.read_header(id_)[1]
    except KeyError:
        raise GIT_FAILED(f"the object {id_} is missing") from None
    except (ValueError, pygit2.GitError) as error:
        raise GIT_FAILED(f"the object {id_} is broken: {error}") from error


@dataclass(frozen=True)
class RawCommit:
    """A commit's parts, undecoded."""

    id: CommitId
    tree: TreeId
    parents: tuple[CommitId, ...]
    author: bytes
    committer: bytes
    encoding: str
    message: bytes

    def text(self, raw: bytes) -> str:
        """Return text of the commit, decoded as it says; what does not decode is replaced."""
        try:
            text = raw.decode(self.encoding, errors="replace")
        except (LookupError, ValueError):
            text = raw.decode("utf-8", errors="replace")
        # An odd encoding can yield half characters, which no document can hold.
        return text.encode("utf-8", errors="replace").decode("utf-8")

    def identity(self, line: bytes) -> Identity:
        """Return who an author or committer line names."""
        found = _WHO.match(line)
        if found is None:
            return Identity(self.text(line).strip(), "")
        return Identity(self.text(found["name"]).strip(), self.text(found["email"]).strip())

    def committed(self) -> datetime:
        """Return the committer date in UTC; raise UNDATED where it does not read."""
        date = _date(self.committer)
        if date is None:
            raise UNDATED(f"the commit {self.id} has no readable committer date")
        return date

    def authored(self) -> datetime:
        """Return the author date in UTC, or the committer date where that does not read."""
        return _date(self.author) or self.committed()

    def subject(self) -> str:
        """Return the first paragraph of the message, on one line."""
        paragraph, _, _ = self.text(self.message).lstrip("\n").partition("\n\n")
        return " ".join(line.strip() for line in paragraph.splitlines()).strip()


def parse_commit_object(id_: CommitId, content: bytes) -> RawCommit:
    """Return the parts of a commit object; raise GIT_FAILED where it is none."""
    head, _, message = content.partition(b"\n\n")
    _, *lines = head.split(b"\n")
    # As git reads it: a line further down that looks like one names no parent.
    parents = [line[len(_PARENT) :] for line in takewhile(_is_parent, lines)]
    fields: dict[bytes, bytes] = {}
    for line in lines[len(parents) :]:
        key, _, value = line.partition(b" ")
        fields.setdefault(key, value)
    return RawCommit(
        id=id_,
        tree=tree_of_commit(id_, content),
        parents=tuple(CommitId(parent.decode("ascii", errors="replace")) for parent in parents),
        author=fields.get(b"author", b""),
        committer=fields.get(b"committer", b""),
        encoding=fields.get(b"encoding", b"utf-8").decode("ascii", errors="replace"),
        message=message,
    )


def tree_of_commit(id_: CommitId, content: bytes) -> TreeId:
    """Return the tree that a commit object names; raise GIT_FAILED where it names none."""
    if not content.startswith(_TREE):
        raise GIT_FAILED(f"the commit {id_} is broken: it names no tree")
    line, _, _ = content.partition(b"\n")
    return TreeId(line[len(_TREE) :].decode("ascii", errors="replace"))


def _is_parent(line: bytes) -> bool:
    return line.startswith(_PARENT)


def _date(line: bytes) -> datetime | None:
    found = _WHO.match(line)
    if found is None or found["date"] is None:
        return None
    try:
        return datetime.fromtimestamp(int(found["date"]), UTC)
    except (ValueError, OverflowError, OSError):
        return None
