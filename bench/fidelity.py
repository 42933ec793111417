"""Whether the paths rule makes the trees that merge commits of the past record.

    bench/fidelity.py <repository> [--by noreply@github.com] [--since 2022-09-12]

Merges the parents of every merge commit again, and counts four kinds: reproduced (clean, with the
recorded tree), edited by a person (the recorded tree differs in files that conflict, and in no
other), of unrelated histories (which git merges for a person who insists on it, and GitHub for
nobody), and every other one, which is named. Exit 1 where there is any other. GitHub commits its
own merges as noreply@github.com; one of those that is of unrelated histories is another.
"""

import itertools
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from mergequeue.git.merge_objects import MergeObjects
from mergequeue.git.merges import GitMerges
from mergequeue.git.tree_entries import CommitHeader, Entry
from mergequeue.git.tree_paths import apply_paths, differing_paths, entry_at
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Merged, ThreeWay
from mergequeue.vocabulary.ids import CommitId

GITHUB = "noreply@github.com"
BATCH = 500
"""Merges replayed at once: each batch starts git a few times, whatever it holds."""


@dataclass(frozen=True)
class Recorded:
    """A merge commit of two parents."""

    commit: CommitId
    ours: CommitId
    theirs: CommitId
    committer: str
    """Their address."""


@dataclass
class Tally:
    """What became of the merges."""

    reproduced: int = 0
    with_several_bases: int = 0
    edited: int = 0
    unrelated: int = 0
    others: list[str] = field(default_factory=list)


class Replay:
    """Merges the parents of merge commits again."""

    def __init__(self, workshop: Workshop) -> None:
        self._merges = GitMerges(workshop)
        self._objects = MergeObjects(workshop.trees)

    def count(self, tally: Tally, batch: Sequence[Recorded]) -> None:
        """Replay a batch and add what became of it."""
        merged = self._merges.merge_by_paths([ThreeWay(each.ours, each.theirs) for each in batch])
        conflicting: list[tuple[Recorded, Merged]] = []
        for each, made in zip(batch, merged, strict=True):
            if made.unrelated and each.committer != GITHUB:
                tally.unrelated += 1
            elif made.unrelated:
                tally.others.append(f"{each.commit} its parents share no history")
            elif made.tree is None:
                conflicting.append((each, made))
            elif made.tree == self._objects.commit(each.commit).tree:
                tally.reproduced += 1
                tally.with_several_bases += len(made.bases) > 1
            else:
                tally.others.append(f"{each.commit} clean, and another tree")
        self._count_conflicts(tally, conflicting)

    def _count_conflicts(self, tally: Tally, found: list[tuple[Recorded, Merged]]) -> None:
        """Merge again with what was recorded at the paths that conflict put in on both sides."""
        again = []
        for each, made in found:
            paths = {bytes(conflict.path) for conflict in made.conflicts}
            sides = [self._with_recorded(each, side, paths) for side in (each.ours, each.theirs)]
            again.append(ThreeWay(sides[0], sides[1]))
        self._objects.write()
        merged = self._merges.merge_by_paths(again)
        for (each, made), resolved in zip(found, merged, strict=True):
            if resolved.tree == self._objects.commit(each.commit).tree:
                tally.edited += 1
            else:
                names = b", ".join(conflict.path for conflict in made.conflicts[:5])
                shown = names.decode("utf-8", errors="backslashreplace")
                tally.others.append(f"{each.commit} differs elsewhere than in: {shown}")

    def _with_recorded(self, each: Recorded, side: CommitId, paths: set[bytes]) -> CommitId:
        """Return a commit on a parent that holds what was recorded at some paths."""
        read = self._objects.tree
        old, new = self._objects.root(side), self._objects.root(each.commit)
        changed: dict[bytes, Entry | None] = {
            path: entry_at(read, new, path)
            for path in differing_paths(read, old, new)
            if path in paths or _lies_in(path, paths)
        }
        tree = apply_paths(read, self._objects.add_tree, old, changed)
        date = self._objects.commit(side).date
        return CommitId(self._objects.add_commit(CommitHeader(tree.hex(), (side,), date)))


def _lies_in(path: bytes, folders: set[bytes]) -> bool:
    return any(path.startswith(folder + b"/") for folder in folders)


def recorded_merges(repository: Path, by: str | None, since: str | None) -> Iterator[Recorded]:
    """Give the merge commits of two parents that every reference carries, newest first."""
    words = ["log", "--all", "--min-parents=2", "--max-parents=2", "--format=%H %P %ce"]
    words += [f"--since={since}"] if since is not None else []
    done = subprocess.run(
        ["git", "-C", str(repository), *words], check=True, stdout=subprocess.PIPE
    )
    for line in done.stdout.decode("utf-8", errors="replace").splitlines():
        commit, ours, theirs, committer = [*line.split(" ", 3), ""][:4]
        if by is None or committer == by:
            yield Recorded(CommitId(commit), CommitId(ours), CommitId(theirs), committer)


@click.command(help="Replay the merge commits of a repository by the paths rule.")
@click.argument("repository", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--by", metavar="EMAIL", help="Only merges that this committer made.")
@click.option("--since", metavar="DATE", help="Only merges since then.")
def main(repository: Path, by: str | None, since: str | None) -> None:
    """Print what the rule makes of a repository's merges."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="fidelity-") as folder:
        borrowed = Path(folder) / "borrowed.git"
        words = ["clone", "--quiet", "--bare", "--shared", "--", str(repository), str(borrowed)]
        subprocess.run(["git", *words], check=True)
        with open_workshop(borrowed, "origin") as workshop:
            replay = Replay(workshop)
            waiting = recorded_merges(repository, by, since)
            while batch := list(itertools.islice(waiting, BATCH)):
                replay.count(tally, batch)
    total = tally.reproduced + tally.edited + tally.unrelated + len(tally.others)
    print(f"merge commits         {total:6}")
    print(f"reproduced            {tally.reproduced:6}")
    print(f"  with several bases  {tally.with_several_bases:6}")
    print(f"edited by a person    {tally.edited:6}")
    print(f"unrelated histories   {tally.unrelated:6}")
    print(f"other                 {len(tally.others):6}")
    for other in tally.others:
        print(f"  {other}")
    sys.exit(1 if tally.others else 0)


if __name__ == "__main__":
    main()
