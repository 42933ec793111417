"""Ancestry, by whole walks."""

from collections.abc import Callable, Iterator

import pytest

from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import GitReads
from mergequeue.vocabulary.errors import GIT_FAILED, MergequeueError
from mergequeue.vocabulary.ids import CommitId, RepoPath
from tests.support.repositories import COMMIT_TYPE, Playground


@pytest.fixture
def world(playground: Playground) -> dict[str, CommitId]:
    """base -- tip on main; a -- b -- c beside it, where b merges the tip in; an orphan."""
    base = playground.commit({"f": "1"}, message="base\n")
    tip = playground.commit({"g": "1"}, parents=base, message="tip\n\nwith a body\n")
    a = playground.commit({"h": "1"}, parents=base, message="a\n")
    b = playground.commit({"g": "1", "h": "merged"}, parents=[a, tip], message="b\n")
    c = playground.commit({"h": "2"}, parents=b, message="c\n", date=1_000_000_000)
    orphan = playground.commit({"o": "1"}, message="orphan\n")
    made = {"base": base, "tip": tip, "a": a, "b": b, "c": c, "orphan": orphan}
    for name, commit in made.items():
        playground.branch(name, commit)
    playground.branch("main", tip)
    return made


@pytest.fixture
def reads(playground: Playground, world: dict[str, CommitId]) -> Iterator[GitReads]:
    with open_workshop(playground.clone(), "origin") as workshop:
        assert world
        yield workshop.reads


def test_a_graph_holds_what_heads_carry_and_the_tip_does_not_children_first(
    reads: GitReads, world: dict[str, CommitId]
) -> None:
    heads = [world[name] for name in ("c", "a", "tip", "orphan")]
    graph = reads.graph(heads, world["tip"])
    assert graph.tip == world["tip"]
    assert graph.parents == {
        world["c"]: (world["b"],),
        world["b"]: (world["a"], world["tip"]),
        world["a"]: (world["base"],),
        world["orphan"]: (),
    }
    order = list(graph.parents)
    assert order.index(world["c"]) < order.index(world["b"]) < order.index(world["a"])


def test_no_heads_make_an_empty_graph(reads: GitReads, world: dict[str, CommitId]) -> None:
    assert reads.graph([], world["tip"]).parents == {}


def test_a_commit_is_in_its_own_history_and_in_that_of_what_is_built_on_it(
    reads: GitReads, world: dict[str, CommitId]
) -> None:
    assert reads.is_ancestor(world["c"], world["c"])
    assert reads.is_ancestor(world["tip"], world["c"])
    assert not reads.is_ancestor(world["c"], world["tip"])
    assert not reads.is_ancestor(world["orphan"], world["c"])


def test_a_fork_point_is_the_one_merge_base(reads: GitReads, world: dict[str, CommitId]) -> None:
    assert reads.fork_point(world["a"], world["tip"]) == world["base"]
    assert reads.fork_point(world["c"], world["tip"]) == world["tip"]
    assert reads.fork_point(world["orphan"], world["tip"]) is None


def test_several_merge_bases_are_no_fork_point(playground: Playground) -> None:
    base = playground.commit({"f": "1"})
    a, b = (playground.commit({name: "1"}, parents=base) for name in ("a", "b"))
    one = playground.branch("main", playground.commit({}, parents=[a, b]))
    other = playground.branch("other", playground.commit({"c": "1"}, parents=[b, a]))
    with open_workshop(playground.clone(), "origin") as workshop:
        assert workshop.reads.fork_point(one, other) is None


def test_a_line_is_listed_oldest_first_in_the_words_of_its_commits(
    reads: GitReads, world: dict[str, CommitId]
) -> None:
    line = reads.line_of(world["c"], world["tip"])
    assert [commit.id for commit in line] == [world["a"], world["b"], world["c"]]
    assert line[0].message == "a\n"
    assert reads.line_of(world["base"], world["tip"]) == ()


def test_parents_come_before_children_whatever_the_dates_say(playground: Playground) -> None:
    base = playground.branch("main", playground.commit({"f": "1"}))
    parent = playground.commit({"f": "2"}, parents=base, date=2_000_000_000)
    child = playground.commit({"f": "3"}, parents=parent, date=1_000_000_000)
    head = playground.branch("change", playground.commit({}, parents=[parent, child]))
    with open_workshop(playground.clone(), "origin") as workshop:
        line = [commit.id for commit in workshop.reads.line_of(head, base)]
        graph = list(workshop.reads.graph([head], base).parents)
    assert line == [parent, child, head]
    assert graph == [head, child, parent]


def test_commits_that_touched_paths_are_named_without_merges(
    playground: Playground, reads: GitReads, world: dict[str, CommitId]
) -> None:
    touched = reads.commits_touching(world["c"], world["base"], [RepoPath(b"h")], 10)
    assert touched == (f"{world['c'][:12]} c", f"{world['a'][:12]} a")
    assert len(reads.commits_touching(world["c"], world["base"], [RepoPath(b"h")], 1)) == 1
    assert reads.commits_touching(world["c"], world["base"], [RepoPath(b"none")], 10) == ()
    assert reads.commits_touching(world["c"], world["base"], [], 10) == ()
    assert playground.tip("main") == world["tip"]


def test_a_touched_path_is_taken_literally(playground: Playground) -> None:
    base = playground.commit({"f": "1"})
    other = playground.commit({"other": "1"}, parents=base, message="other\n")
    names = [b"--all", b":(glob)*", b"*", b"a\nb", b"\xff", b' "q"']
    heads = [playground.commit({name: "1"}, parents=other, message="it\n") for name in names]
    for number, head in enumerate(heads):
        playground.branch(f"b{number}", head)
    playground.branch("main", base)
    with open_workshop(playground.clone(), "origin") as workshop:
        for name, head in zip(names, heads, strict=True):
            touched = workshop.reads.commits_touching(head, base, [RepoPath(name)], 10)
            assert touched == (f"{head[:12]} it",)


def test_more_paths_than_a_process_takes_are_no_error(
    reads: GitReads, world: dict[str, CommitId]
) -> None:
    paths = [RepoPath(b"h"), *(RepoPath(b"x" * 200 + b"%d" % n) for n in range(20_000))]
    assert len(reads.commits_touching(world["c"], world["base"], paths, 10)) == 2


def test_what_a_report_cannot_list_is_left_out_of_it(reads: GitReads) -> None:
    unknown = CommitId("1" * 40)
    assert reads.commits_touching(unknown, unknown, [RepoPath(b"f")], 10) == ()


def test_an_unknown_commit_is_an_error_in_every_other_question(
    reads: GitReads, world: dict[str, CommitId]
) -> None:
    unknown = CommitId("1" * 40)
    questions: list[Callable[[], object]] = [
        lambda: reads.graph([unknown], world["tip"]),
        lambda: reads.graph([world["c"]], unknown),
        lambda: reads.is_ancestor(unknown, world["tip"]),
        lambda: reads.is_ancestor(world["tip"], unknown),
        lambda: reads.fork_point(unknown, world["tip"]),
        lambda: reads.line_of(unknown, world["tip"]),
        lambda: reads.tree_of(unknown),
        lambda: reads.commit(unknown),
    ]
    for question in questions:
        with pytest.raises(MergequeueError) as error:
            question()
        assert error.value.code == GIT_FAILED.code
        assert unknown in error.value.problem


def test_a_history_with_a_hole_is_an_error(playground: Playground, workshop_of: Workshop) -> None:
    hole = playground.commit({"f": "2"})
    head = playground.commit({"f": "3"}, parents=hole)
    other = playground.commit({"f": "4"}, date=1)
    for commit in (head, other):
        workshop_of.repository.write(1, playground.repository[commit].read_raw())
    with pytest.raises(MergequeueError) as error:
        workshop_of.reads.is_ancestor(other, head)
    assert error.value.code == GIT_FAILED.code


def test_a_commit_that_names_no_author_has_its_place_in_history(
    playground: Playground, workshop_of: Workshop
) -> None:
    base = playground.tip("main")
    raw = f"tree {playground.tree({})}\nparent {base}\nauthor \ncommitter A <a@b> 1 +0000\n\nx"
    odd = CommitId(playground.write(COMMIT_TYPE, raw.encode()))
    beside = playground.commit({"b": "1\n"}, parents=base)
    for commit in (odd, beside):
        workshop_of.repository.write(*playground.repository.read(commit))
    assert workshop_of.reads.is_ancestor(base, odd)
    assert not workshop_of.reads.is_ancestor(beside, odd)


@pytest.fixture
def workshop_of(playground: Playground) -> Iterator[Workshop]:
    playground.branch("main", playground.commit({"f": "1"}))
    with open_workshop(playground.clone(), "origin") as workshop:
        yield workshop
