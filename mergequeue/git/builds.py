"""Writing commits and trees into the workshop; no reference of anybody's moves."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import pygit2

from mergequeue.git.new_objects import NewObjects
from mergequeue.git.objects import BLOB, COMMIT, TREE, read_kind
from mergequeue.git.tree_entries import FILE, FOLDER, Entry, format_tree, parse_tree
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId

_NOT_IN_A_NAME = re.compile(r"[\x00-\x1f<>]")

_BOTH = "a path is both a file and a folder"

_Folder = dict[bytes, "bytes | Entry | _Folder"]


class Builds:
    """`GitBuilds` in this process. May be used by several threads at once."""

    def __init__(self, repository: pygit2.Repository, new: NewObjects) -> None:
        self._repository = repository
        self._new = new

    def write_commit(
        self,
        tree: TreeId,
        parents: Sequence[CommitId],
        message: str,
        *,
        author: tuple[Identity, datetime],
        committer: tuple[Identity, datetime],
    ) -> CommitId:
        """Write a commit and return its id; raise GIT_FAILED where its tree or a parent is missing.

        The same arguments give the same id everywhere: the message is taken as it is, dates are
        whole seconds in UTC, nothing is signed.
        """
        self._new.write()
        read_kind(self._repository, tree, TREE)
        for parent in parents:
            read_kind(self._repository, parent, COMMIT)
        lines = [
            f"tree {tree}",
            *(f"parent {parent}" for parent in parents),
            f"author {_who(*author)}",
            f"committer {_who(*committer)}",
            "",
            message.replace("\0", "\N{REPLACEMENT CHARACTER}"),
        ]
        raw = "\n".join(lines).encode("utf-8", errors="replace")
        return CommitId(str(self._repository.write(COMMIT, raw)))

    def write_files(
        self,
        files: Mapping[RepoPath, bytes],
        *,
        over: TreeId | None = None,
        keep: Callable[[RepoPath], bool] = lambda _: True,
    ) -> TreeId:
        """Write a tree that holds these regular files, and return its id.

        Beside them it holds what `over` has at every other path that `keep` is true of; nothing
        where there is no such tree. Raises ValueError where a path is a file and the folder of
        another.
        """
        root: _Folder = {}
        if over is not None:
            root = self._kept(over, lambda path: path not in files and keep(path))
        for path, content in files.items():
            *folders, name = path.split(b"/")
            place = root
            for folder in folders:
                below = place.setdefault(folder, {})
                if not isinstance(below, dict):
                    raise ValueError(_BOTH)  # noqa: TRY004 (the value is wrong, not its type)
                place = below
            if name in place:
                raise ValueError(_BOTH)
            place[name] = content
        return TreeId(self._write_folder(root))

    def _kept(self, tree: str, keep: Callable[[RepoPath], bool], above: bytes = b"") -> _Folder:
        folder: _Folder = {}
        for name, entry in parse_tree(read_kind(self._repository, tree, TREE)).items():
            path = above + name
            if entry[0] == FOLDER:
                inner = self._kept(entry[1].hex(), keep, path + b"/")
                if inner:
                    folder[name] = inner
            elif keep(RepoPath(path)):
                folder[name] = entry
        return folder

    def _write_folder(self, folder: _Folder) -> str:
        entries: dict[bytes, Entry] = {}
        for name, content in folder.items():
            if isinstance(content, bytes):
                entries[name] = (FILE, bytes.fromhex(self._write_blob(content)))
            elif isinstance(content, tuple):
                entries[name] = content
            else:
                entries[name] = (FOLDER, bytes.fromhex(self._write_folder(content)))
        return str(self._repository.write(TREE, format_tree(entries)))

    def _write_blob(self, content: bytes) -> str:
        # Asking is two hundred times quicker than writing what is there already, as most of it is.
        id_ = pygit2.hash(content)
        return str(id_ if id_ in self._repository.odb else self._repository.write(BLOB, content))


def _who(identity: Identity, date: datetime) -> str:
    name, email = (_NOT_IN_A_NAME.sub("", part).strip() for part in (identity.name, identity.email))
    return f"{name} <{email}> {int(date.astimezone(UTC).timestamp())} +0000"
