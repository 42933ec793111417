"""What a change's commits leave when each is put on the base in turn (CASES, D).

A rebase makes no merge of its head, so a commit in the middle can conflict where the whole does
not. Planning says so, and apply proves the tree, with this one function; the trees are merged by
whatever it is handed, and no commit is written.

A commit whose conflicts had to be settled is stuck all the same: the provider stops there, and no
update commit can stand in for one in the middle (facts 3.10, step 6).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mergequeue.ports import CommitFacts, Merged, Settled, ThreeWay
from mergequeue.vocabulary.ids import RepoPath, TreeId

MergeAll = Callable[[Sequence[ThreeWay]], Sequence[Merged | Settled]]
"""Makes a batch of merges as the provider makes its own."""


@dataclass(frozen=True)
class Line:
    """Commits to put on a tree, oldest first; merges among them are left out."""

    onto: TreeId
    commits: tuple[CommitFacts, ...]


@dataclass(frozen=True)
class Replay:
    """What replaying a line gives."""

    tree: TreeId | None
    """The tree at the end; None where a commit conflicts."""
    stuck: CommitFacts | None = None
    """The commit that conflicts."""
    paths: tuple[RepoPath, ...] = ()
    """The paths on which it does."""


def replay_lines(lines: Sequence[Line], merge: MergeAll) -> list[Replay]:
    """Return what each line leaves; as many batches as the longest one has commits."""
    found = [Replay(line.onto) for line in lines]
    queues = [[one for one in line.commits if len(one.parents) == 1] for line in lines]
    for number in range(max(map(len, queues), default=0)):
        steps: list[tuple[int, CommitFacts, ThreeWay]] = []
        for place, queue in enumerate(queues):
            tree = found[place].tree
            if tree is not None and number < len(queue):
                commit = queue[number]
                steps.append((place, commit, ThreeWay(tree, commit.id, commit.parents[0])))
        made = merge([step for *_, step in steps]) if steps else ()
        for (place, commit, _), one in zip(steps, made, strict=True):
            at_issue = paths_at_issue(one)
            stuck = one.tree is None or bool(at_issue)
            found[place] = Replay(None, commit, at_issue) if stuck else Replay(one.tree)
    return found


def paths_at_issue(made: Merged | Settled) -> tuple[RepoPath, ...]:
    """Return the paths on which a merge conflicts, or did until it was settled."""
    conflicts = tuple(conflict.path for conflict in made.conflicts)
    if isinstance(made, Merged):
        return conflicts
    return (*conflicts, *sorted({*(each.path for each in made.resolved), *made.generated}))
