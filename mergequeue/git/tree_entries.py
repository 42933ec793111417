"""Trees and commits in the form that git stores them in (pure)."""

import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass

FILE = b"100644"
EXECUTABLE = b"100755"
LINK = b"120000"
FOLDER = b"40000"
SUBMODULE = b"160000"

Entry = tuple[bytes, bytes]
"""A mode, one of the five above, and the id of an object in 20 bytes."""
Entries = Mapping[bytes, Entry]
"""What one folder holds, by name."""
Changed = Mapping[bytes, tuple[Entry | None, Entry | None]]
"""The names that two folders hold differently, with what each holds there."""
Fields = tuple[bytes, bytes, bytes]
"""A mode as it is written, a name, and an id."""

_ENTRY = re.compile(rb"([0-7]{5,6}) ([^\0]+)\0(.{20})", re.DOTALL)
ENTRY_BYTES = len(b" ") + len(b"\0") + 20
"""What an entry has beside its mode and its name."""
MODES = {mode: mode for mode in (FILE, EXECUTABLE, LINK, FOLDER, SUBMODULE)}
"""The modes that git writes."""
_HEADER = re.compile(rb"tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)")
_DATE = re.compile(rb"^committer .*> (\d{1,18})(?: |$)", re.MULTILINE)


@dataclass(frozen=True)
class CommitHeader:
    """What merging needs to know of a commit."""

    tree: str
    parents: tuple[str, ...]
    date: int
    """The committer's seconds; 0 where they do not read, as git has it."""


def parse_tree(raw: bytes) -> dict[bytes, Entry]:
    """Return what a tree holds, modes as git reads them; raise ValueError where it is corrupt."""
    return {name: (canonical_mode(mode), id_) for mode, name, id_ in parse_fields(raw)}


def canonical_mode(mode: bytes) -> bytes:
    """Return a mode as git reads it."""
    return MODES.get(mode) or _canonical(mode)


def parse_fields(raw: bytes) -> list[Fields]:
    """Return the fields of a tree, in order; raise ValueError where it is corrupt."""
    found = _ENTRY.findall(raw)
    length = sum([len(mode) + len(name) for mode, name, _ in found]) + ENTRY_BYTES * len(found)
    if length != len(raw) or len({name for _, name, _ in found}) != len(found):
        raise ValueError("a corrupt tree")
    return found


def format_tree(entries: Entries) -> bytes:
    """Return a tree as git stores it, sorted as git sorts."""
    rows = sorted((sorting_name(name, entry), name, entry) for name, entry in entries.items())
    return b"".join([format_record(name, entry) for _, name, entry in rows])


def format_record(name: bytes, entry: Entry) -> bytes:
    """Return an entry as git stores it."""
    return b"%s %s\0%s" % (entry[0], name, entry[1])


def sorting_name(name: bytes, entry: Entry) -> bytes:
    """Return what git sorts an entry by: a folder as if its name ended with a slash."""
    return name + b"/" if entry[0] == FOLDER else name


def parse_header(raw: bytes) -> CommitHeader:
    """Return a commit's header; raise ValueError where it is corrupt."""
    found = _HEADER.match(raw)
    if found is None:
        raise ValueError("a corrupt commit")
    parents = tuple(line[len("parent ") :] for line in found[2].decode().splitlines())
    dated = _DATE.search(raw, found.end(), _end_of_header(raw))
    return CommitHeader(found[1].decode(), parents, int(dated[1]) if dated else 0)


def format_commit(header: CommitHeader) -> bytes:
    """Return a commit that stands for another while trees are merged."""
    who = b"mergequeue <> %d +0000" % header.date
    lines = [b"tree " + header.tree.encode()]
    lines += [b"parent " + parent.encode() for parent in header.parents]
    lines += [b"author " + who, b"committer " + who, b"", b""]
    return b"\n".join(lines)


def is_folder(entry: Entry | None) -> bool:
    """Whether a name holds a folder."""
    return entry is not None and entry[0] == FOLDER


def is_file(entry: Entry | None) -> bool:
    """Whether a name holds a regular file."""
    return entry is not None and entry[0] in {FILE, EXECUTABLE}


def _canonical(mode: bytes) -> bytes:
    # As git reads the modes that older programs wrote.
    number = int(mode, 8)
    if stat.S_ISREG(number):
        return EXECUTABLE if number & stat.S_IXUSR else FILE
    if stat.S_ISLNK(number):
        return LINK
    return FOLDER if stat.S_ISDIR(number) else SUBMODULE


def _end_of_header(raw: bytes) -> int:
    end = raw.find(b"\n\n")
    return len(raw) if end < 0 else end
