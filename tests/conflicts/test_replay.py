"""A change's commits put on the base one by one (CASES, D)."""

from collections.abc import Iterator, Sequence

import pytest

from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.conflicts.replay import Line, Replay, replay_lines
from mergequeue.documents.config import Configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Merged, ThreeWay
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId
from tests.support.repositories import Playground

LINES = "".join(f"{number}\n" for number in range(9))
FIVE, CINQ = LINES.replace("5", "five"), LINES.replace("5", "cinq")


@pytest.fixture
def workshop(playground: Playground) -> Iterator[Workshop]:
    playground.branch("main", playground.commit({"f": LINES, "g": "g\n"}))
    with open_workshop(playground.clone(shared=True), "origin") as opened:
        yield opened


def line(workshop: Workshop, head: CommitId, onto: CommitId) -> Line:
    reads = workshop.reads
    return Line(reads.tree_of(onto), reads.line_of(head, onto))


def test_lines_of_any_length_are_replayed_in_as_many_batches_as_the_longest_has_commits(
    playground: Playground, workshop: Workshop
) -> None:
    root = playground.tip("main")
    base = playground.commit({"f": FIVE}, parents=root)
    cinq = playground.commit({"f": CINQ}, parents=root, message="wip\n")
    stuck = playground.commit({"f": FIVE}, parents=cinq)
    one = playground.commit({"a": "a\n"}, parents=root)
    two = playground.commit({"g": "two\n"}, parents=one)
    merge = playground.commit({"f": FIVE, "evil": "evil\n"}, parents=[two, base])
    batches: list[int] = []

    def counted(merges: Sequence[ThreeWay]) -> Sequence[Merged]:
        batches.append(len(merges))
        return GitMerges(workshop).merge_by_paths(merges)

    lines = [line(workshop, head, base) for head in (stuck, two, merge, base)]
    conflicting, clean, merged, nothing = replay_lines(lines, counted)

    both = TreeId(playground.tree({"a": "a\n", "g": "two\n"}, start=base))
    assert clean == merged == Replay(both)
    assert nothing == Replay(lines[0].onto)
    assert conflicting.tree is None
    assert conflicting.stuck is not None
    assert (conflicting.stuck.id, conflicting.paths) == (cinq, (RepoPath(b"f"),))
    assert batches == [3, 2]


def test_a_commit_whose_conflicts_have_to_be_settled_is_stuck_at_what_was_settled(
    playground: Playground, workshop: Workshop
) -> None:
    root = playground.commit({"N.md": "# N\n"}, parents=playground.tip("main"))
    tip = playground.commit({"N.md": "# N\nours\n"}, parents=root)
    head = playground.commit({"N.md": "# N\ntheirs\n"}, parents=root)
    merging = TwoRuleMerging(GitMerges(workshop), workshop.reads, UnitFacts(Configuration()))
    (settled,) = merging.merge([ThreeWay(tip, head)])
    assert settled.resolved
    (made,) = replay_lines([line(workshop, head, tip)], merging.merge)
    assert made.tree is None
    assert made.stuck is not None
    assert (made.stuck.id, made.paths) == (head, (RepoPath(b"N.md"),))


def test_a_tree_is_merged_as_the_commit_is_that_holds_it(
    playground: Playground, workshop: Workshop
) -> None:
    root = playground.tip("main")
    ours = playground.commit({"f": FIVE}, parents=root)
    theirs = playground.commit({"g": "two\n"}, parents=root)
    merges, tree = GitMerges(workshop), workshop.reads.tree_of(ours)
    by_commit, by_tree = ThreeWay(ours, theirs, root), ThreeWay(tree, theirs, root)
    for rule in (merges.merge_by_paths, merges.merge_by_renames):
        one, other = rule([by_commit, by_tree])
        assert one.tree is not None
        assert one == other
