"""Trees compared in memory say what git says."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergequeue.git.trees import Trees
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Difference
from mergequeue.vocabulary.errors import GIT_FAILED, MergequeueError
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId
from tests.support.repositories import EXECUTABLE, LINK, SUBMODULE, TREE_TYPE, Content, Playground

ODD = [
    b"tab\t",
    b"line\nbreak",
    b'"quote"',
    b"--gate=x",
    b"-n",
    b" leading",
    "é".encode(),
    "e\u0301".encode(),
    "\u202ertl".encode(),
    b"\xff\xfe",
]

contents = st.sampled_from(
    ["1", "2", (EXECUTABLE, "1"), (LINK, "1"), (SUBMODULE, "1" * 40), (SUBMODULE, "2" * 40)]
)
names = st.sampled_from([b"a", b"b", b"a.b", b"a-b", b"a0", b"\xff"])
trees = st.dictionaries(
    st.lists(names, min_size=1, max_size=3).map(b"/".join), contents, max_size=8
)


@pytest.fixture
def workshop(playground: Playground) -> Iterator[Workshop]:
    playground.branch("main", playground.commit({"f": "1"}))
    with open_workshop(playground.clone(), "origin") as opened:
        yield opened


def without_clashes(files: dict[bytes, Content]) -> dict[str | bytes, Content]:
    """Leave out a file where another path needs a folder of its name."""
    folders = {
        b"/".join(parts[:depth])
        for parts in (path.split(b"/") for path in files)
        for depth in range(1, len(parts))
    }
    return {path: content for path, content in files.items() if path not in folders}


def as_git_says(playground: Playground, old: str, new: str) -> list[tuple[bytes, int, int, str]]:
    out = playground.run("diff-tree", "-r", "-z", "--no-renames", old, new)
    words = out.split(b"\0")
    found = []
    for facts, path in zip(words[::2], words[1::2], strict=False):
        old_mode, new_mode, _, new_id, _ = facts[1:].decode().split(" ")
        shown = new_id if int(new_mode, 8) else ""
        found.append((path, int(old_mode, 8), int(new_mode, 8), shown))
    return sorted(found)


# Examples share the playground, which holds objects alone.
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees, trees)
def test_differences_and_paths_are_those_that_git_lists(
    playground: Playground, before: dict[bytes, Content], after: dict[bytes, Content]
) -> None:
    old, new = (TreeId(playground.tree(without_clashes(files))) for files in (before, after))
    walked = Trees(playground.repository)
    found = walked.differences(old, new)
    assert [(d.path, d.old_mode, d.new_mode, d.new_id) for d in found] == as_git_says(
        playground, old, new
    )
    listed = playground.run("ls-tree", "-r", "-z", "--name-only", new).split(b"\0")[:-1]
    assert list(walked.paths(new)) == sorted(listed)


def test_ten_odd_names_are_ten_paths(playground: Playground, workshop: Workshop) -> None:
    main = playground.tip("main")
    odd = playground.commit(dict.fromkeys(ODD, "x"), parents=main)
    playground.branch("odd", odd)
    playground.run("push", "--quiet", str(workshop.objects.parent), f"{odd}:refs/heads/odd")
    assert workshop.reads.paths(odd) == tuple(sorted([*ODD, b"f"]))
    assert [each.path for each in workshop.reads.differences(main, odd)] == sorted(ODD)
    for name in ODD:
        assert workshop.reads.read_file(odd, RepoPath(name)) == b"x"


def test_commits_and_trees_compare_alike(playground: Playground, workshop: Workshop) -> None:
    main = playground.tip("main")
    tree = workshop.reads.tree_of(main)
    empty = workshop.builds.write_files({})
    expected = (
        Difference(
            RepoPath(b"f"),
            0,
            0o100644,
            workshop.git.run("rev-parse", f"{main}:f").out.decode().strip(),
        ),
    )
    assert workshop.reads.differences(empty, main) == expected
    assert workshop.reads.differences(empty, tree) == expected
    assert workshop.reads.differences(main, tree) == ()


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (b"file", b"x"),
        (b"d/file", b"y"),
        (b"program", b"p"),
        (b"link", None),
        (b"sub", None),
        (b"d", None),
        (b"none", None),
        (b"d/none", None),
        (b"file/below", None),
        (b"", None),
    ],
)
def test_only_a_regular_file_is_read(
    playground: Playground, path: bytes, content: bytes | None
) -> None:
    files: dict[str | bytes, Content] = {
        "file": "x",
        "d/file": "y",
        "program": (EXECUTABLE, "p"),
        "link": (LINK, "file"),
        "sub": (SUBMODULE, "1" * 40),
    }
    head = playground.branch("main", playground.commit(files))
    with open_workshop(playground.clone(), "origin") as workshop:
        assert workshop.reads.read_file(head, RepoPath(path)) == content


def test_a_tree_of_any_depth_is_walked(playground: Playground) -> None:
    deep = playground.tree({"f": "x"})
    for _ in range(1500):
        deep = playground.write(TREE_TYPE, b"40000 d\0" + bytes.fromhex(deep))
    walked = Trees(playground.repository)
    flat = TreeId(playground.tree({"g": "x"}))
    path = b"d/" * 1500 + b"f"
    assert walked.paths(TreeId(deep)) == (path,)
    assert [each.path for each in walked.differences(flat, TreeId(deep))] == [path, b"g"]
    other = TreeId(playground.write(TREE_TYPE, b"40000 d\0" + bytes.fromhex(flat)))
    assert len(walked.differences(other, TreeId(deep))) == 2


def test_a_broken_tree_is_an_error_that_names_it(workshop: Workshop) -> None:
    blob = workshop.repository.write(3, b"x")
    entry = b"100644 a\0" + bytes.fromhex(str(blob))
    good = TreeId(str(workshop.repository.write(TREE_TYPE, entry)))
    again = b"100644 a\0" + bytes.fromhex("1" * 40)
    third = b"100644 a\0" + bytes.fromhex("2" * 40)
    twice = (entry + entry, entry + again, again + third)
    for raw in (entry[:-1], entry + b"junk", *twice, b"nonsense"):
        broken = TreeId(str(workshop.repository.write(TREE_TYPE, raw)))
        for old, new in ((good, broken), (broken, good)):
            with pytest.raises(MergequeueError) as error:
                workshop.reads.differences(old, new)
            assert error.value.code == GIT_FAILED.code
            assert broken in error.value.problem


def test_modes_that_older_programs_wrote_are_no_difference(workshop: Workshop) -> None:
    blob = bytes.fromhex(str(workshop.repository.write(3, b"x")))
    one, other = (
        TreeId(str(workshop.repository.write(TREE_TYPE, mode + b" a\0" + blob)))
        for mode in (b"100644", b"100664")
    )
    assert workshop.reads.differences(one, other) == ()


def test_what_is_no_tree_is_an_error_that_names_it(workshop: Workshop) -> None:
    blob = workshop.repository.write(3, b"x")
    for other in (str(blob), "1" * 40):
        with pytest.raises(MergequeueError) as error:
            workshop.reads.paths(CommitId(other))
        assert error.value.code == GIT_FAILED.code


def test_more_trees_than_are_kept_compare_all_the_same(playground: Playground) -> None:
    wide = {os.urandom(4).hex(): "x" for _ in range(60)}
    folders = {f"d{number}/{name}": text for number in range(3) for name, text in wide.items()}
    old = TreeId(playground.tree(folders))
    walked = Trees(playground.repository, kept_entries=100)
    new = TreeId(playground.tree({"d1/more": "y"}, start=playground.commit(folders)))
    for _ in range(2):
        assert [each.path for each in walked.differences(old, new)] == [b"d1/more"]
        assert len(walked.paths(new)) == 181
