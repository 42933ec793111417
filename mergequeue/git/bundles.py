"""Candidates as bundles: packed for apply, and loaded where they can harm nothing.

What a bundle holds was written by a job that ran the change's code. Its bytes are held to limits
first (`bundle_form`); then git checks every object and indexes them in a folder of their own,
beside the workshop's store and never in it; and what is taken over in the end are the files of one
commit, each written anew.

    <workshop>/qxxxxxxxx/pack/  the pack and its index, gone with the bundle
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pygit2

from mergequeue.git.bundle_form import BundleForm, BundleFormError, parse_bundle
from mergequeue.git.objects import (
    BLOB,
    COMMIT,
    TREE,
    RawCommit,
    parse_commit_object,
    read_kind,
)
from mergequeue.git.removal import remove_tree
from mergequeue.git.store import Store
from mergequeue.git.tree_entries import Entry, format_tree
from mergequeue.git.tree_paths import apply_paths
from mergequeue.git.trees import Trees
from mergequeue.ports import Difference
from mergequeue.vocabulary.errors import BOX_FAILED, MergequeueError
from mergequeue.vocabulary.ids import CommitId, TreeId, short

_REF = "refs/mergequeue/bundles/"
_ANY_STATUS = range(256)


class Bundles:
    """`ports.Bundles` on a workshop's repository."""

    def __init__(self, store: Store, trees: Trees) -> None:
        """Take the repository, and where its trees are read."""
        self._store = store
        self._trees = trees

    def pack(self, commit: CommitId, beneath: CommitId) -> bytes:
        """Return the bundle of one commit on the commit beneath it."""
        ref = f"{_REF}{commit}"
        self._store.repository.references.create(ref, commit, force=True)
        words = ("bundle", "create", "--quiet", "--version=2", "-", ref, f"^{beneath}")
        try:
            return self._store.git.run(*words).out
        finally:
            self._store.repository.references.delete(ref)

    @contextmanager
    def load(
        self, bundle: bytes, commit: CommitId, beneath: CommitId
    ) -> Iterator["LoadedBundle | str"]:
        """Load a bundle aside; a text says why it is not loaded, or lacks the commit."""
        try:
            aside = Path(tempfile.mkdtemp(prefix="q", dir=self._store.home))
        except OSError as error:
            raise BOX_FAILED(f"{short(commit)}: {error.strerror}") from error
        try:
            yield self._loaded(bundle, commit, beneath, aside)
        finally:
            with suppress(OSError):
                remove_tree(aside)

    def _loaded(
        self, bundle: bytes, commit: CommitId, beneath: CommitId, aside: Path
    ) -> "LoadedBundle | str":
        try:
            form = parse_bundle(bundle)
        except BundleFormError as error:
            return str(error)
        if commit not in form.heads:
            return f"it lacks the commit {short(commit)}"
        if form.needed != (beneath,):
            return f"it does not stand on {short(beneath)} alone"
        problem = self._index(form, aside)
        if problem:
            return problem
        repository = pygit2.Repository(str(self._store.git_dir))
        repository.odb.add_disk_alternate(str(aside))
        try:
            raw = parse_commit_object(commit, read_kind(repository, commit, COMMIT))
            return LoadedBundle(self._store.repository, self._trees, repository, raw, beneath)
        except MergequeueError as error:
            return error.problem

    def _index(self, form: BundleForm, aside: Path) -> str:
        """Let git check the objects and index them aside; in words what is wrong with them."""
        (aside / "pack").mkdir()
        ran = self._store.git.run(
            *("index-pack", "--stdin", "--fix-thin", "--strict", "--threads=1"),
            stdin=form.pack,
            variables={
                "GIT_OBJECT_DIRECTORY": str(aside),
                "GIT_ALTERNATE_OBJECT_DIRECTORIES": _listed(self._store.objects),
            },
            expect=_ANY_STATUS,
        )
        return "" if ran.status == 0 else f"git does not take it: {self._store.git.said(ran.err)}"


class LoadedBundle:
    """`ports.Bundle`: one commit, read from where it was loaded."""

    def __init__(
        self,
        store: pygit2.Repository,
        trees: Trees,
        aside: pygit2.Repository,
        commit: RawCommit,
        beneath: CommitId,
    ) -> None:
        """Compare the commit's tree with that of the one beneath; raise GIT_FAILED where it cannot
        be read.
        """
        self._store = store
        self._trees = trees
        self._aside = aside
        self._beneath = trees.tree_of(beneath)
        self.parents = commit.parents
        self.differences: tuple[Difference, ...] = Trees(aside).differences(
            self._beneath, commit.tree
        )

    def take(self) -> TreeId:
        """Write the files that differ, and return the tree that holds them.

        Raises GIT_FAILED where one of them is no file.
        """
        changed: dict[bytes, Entry | None] = {}
        for each in self.differences:
            changed[each.path] = None
            if each.new_mode:
                content = read_kind(self._aside, each.new_id, BLOB)
                changed[each.path] = (b"%o" % each.new_mode, self._store.write(BLOB, content).raw)
        tree = apply_paths(
            self._trees.entries,
            lambda entries: self._store.write(TREE, format_tree(entries)).raw,
            bytes.fromhex(self._beneath),
            changed,
        )
        return TreeId(tree.hex())


def _listed(folder: Path) -> str:
    """Return a folder as git's list of folders takes it, whatever is in its name."""
    escaped = str(folder).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
