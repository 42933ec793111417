"""Conflicting merges completed with what their conflicts settled to, and contents compared."""

from collections.abc import Iterator, Mapping
from typing import cast

import pytest

from mergequeue.git.contents import find_edits
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Completion, Edit, Merged, ThreeWay
from mergequeue.vocabulary.errors import GIT_FAILED, MergequeueError
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import Rule
from tests.support.repositories import EXECUTABLE, Content, Playground

Files = Mapping[str | bytes, Content]
LINES = "".join(f"{number}\n" for number in range(30))


@pytest.fixture
def workshop(playground: Playground) -> Iterator[Workshop]:
    playground.branch("main", playground.commit({"f": "1"}))
    with open_workshop(playground.clone(shared=True), "origin") as opened:
        yield opened


@pytest.fixture
def merges(workshop: Workshop) -> GitMerges:
    return GitMerges(workshop)


def fork(playground: Playground, base: Files, ours: Files, theirs: Files) -> ThreeWay:
    start = playground.commit(base)
    return ThreeWay(
        playground.commit(ours, parents=start), playground.commit(theirs, parents=start)
    )


def complete(
    merges: GitMerges, merge: ThreeWay, rule: Rule, contents: Mapping[bytes, bytes]
) -> TreeId | None:
    held = {RepoPath(path): content for path, content in contents.items()}
    (tree,) = merges.complete([Completion(merge, rule, held)])
    return tree


def test_a_conflict_names_the_three_contents_of_a_file_and_of_nothing_else(
    playground: Playground, merges: GitMerges, workshop: Workshop
) -> None:
    merge = fork(
        playground,
        {"file": "1\n", "link": (0o120000, "1"), "gone": "1\n"},
        {"file": "2\n", "link": (0o120000, "2"), "gone": None, "new": "2\n"},
        {"file": "3\n", "link": (0o120000, "3"), "gone": "3\n", "new": "3\n"},
    )
    for tried in (merges.merge_by_paths, merges.merge_by_renames):
        (merged,) = tried([merge])
        versions = {conflict.path: conflict.versions for conflict in merged.conflicts}
        held = versions.pop(RepoPath(b"file"))
        assert held is not None
        ids = (held.base, held.ours, held.theirs)
        assert [workshop.reads.read_blob(id_, 2) for id_ in ids] == [b"1\n", b"2\n", b"3\n"]
        assert versions == {b"gone": None, b"link": None, b"new": None}


@pytest.mark.parametrize("rule", Rule)
def test_a_completed_merge_is_the_clean_rest_with_the_given_contents(
    playground: Playground, merges: GitMerges, rule: Rule
) -> None:
    base: dict[str | bytes, Content] = {"a/b/f": "1\n", "a/x": "1\n", "g": LINES, "h": "h"}
    ours: dict[str | bytes, Content] = {"a/b/f": "2\n", "a/x": "2\n", "g": "o\n" + LINES}
    theirs: dict[str | bytes, Content] = {
        "a/b/f": (EXECUTABLE, "3\n"),
        "a/x": "3\n",
        "g": LINES + "t\n",
        "h": None,
        "i/j": "new",
    }
    merge = fork(playground, base, ours, theirs)
    both = "o\n" + LINES + "t\n"
    files: Files = {"a/b/f": (EXECUTABLE, "f\n"), "a/x": "x\n", "g": both, "i/j": "new"}
    expected = playground.tree(files)
    assert complete(merges, merge, rule, {b"a/b/f": b"f\n", b"a/x": b"x\n"}) == expected
    # One that is not given stays in its way.
    assert complete(merges, merge, rule, {b"a/x": b"x\n"}) is None


@pytest.mark.parametrize("rule", Rule)
def test_paths_take_the_changes_side_or_go_and_no_folder_is_left_empty(
    playground: Playground, merges: GitMerges, rule: Rule
) -> None:
    theirs: Files = {"one/a": (EXECUTABLE, "3\n"), "two/b": "3\n"}
    kept: Files = {"one/a": (EXECUTABLE, "3\n"), "keep": "k"}
    merge = fork(
        playground,
        {"one/a": "1\n", "two/b": "1\n", "keep": "k"},
        {"one/a": "2\n", "two/b": None},
        theirs,
    )
    taken, gone = frozenset({RepoPath(b"one/a")}), frozenset({RepoPath(b"two/b")})
    assert merges.complete([Completion(merge, rule, {}, taken, gone)]) == (playground.tree(kept),)
    assert merges.complete([Completion(merge, rule, {}, removed=taken | gone)]) == (
        playground.tree({"keep": "k"}),
    )


def test_each_of_a_batch_is_completed_by_its_own_rule(
    playground: Playground, merges: GitMerges
) -> None:
    base: Files = {"a": LINES, "b": "b"}
    moved: Files = {"a": None, "c": "o\n" + LINES}
    renamed = fork(playground, base, moved, {"a": "t\n" + LINES})
    plain = fork(playground, base, {"b": "o"}, {"b": "t"})
    batch = [
        Completion(renamed, Rule.RENAMES, {RepoPath(b"c"): b"both"}),
        Completion(plain, Rule.PATHS, {RepoPath(b"b"): b"both"}),
        Completion(renamed, Rule.PATHS, {RepoPath(b"a"): b"a"}),
    ]
    assert merges.complete(batch) == (
        playground.tree({"b": "b", "c": "both"}),
        playground.tree({"a": LINES, "b": "both"}),
        playground.tree({"a": "a", "b": "b", "c": "o\n" + LINES}),
    )
    assert merges.complete([]) == ()


def test_a_rename_that_git_calls_conflicting_keeps_a_merge_from_being_completed(
    playground: Playground, merges: GitMerges
) -> None:
    # Half of a folder went to one place and half to another; the other side adds a file to it.
    held = {f"d/{n}": LINES + f"{n}\n" for n in range(4)}
    halves = {f"{'xy'[n % 2]}/{n}": held[f"d/{n}"] for n in range(4)}
    base = cast("Files", {**held, "f": "1\n"})
    ours = cast("Files", {**dict.fromkeys(held), **halves, "f": "2\n"})
    merge = fork(playground, base, ours, {"d/new": "n", "f": "3\n"})
    (merged,) = merges.merge_by_renames([merge])
    assert [conflict.path for conflict in merged.conflicts] == [b"f"]
    assert complete(merges, merge, Rule.RENAMES, {b"f": b"f\n"}) is None
    assert complete(merges, merge, Rule.PATHS, {b"f": b"f\n"}) is not None


def test_a_file_that_each_side_renamed_its_own_way_is_no_deletion_to_be_completed(
    playground: Playground, merges: GitMerges
) -> None:
    merge = fork(
        playground, {"a": LINES}, {"a": None, "b": LINES + "b\n"}, {"a": None, "c": LINES + "c\n"}
    )
    (merged,) = merges.merge_by_renames([merge])
    gone = frozenset(conflict.path for conflict in merged.conflicts)
    assert gone == {b"a", b"b", b"c"}
    assert merges.complete([Completion(merge, Rule.RENAMES, {}, removed=gone)]) == (None,)


def test_a_merge_from_a_chosen_base_is_completed_from_it(
    playground: Playground, merges: GitMerges
) -> None:
    base, ours, theirs = (playground.commit({"f": text, "g": text}) for text in ("1", "2", "3"))
    merge = ThreeWay(ours, theirs, base=base)
    assert isinstance(merges.merge_by_paths([merge])[0], Merged)
    for rule in Rule:
        made = complete(merges, merge, rule, {b"f": b"f", b"g": b"g"})
        assert made == playground.tree({"f": "f", "g": "g"})


# --- contents ----------------------------------------------------------------------------------


def test_edits_are_gits_own_by_line_from_one_up_to_the_other() -> None:
    assert find_edits(b"a\nb\nc\n", b"x\na\nc\nd") == (
        Edit(0, 0, 0, 1),
        Edit(1, 2, 2, 2),
        Edit(3, 3, 3, 4),
    )
    assert find_edits(b"", b"a\n") == (Edit(0, 0, 0, 1),)
    assert find_edits(b"a\n", b"") == (Edit(0, 1, 0, 0),)
    # A carriage return is part of its line, and so is a missing line feed.
    assert find_edits(b"a\n", b"a\r\n") == find_edits(b"a\n", b"a") == (Edit(0, 1, 0, 1),)
    assert find_edits(b"a\n", b"a\n") == ()


def test_a_blob_is_read_up_to_a_limit_and_a_missing_one_is_an_error(
    playground: Playground, workshop: Workshop
) -> None:
    blob = playground.write(3, b"12345")
    assert workshop.reads.read_blob(blob, 5) == b"12345"
    assert workshop.reads.read_blob(blob, 4) is None
    with pytest.raises(MergequeueError) as failed:
        workshop.reads.read_blob("1" * 40, 5)
    assert failed.value.code == GIT_FAILED.code


def test_a_diff_driver_is_the_commits_word_and_nobody_elses(
    playground: Playground, workshop: Workshop
) -> None:
    commit = playground.commit(
        {".gitattributes": "*.x diff=tex\n*.y -diff\n*.z diff\n", "s/.gitattributes": "a diff=b\n"}
    )
    checkout = playground.folder / "clone"
    (checkout / ".gitattributes").write_text("* diff=planted\n")
    (checkout / ".git/info").mkdir(exist_ok=True)
    (checkout / ".git/info/attributes").write_text("* diff=planted\n")

    def driver(path: bytes, at: CommitId | TreeId = commit) -> str:
        return workshop.reads.diff_driver(at, RepoPath(path))

    assert [driver(path) for path in (b"a.x", b"d/a.x", b"s/a", b"a")] == ["tex", "tex", "b", ""]
    assert [driver(path) for path in (b"a.y", b"a.z", b"\xff\n.x")] == ["", "", "tex"]
    assert driver(b"a.x", workshop.reads.tree_of(commit)) == ""
