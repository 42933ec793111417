"""Histories by name, without git: `Commits().add("b", "a")`, and the graph of a walk of them."""

from hashlib import sha1

from mergequeue.ports import Graph
from mergequeue.vocabulary.ids import CommitId


def commit_id(name: str) -> CommitId:
    """Return the id that a commit of this name has in every test."""
    return CommitId(sha1(name.encode(), usedforsecurity=False).hexdigest())


class Commits:
    """Commits in the order they were made."""

    def __init__(self) -> None:
        self.parents: dict[CommitId, tuple[CommitId, ...]] = {}

    def add(self, name: str, *parents: str) -> CommitId:
        """Make a commit on others, and return its id."""
        self.parents[commit_id(name)] = tuple(commit_id(parent) for parent in parents)
        return commit_id(name)

    def line(self, *names: str) -> CommitId:
        """Make each commit on the one named before it, unless it is there; return the last."""
        for parent, name in zip((None, *names), names, strict=False):
            if commit_id(name) not in self.parents:
                self.add(name, *(() if parent is None else (parent,)))
        return commit_id(names[-1])

    def carried(self, commit: CommitId) -> frozenset[CommitId]:
        """Return what a commit carries, itself included, in the plainest way."""
        found = {commit}
        for parent in self.parents[commit]:
            found |= self.carried(parent)
        return frozenset(found)

    def graph(self, heads: list[CommitId], tip: CommitId) -> Graph:
        """Return what the heads carry and the tip does not, children first."""
        own = frozenset().union(*(self.carried(head) for head in heads)) - self.carried(tip)
        newest_first = [commit for commit in reversed(self.parents) if commit in own]
        return Graph(tip, {commit: self.parents[commit] for commit in newest_first})
