"""A box is private, clean, and shares nothing that could be written with anything outside it."""

import os
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from mergequeue.git.backstage import KEPT, Backstage
from mergequeue.git.checkouts import Boxes as GitBoxes
from mergequeue.git.checkouts import colliding
from mergequeue.git.parts import Part
from mergequeue.git.removal import remove_tree
from mergequeue.git.spares import Spares
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Box, Boxes, Keep
from mergequeue.vocabulary.errors import BOX_FAILED, GIT_FAILED, MergequeueError
from mergequeue.vocabulary.ids import BranchName, CommitId, RepoPath
from tests.support.repositories import (
    EXECUTABLE,
    LINK,
    SUBMODULE,
    Content,
    Playground,
    git_environment,
)


@pytest.fixture
def head(playground: Playground) -> CommitId:
    files: dict[str | bytes, Content] = {
        "a": "1\n",
        "d/b": (EXECUTABLE, "2\n"),
        "link": (LINK, "/etc/passwd"),
        "sub": (SUBMODULE, "1" * 40),
        b"odd\n\xff": "3\n",
    }
    return playground.branch("main", playground.commit(files))


@pytest.fixture
def workshop(playground: Playground, head: CommitId) -> Iterator[Workshop]:
    with open_workshop(playground.clone(), "origin") as opened:
        assert opened.reads.commit(head).id == head
        yield opened


@pytest.fixture
def boxes(workshop: Workshop) -> Boxes:
    return workshop.boxes()


def git(box: Box, *words: str) -> str:
    environment = git_environment(Path(box.home))
    return subprocess.run(
        ["git", *words],
        cwd=box.checkout,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_a_box_holds_the_commits_files_and_private_folders(boxes: Boxes, head: CommitId) -> None:
    box = boxes.open(head)
    checkout = Path(box.checkout)
    assert (checkout / "a").read_text() == "1\n"
    assert os.access(checkout / "d" / "b", os.X_OK)
    assert (checkout / "link").readlink() == Path("/etc/passwd")
    assert list((checkout / "sub").iterdir()) == []
    assert (checkout / os.fsdecode(b"odd\n\xff")).read_text() == "3\n"
    for folder in (checkout.parent, Path(box.home), Path(box.scratch), Path(box.scratch, "tmp")):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert list(Path(box.home).iterdir()) == []


def test_git_works_in_a_checkout_that_is_clean_and_has_no_remote(
    boxes: Boxes, head: CommitId
) -> None:
    box = boxes.open(head)
    assert git(box, "status", "--porcelain") == ""
    assert git(box, "rev-parse", "HEAD").strip() == head
    assert git(box, "rev-parse", "--abbrev-ref", "HEAD").strip() == "HEAD"
    assert git(box, "remote") == ""
    assert git(box, "log", "--format=%H").split() == [head]
    Path(box.checkout, "a").write_text("2\n")
    git(box, "commit", "--quiet", "--all", "--message=x")
    git(box, "gc", "--quiet", "--prune=now")
    assert git(box, "fsck", "--no-dangling") == ""


def test_what_git_does_in_a_box_reaches_neither_the_queue_nor_the_checkout(
    playground: Playground, workshop: Workshop, boxes: Boxes, head: CommitId
) -> None:
    box, other = boxes.open(head), boxes.open(head)
    git(box, "config", "core.hooksPath", "/bad")
    git(box, "branch", "evil")
    Path(box.checkout, "a").write_text("2\n")
    git(box, "commit", "--quiet", "--all", "--message=x")
    made = git(box, "rev-parse", "HEAD").strip()
    for folder in (playground.folder / "clone", playground.origin, Path(other.checkout)):
        refs = playground.run("for-each-ref", cwd=folder)
        assert b"evil" not in refs
        with pytest.raises(subprocess.CalledProcessError):
            playground.run("cat-file", "-e", made, cwd=folder)
    assert made not in workshop.repository


def test_no_file_of_a_box_is_linked_to_one_outside(boxes: Boxes, head: CommitId) -> None:
    box = boxes.open(head)
    files = [
        path for path in Path(box.checkout).rglob("*") if path.is_file() and not path.is_symlink()
    ]
    assert len(files) > 3
    assert {path.stat().st_nlink for path in files} == {1}


def test_a_path_inside_a_box_leaves_room_for_a_socket(boxes: Boxes, head: CommitId) -> None:
    box = boxes.open(head)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(f"{box.scratch}/tmp/{'x' * 40}")


def test_no_filter_of_the_tree_runs_and_built_in_conversion_does(
    playground: Playground, workshop: Workshop, head: CommitId, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    clone = playground.folder / "clone"
    playground.run("config", "filter.lfs.smudge", f"touch {mark}", cwd=clone)
    playground.run("config", "filter.lfs.required", "true", cwd=clone)
    pointer = "version https://git-lfs.github.com/spec/v1\n"
    files = {
        ".gitattributes": "*.bin filter=lfs\n*.txt eol=crlf\n",
        "x.bin": pointer,
        "y.txt": "1\n",
    }
    commit = playground.branch("main", playground.commit(files, parents=head))
    workshop.reads.fetch_branch(BranchName("main"))
    box = workshop.boxes().open(commit)
    assert Path(box.checkout, "x.bin").read_text() == pointer
    assert Path(box.checkout, "y.txt").read_bytes() == b"1\r\n"
    assert not mark.exists()


@pytest.mark.parametrize("path", [".git/config", "a/../../escape", ".GIT/hooks/x", "../escape"])
def test_a_tree_that_git_would_not_check_out_fails_the_box_and_leaves_nothing(
    playground: Playground, workshop: Workshop, head: CommitId, path: str
) -> None:
    commit = playground.branch("bad", playground.commit({path: "x"}, parents=head))
    workshop.git.run(
        "fetch", "--quiet", str(playground.origin), commit, variables={"GIT_ALLOW_PROTOCOL": "file"}
    )
    boxes = workshop.boxes()
    with pytest.raises(MergequeueError) as error:
        boxes.open(commit)
    assert error.value.code == BOX_FAILED.code
    left = [name.name for name in workshop.objects.parents[1].glob("b*/*")]
    assert left == []


def test_a_link_in_the_tree_is_never_written_through(
    playground: Playground, workshop: Workshop, head: CommitId, tmp_path: Path
) -> None:
    blob = playground.write(3, b"x")
    inner = playground.write(2, b"100644 f\0" + bytes.fromhex(blob))
    target = playground.write(3, str(tmp_path).encode())
    raw = b"120000 l\0%s40000 l\0%s" % (bytes.fromhex(target), bytes.fromhex(inner))
    tree = playground.write(2, raw)
    who = b"A <a@b> 1700000000 +0000"
    commit = CommitId(
        playground.write(
            1,
            b"tree %s\nparent %s\nauthor %s\ncommitter %s\n\nx"
            % (tree.encode(), head.encode(), who, who),
        )
    )
    playground.branch("bad", commit)
    workshop.git.run(
        "fetch", "--quiet", str(playground.origin), commit, variables={"GIT_ALLOW_PROTOCOL": "file"}
    )
    # Either git refuses the tree, or it writes one of the two; never through the link.
    with suppress(MergequeueError):
        workshop.boxes().open(commit)
    assert not (tmp_path / "f").exists()


def test_an_unknown_commit_fails_the_box(boxes: Boxes) -> None:
    with pytest.raises(MergequeueError) as error:
        boxes.open(CommitId("1" * 40))
    assert error.value.code in {BOX_FAILED.code, GIT_FAILED.code}


def test_boxes_lie_where_they_are_asked_to_and_go_with_the_workshop(
    playground: Playground, head: CommitId, tmp_path: Path
) -> None:
    root = tmp_path / "scratch"
    root.mkdir()
    with open_workshop(playground.clone(), "origin") as workshop:
        box = workshop.boxes(root).open(head)
        assert Path(box.checkout).is_relative_to(root)
        assert [stat.S_IMODE(each.stat().st_mode) for each in root.iterdir()] == [0o700]
    assert list(root.iterdir()) == []
    with open_workshop(playground.folder / "clone", "origin") as workshop:
        with pytest.raises(MergequeueError) as error:
            workshop.boxes(tmp_path / "nowhere")
        assert error.value.code == BOX_FAILED.code


def test_several_threads_open_and_close_boxes(workshop: Workshop, head: CommitId) -> None:
    boxes = workshop.boxes()
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(boxes.open, [head] * 8))
        assert len({box.checkout for box in opened}) == 8
        list(pool.map(boxes.close, opened * 2))
    boxes.stop()
    assert not any(Path(box.checkout).parent.exists() for box in opened)


# --- boxes prepared while others are used ---------------------------------------------------------


def wait_for_orders(boxes: GitBoxes) -> None:
    """Wait until every box that was asked for so far is prepared."""
    boxes.backstage.order(lambda: None).result()


def files_in(box: Box) -> dict[str, tuple[int, bytes]]:
    top = Path(box.checkout)
    return {
        str(path.relative_to(top)): (path.lstat().st_mode, _content(path))
        for path in top.rglob("*")
        if ".git" not in path.relative_to(top).parts
    }


def _content(path: Path) -> bytes:
    if path.is_symlink():
        return os.fsencode(path.readlink())
    return path.read_bytes() if path.is_file() else b""


@pytest.fixture
def next_one(playground: Playground, workshop: Workshop, head: CommitId) -> CommitId:
    files: dict[str | bytes, Content] = {"a": (EXECUTABLE, "2\n"), "new/b": "3\n", "d/b": None}
    commit = playground.branch("next", playground.commit(files, parents=head))
    workshop.reads.fetch_branch(BranchName("next"))
    return commit


def test_a_prepared_box_is_as_one_made_from_nothing(
    workshop: Workshop, head: CommitId, next_one: CommitId
) -> None:
    boxes = workshop.boxes()
    first = boxes.open(head, more=True)
    second = boxes.open(next_one)
    fresh = workshop.boxes().open(next_one)
    assert files_in(second) == files_in(fresh)
    assert git(second, "status", "--porcelain", "--ignored") == ""
    assert git(second, "rev-parse", "HEAD").strip() == next_one
    held = Path(second.checkout).parent.iterdir()
    assert sorted(each.name for each in held) == ["checkout", "home", "scratch"]
    inodes = [
        {path.lstat().st_ino for path in Path(b.checkout).rglob("*")} for b in (first, second)
    ]
    assert inodes[0].isdisjoint(inodes[1])


def test_a_prepared_box_is_used(workshop: Workshop, head: CommitId, next_one: CommitId) -> None:
    boxes = workshop.boxes()
    boxes.open(head, more=True)
    wait_for_orders(boxes)
    (spare,) = workshop.objects.parents[1].glob("b*/2/checkout/a")
    inode = spare.with_name("link").lstat().st_ino
    second = boxes.open(next_one)
    assert Path(second.checkout, "link").lstat().st_ino == inode


@pytest.mark.parametrize(
    "touch",
    [
        lambda top: (top / "a").write_text("9\n"),
        lambda top: (top / "planted").write_text("9\n"),
        lambda top: (top / "sub" / "planted").write_text("9\n"),
        lambda top: (top / ".git").mkdir(),
        lambda top: (top / "d" / "b").chmod(0o600),
        lambda top: (top.parent / "index").write_bytes((top.parent / "index").read_bytes()),
        lambda top: (top.parent / "home").mkdir(),
    ],
)
def test_a_prepared_box_that_somebody_touched_is_not_used(
    workshop: Workshop, head: CommitId, touch: Callable[[Path], object]
) -> None:
    boxes = workshop.boxes()
    boxes.open(head, more=True)
    wait_for_orders(boxes)
    (spare,) = workshop.objects.parents[1].glob("b*/2/checkout")
    before = {path: path.lstat() for path in spare.rglob("*")}
    touch(spare)
    for path, facts in before.items():
        if not path.is_symlink():
            os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    box = boxes.open(head)
    boxes.stop()
    assert Path(box.checkout) != spare
    assert not spare.parent.exists()
    assert files_in(box) == files_in(workshop.boxes().open(head))


def test_attributes_that_changed_reach_every_file(
    playground: Playground, workshop: Workshop, head: CommitId
) -> None:
    plain = playground.commit({"y.txt": "1\n"}, parents=head)
    ended = playground.commit({"y.txt": "1\n", ".gitattributes": "*.txt eol=crlf\n"}, parents=plain)
    playground.branch("ended", ended)
    workshop.reads.fetch_branch(BranchName("ended"))
    boxes = workshop.boxes()
    boxes.open(plain, more=True)
    wait_for_orders(boxes)
    assert Path(boxes.open(ended).checkout, "y.txt").read_bytes() == b"1\r\n"


def test_a_box_that_cannot_be_prepared_fails_nothing(
    workshop: Workshop, head: CommitId, tmp_path: Path
) -> None:
    boxes = workshop.boxes()
    backstage = Backstage(tmp_path)
    absent = tmp_path / "absent" / "deeper"
    spares = Spares(workshop.trees, backstage, lambda _: absent.resolve(strict=True))
    spares.prepare(Part(head, head))
    assert spares.take(Part(head, head)) is None
    backstage.stop()
    assert Path(boxes.open(head).checkout, "a").read_text() == "1\n"


SHAPES: dict[str | bytes, Content] = {
    "file to folder": "1\n",
    "folder to file/a": "1\n",
    "folder to file/deep/b": "1\n",
    "file to link": "1\n",
    "link to file": (LINK, "a"),
    "link to folder": (LINK, "d"),
    "folder to link/a": "1\n",
    "submodule to file": (SUBMODULE, "1" * 40),
    "file to submodule": "1\n",
    "submodule to folder": (SUBMODULE, "1" * 40),
    "submodule gone": (SUBMODULE, "1" * 40),
    "mode": "1\n",
    "emptied/a": "1\n",
    "same size": "1\n",
}


def test_a_prepared_box_changes_shape_as_one_made_from_nothing(
    playground: Playground, workshop: Workshop, head: CommitId
) -> None:
    before = playground.commit(SHAPES, parents=head)
    gone: dict[str | bytes, Content] = dict.fromkeys(SHAPES)
    shapes: dict[str | bytes, Content] = {
        "file to folder/deep/a": "2\n",
        "folder to file": "2\n",
        "file to link": (LINK, "folder to file"),
        "link to file": "2\n",
        "link to folder/a": "2\n",
        "folder to link": (LINK, "d"),
        "submodule to file": "2\n",
        "file to submodule": (SUBMODULE, "1" * 40),
        "submodule to folder/a": "2\n",
        "mode": (EXECUTABLE, "1\n"),
        "same size": "2\n",
    }
    after = playground.commit({**gone, **shapes}, parents=before)
    playground.branch("after", after)
    workshop.reads.fetch_branch(BranchName("after"))
    boxes = workshop.boxes()
    boxes.open(before, more=True)
    wait_for_orders(boxes)
    (spare,) = workshop.objects.parents[1].glob("b*/2/checkout")
    box = boxes.open(after)
    fresh = workshop.boxes().open(after)
    assert Path(box.checkout) == spare
    assert files_in(box) == files_in(fresh)
    assert git(box, "ls-files", "-s") == git(fresh, "ls-files", "-s")
    assert git(box, "status", "--porcelain", "--ignored") == ""


# --- boxes that are closed ------------------------------------------------------------------------


def test_closed_boxes_wait_while_others_are_to_follow_and_go_when_none_is(
    workshop: Workshop, head: CommitId
) -> None:
    boxes = workshop.boxes()
    opened = [boxes.open(head, more=True) for _ in range(3)]
    for box in opened:
        boxes.close(box)
    for _ in range(10):
        wait_for_orders(boxes)
    assert all(Path(box.checkout).exists() for box in opened)
    boxes.open(head)
    for _ in range(100):
        wait_for_orders(boxes)
    assert not any(Path(box.checkout).parent.exists() for box in opened)


def test_closed_boxes_that_still_wait_are_gone_at_the_end(
    workshop: Workshop, head: CommitId
) -> None:
    boxes = workshop.boxes()
    box = boxes.open(head, more=True)
    boxes.close(box)
    boxes.stop()
    assert not Path(box.checkout).parent.exists()


def test_no_more_than_some_closed_boxes_wait(workshop: Workshop, head: CommitId) -> None:
    boxes = workshop.boxes()
    opened = []
    for _ in range(3 * KEPT):
        opened.append(boxes.open(head, more=True))
        boxes.close(opened[-1])
    # One that was ordered before another is closed may be written before that one is removed.
    assert sum(Path(box.checkout).exists() for box in opened) <= 2 * KEPT + 1


def test_what_goes_wrong_with_closed_boxes_is_heard_at_the_end(tmp_path: Path) -> None:
    backstage = Backstage(tmp_path)
    (tmp_path / "box").mkdir()
    backstage.remove(Path("\0"))
    backstage.remove(tmp_path / "box")
    with pytest.raises(ValueError, match="null"):
        backstage.stop()
    assert not (tmp_path / "box").exists()


# --- boxes with some of the files -----------------------------------------------------------------


def none_of(*starts: bytes) -> Keep:
    return lambda path: not path.startswith(starts)


def held_by(box: Box) -> set[bytes]:
    top = Path(box.checkout)
    files = (path for path in top.rglob("*") if not path.is_dir() or path.is_symlink())
    found = (os.fsencode(path.relative_to(top)) for path in files)
    return {path for path in found if not path.startswith(b".git/")}


@pytest.fixture
def wide(playground: Playground, workshop: Workshop) -> CommitId:
    files: dict[str | bytes, Content] = {
        "top": "1\n",
        "one/a": "1\n",
        "one/deep/er/b": (EXECUTABLE, "2\n"),
        b'one/odd\n\xff "q': "3\n",
        "one/link": (LINK, "../two/a"),
        "one/sub": (SUBMODULE, "1" * 40),
        "two/.gitattributes": "*.txt eol=crlf\n",
        "two/a": "4\n",
        "two/x.txt": "5\n",
        b"two/odd\n\xff": "6\n",
        "two/link": (LINK, "/etc/passwd"),
        "two/sub": (SUBMODULE, "1" * 40),
        "two/below/c": "7\n",
    }
    commit = playground.branch("wide", playground.commit(files))
    workshop.reads.fetch_branch(BranchName("wide"))
    return commit


ONE = {b"top", b"one/a", b"one/deep/er/b", b'one/odd\n\xff "q', b"one/link"}


def test_a_box_holds_the_files_that_are_kept_and_is_clean(boxes: Boxes, wide: CommitId) -> None:
    box = boxes.open(wide, keep=none_of(b"two/"))
    assert held_by(box) == ONE | {b"two/.gitattributes"}
    assert sorted(each.name for each in Path(box.checkout, "two").iterdir()) == [".gitattributes"]
    assert git(box, "status", "--porcelain", "--ignored") == ""
    assert git(box, "diff", "--stat", "HEAD") == ""
    assert git(box, "rev-parse", "HEAD").strip() == wide
    assert git(box, "write-tree") == git(box, "rev-parse", "HEAD^{tree}")
    assert git(box, "show", "HEAD:two/a") == "4\n"


def test_a_gate_that_works_with_git_leaves_out_what_its_box_does(
    boxes: Boxes, wide: CommitId
) -> None:
    box = boxes.open(wide, keep=none_of(b"two/"))
    Path(box.checkout, "one/a").write_text("9\n")
    assert git(box, "status", "--porcelain") == " M one/a\n"
    git(box, "commit", "--quiet", "--all", "--message=x")
    assert git(box, "diff", "--name-only", "HEAD^", "HEAD") == "one/a\n"
    git(box, "reset", "--quiet", "--hard", wide)
    assert git(box, "status", "--porcelain") == ""
    assert held_by(box) == ONE | {b"two/.gitattributes"}


def test_attributes_hold_for_a_file_whose_folder_is_mostly_left_out(
    boxes: Boxes, wide: CommitId
) -> None:
    box = boxes.open(wide, keep=lambda path: path == b"two/x.txt")
    assert Path(box.checkout, "two/x.txt").read_bytes() == b"5\r\n"
    assert held_by(box) == {b"two/.gitattributes", b"two/x.txt"}
    assert git(box, "status", "--porcelain") == ""


@pytest.mark.parametrize("is_kept", [True, False])
def test_all_of_the_files_may_be_kept_or_left_out(
    boxes: Boxes, head: CommitId, *, is_kept: bool
) -> None:
    box = boxes.open(head, keep=lambda _: is_kept)
    assert held_by(box) == ({b"a", b"d/b", b"link", b"odd\n\xff"} if is_kept else set())
    assert git(box, "status", "--porcelain", "--ignored") == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (none_of(b"two/"), none_of(b"one/")),
        (none_of(b"two/"), None),
        (None, none_of(b"two/")),
        (none_of(b"two/"), none_of(b"two/")),
    ],
    ids=["another part", "all after a part", "a part after all", "the same part"],
)
def test_a_box_prepared_for_one_part_is_brought_to_another(
    workshop: Workshop, wide: CommitId, before: Keep | None, after: Keep | None
) -> None:
    boxes = workshop.boxes()
    boxes.open(wide, keep=before, more=True)
    wait_for_orders(boxes)
    (spare,) = workshop.objects.parents[1].glob("b*/2/checkout")
    inode = (spare / "top").stat().st_ino
    box = boxes.open(wide, keep=after)
    fresh = workshop.boxes().open(wide, keep=after)
    assert Path(box.checkout, "top").stat().st_ino == inode
    assert files_in(box) == files_in(fresh)
    assert git(box, "ls-files", "-t") == git(fresh, "ls-files", "-t")
    assert git(box, "status", "--porcelain", "--ignored") == ""


@pytest.mark.parametrize("path", [".git/config", ".GIT/hooks/x"])
def test_a_bad_path_fails_the_box_even_where_it_is_left_out(
    playground: Playground, workshop: Workshop, head: CommitId, path: str
) -> None:
    commit = playground.branch("bad", playground.commit({path: "x"}, parents=head))
    workshop.git.run(
        "fetch", "--quiet", str(playground.origin), commit, variables={"GIT_ALLOW_PROTOCOL": "file"}
    )
    with pytest.raises(MergequeueError) as error:
        workshop.boxes().open(commit, keep=lambda each: each == b"a")
    assert error.value.code == BOX_FAILED.code
    assert list(workshop.objects.parents[1].glob("b*/*")) == []


# --- names that are one file ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paths", "pair"),
    [
        ([b"Readme.md", b"README.md"], (b"Readme.md", b"README.md")),
        ([b"D/a", b"d/b"], (b"D", b"d")),
        ([b"d/a", b"D"], (b"d", b"D")),
        (["\u00e9".encode(), "e\u0301".encode()], ("\u00e9".encode(), "e\u0301".encode())),
        ([b"d/a", b"d/b", b"e/a", b"a"], None),
        ([b"\xff", b"\xfe"], None),
        ([], None),
    ],
)
def test_paths_that_differ_by_case_or_form_alone_collide(
    paths: list[bytes], pair: tuple[bytes, bytes] | None
) -> None:
    assert colliding(map(RepoPath, paths)) == pair


# --- removal -------------------------------------------------------------------------------------


def test_removal_follows_no_link_and_needs_no_rights(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "kept").mkdir(parents=True)
    (outside / "kept" / "file").write_text("kept")
    before = (outside / "kept").stat().st_mode
    folder = tmp_path / "folder"
    (folder / "locked" / "below").mkdir(parents=True)
    (folder / "locked" / "file").write_text("x")
    (folder / "locked" / "link").symlink_to(outside / "kept")
    (folder / "top").symlink_to(outside)
    (folder / "dangling").symlink_to("nowhere")
    (folder / os.fsdecode(b"\xff\n-rf *")).write_text("x")
    os.mkfifo(folder / "fifo")
    (folder / "locked" / "below").chmod(0)
    (folder / "locked").chmod(0o500)
    folder.chmod(0o500)
    remove_tree(folder)
    assert not folder.exists()
    assert (outside / "kept" / "file").read_text() == "kept"
    assert (outside / "kept").stat().st_mode == before


def test_removal_reaches_any_depth(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("deeper", dir_fd=here)
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    remove_tree(folder)
    assert not folder.exists()


def test_what_is_gone_already_is_removed(tmp_path: Path) -> None:
    remove_tree(tmp_path / "nowhere")


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("kept")
    (tmp_path / "folder").symlink_to(outside)
    with pytest.raises(OSError, match="folder"):
        remove_tree(tmp_path / "folder")
    assert (outside / "file").exists()
