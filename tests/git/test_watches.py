"""What a hook left in a box is taken with a git directory of the queue's own, and nothing there is
followed, opened or run (DESIGN, A candidate on disk; facts C12, C15).
"""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Touched, Untaken, Watch
from mergequeue.vocabulary.ids import CommitId, RepoPath
from mergequeue.vocabulary.limits import REGENERATED_BYTES
from tests.support.repositories import EXECUTABLE, LINK, SUBMODULE, Content, Playground

FILES: dict[str | bytes, Content] = {
    ".gitattributes": "*.crlf text eol=crlf\n",
    ".gitignore": "*.cache\n/build/\n",
    "a": "1\n",
    "d/.gitignore": "!kept.cache\n",
    "d/b": (EXECUTABLE, "2\n"),
    "d/c": "3\n",
    "lines.crlf": "one\ntwo\n",
    "link": (LINK, "a"),
    "sub": (SUBMODULE, "1" * 40),
    b"odd\n\xff": "4\n",
}


@dataclass
class Looked:
    """A box that is being watched."""

    workshop: Workshop
    checkout: Path
    watch: Watch
    commit: CommitId

    def touched(self) -> Touched:
        return self.watch.touched()

    def taken(self, *paths: str) -> dict[bytes, tuple[int, bytes]] | str:
        """Return what is taken, as far as it differs from the commit: modes and contents."""
        tree = self.watch.tree([RepoPath(os.fsencode(path)) for path in paths])
        if isinstance(tree, Untaken):
            return tree.why
        differences = self.workshop.reads.differences(self.commit, tree)
        repository = self.workshop.repository
        return {
            each.path: (each.new_mode, repository[each.new_id].read_raw() if each.new_id else b"")
            for each in differences
        }


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Workshop, CommitId]]:
    playground = Playground(tmp_path_factory.mktemp("watches"))
    head = playground.branch("main", playground.commit(FILES))
    with open_workshop(playground.clone(), "origin") as opened:
        yield opened, head


@pytest.fixture
def looked(workshop: tuple[Workshop, CommitId]) -> Iterator[Looked]:
    with watching(*workshop) as found:
        yield found


@contextmanager
def watching(shop: Workshop, head: CommitId) -> Iterator[Looked]:
    boxes = shop.boxes()
    box = boxes.open(head)
    with shop.box_files.watch(box, head) as watch:
        yield Looked(shop, Path(box.checkout), watch, head)
    boxes.close(box)


def paths(*names: str | bytes) -> frozenset[RepoPath]:
    return frozenset(RepoPath(os.fsencode(name)) for name in names)


def test_a_checkout_that_nothing_touched_is_as_it_was(looked: Looked) -> None:
    assert looked.touched() == Touched()
    assert looked.taken("a", "d/b", "link", "lines.crlf") == {}


def test_files_that_are_written_removed_and_new_are_told_apart(looked: Looked) -> None:
    (looked.checkout / "a").write_text("9\n")
    (looked.checkout / "d" / "b").unlink()
    (looked.checkout / "d" / "c").chmod(0o755)
    (looked.checkout / "new").mkdir()
    (looked.checkout / "new" / "x").write_text("x\n")
    assert looked.touched() == Touched(paths("a", "d/b", "d/c"), paths("new/x"))
    assert looked.taken("a", "d/b", "d/c", "new/x") == {
        b"a": (0o100644, b"9\n"),
        b"d/b": (0, b""),
        b"d/c": (0o100755, b"3\n"),
        b"new/x": (0o100644, b"x\n"),
    }


def test_a_file_written_with_what_it_held_is_touched_and_makes_no_difference(
    looked: Looked,
) -> None:
    for name in ("a", "lines.crlf"):
        content = (looked.checkout / name).read_bytes()
        (looked.checkout / name).write_bytes(content)
    assert looked.touched().changed == paths("a", "lines.crlf")
    assert looked.taken("a", "lines.crlf") == {}


def test_files_are_taken_as_the_commits_attributes_say(looked: Looked) -> None:
    assert (looked.checkout / "lines.crlf").read_bytes() == b"one\r\ntwo\r\n"
    (looked.checkout / "lines.crlf").write_bytes(b"three\r\n")
    (looked.checkout / "d" / "new.crlf").write_bytes(b"four\r\n")
    assert looked.taken("lines.crlf", "d/new.crlf") == {
        b"lines.crlf": (0o100644, b"three\n"),
        b"d/new.crlf": (0o100644, b"four\n"),
    }


def test_attributes_that_are_taken_themselves_speak_of_what_is_taken_with_them(
    looked: Looked,
) -> None:
    (looked.checkout / ".gitattributes").write_text("* -text\n")
    (looked.checkout / "lines.crlf").write_bytes(b"three\r\n")
    taken = looked.taken(".gitattributes", "lines.crlf")
    assert isinstance(taken, dict)
    assert taken[b"lines.crlf"] == (0o100644, b"three\r\n")


def test_what_the_commit_ignores_does_not_count_whatever_the_hook_wrote_into_gitignore(
    looked: Looked,
) -> None:
    (looked.checkout / ".gitignore").write_text("*\n")
    for name in ("x.cache", "d/x.cache", "d/kept.cache", "build/deep/x", "stray", ":(top)*"):
        path = looked.checkout / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    assert looked.touched() == Touched(
        paths(".gitignore"), paths("d/kept.cache", "stray", ":(top)*")
    )


def test_what_lies_in_a_submodule_is_another_repositorys(looked: Looked) -> None:
    (looked.checkout / "sub" / "x").write_text("x")
    assert looked.touched() == Touched()


def test_a_link_is_taken_as_a_link_and_what_lies_beyond_one_is_gone(
    looked: Looked, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b").write_text("secret\n")
    shutil.rmtree(looked.checkout / "d")
    (looked.checkout / "d").symlink_to(outside)
    (looked.checkout / "a").unlink()
    (looked.checkout / "a").symlink_to(outside / "b")
    touched = looked.touched()
    assert touched.changed == paths("a", "d/.gitignore", "d/b", "d/c")
    assert touched.new == paths("d")
    taken = looked.taken("a", "d", "d/.gitignore", "d/b", "d/c")
    assert taken == {
        b"a": (LINK, os.fsencode(outside / "b")),
        b"d": (LINK, os.fsencode(outside)),
        b"d/.gitignore": (0, b""),
        b"d/b": (0, b""),
        b"d/c": (0, b""),
    }
    assert [path.name for path in outside.iterdir()] == ["b"]


def test_a_file_in_the_place_of_a_folder_and_a_folder_in_that_of_a_file(looked: Looked) -> None:
    shutil.rmtree(looked.checkout / "d")
    (looked.checkout / "d").write_text("file\n")
    (looked.checkout / "a").unlink()
    (looked.checkout / "a").mkdir()
    (looked.checkout / "a" / "x").write_text("x\n")
    touched = looked.touched()
    assert touched.new == paths("a/x", "d")
    names = sorted(map(os.fsdecode, touched.new | touched.changed))
    assert looked.taken(*names) == {
        b"a": (0, b""),
        b"a/x": (0o100644, b"x\n"),
        b"d": (0o100644, b"file\n"),
        b"d/.gitignore": (0, b""),
        b"d/b": (0, b""),
        b"d/c": (0, b""),
    }


def test_what_lies_beyond_a_link_is_not_read(looked: Looked, tmp_path: Path) -> None:
    (tmp_path / "b").write_text("secret\n")
    shutil.rmtree(looked.checkout / "d")
    (looked.checkout / "d").symlink_to(tmp_path)
    (looked.checkout / "a").unlink()
    (looked.checkout / "a").symlink_to(tmp_path / "b")
    assert looked.taken("d/b", "a") == {
        b"a": (LINK, os.fsencode(tmp_path / "b")),
        b"d/b": (0, b""),
    }


@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_what_is_no_file_is_not_taken_and_never_opened(looked: Looked, kind: str) -> None:
    path = looked.checkout / "a"
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    else:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(str(path))
    assert looked.touched().changed == paths("a")
    assert looked.taken("a") == "a is no file"


def test_a_file_without_an_end_is_not_taken(looked: Looked) -> None:
    with (looked.checkout / "a").open("wb") as stream:
        stream.truncate(REGENERATED_BYTES + 1)
    assert looked.taken("a") == f"it wrote more than {REGENERATED_BYTES} bytes"


def test_several_files_may_be_no_larger_together(looked: Looked) -> None:
    for name in ("a", "new"):
        with (looked.checkout / name).open("wb") as stream:
            stream.truncate(REGENERATED_BYTES // 2 + 1)
    assert isinstance(looked.taken("a", "new"), str)


def plant(checkout: Path, how: str) -> None:
    git = checkout / ".git"
    if how == "gone":
        shutil.rmtree(git)
    elif how == "a file":
        shutil.rmtree(git)
        git.write_text("gitdir: /somewhere\n")
    elif how == "a link":
        git.rename(checkout.parent / "moved")
        git.symlink_to(checkout.parent / "moved")
    elif how == "another folder":
        shutil.copytree(git, checkout.parent / "copy")
        shutil.rmtree(git)
        (checkout.parent / "copy").rename(git)
    elif how == "commondir":
        (git / "commondir").write_text("/somewhere\n")
    elif how == "alternates":
        (git / "objects" / "info" / "alternates").write_text("/somewhere\n")


@pytest.mark.parametrize(
    "how", ["gone", "a file", "a link", "another folder", "commondir", "alternates"]
)
def test_a_git_directory_that_was_replaced_is_seen(looked: Looked, how: str) -> None:
    plant(looked.checkout, how)
    assert "`.git`" in looked.touched().tampered


def test_git_may_be_used_in_a_hook(looked: Looked) -> None:
    (looked.checkout / "a").write_text("9\n")
    for words in (["add", "."], ["-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "c"]):
        subprocess.run(["git", *words], cwd=looked.checkout, check=True, capture_output=True)
    assert looked.touched() == Touched(paths("a"))
    assert looked.taken("a") == {b"a": (0o100644, b"9\n")}


def test_a_planted_repository_runs_nothing_and_its_files_are_new(
    looked: Looked, tmp_path: Path
) -> None:
    proof = tmp_path / "ran"
    nested = looked.checkout / "d" / "nested"
    subprocess.run(["git", "init", "-q", str(nested)], check=True)
    (nested / ".git" / "config").write_text(
        f'[core]\n\tfsmonitor = "touch {proof}"\n\tsshCommand = "touch {proof}"\n'
    )
    (nested / "x").write_text("x")
    (looked.checkout / ".git" / "config").write_text(f'[core]\n\tfsmonitor = "touch {proof}"\n')
    (looked.checkout / ".gitattributes").write_text("* filter=evil\n")
    touched = looked.touched()
    assert {b"d/nested/x", b"d/nested/.git/config"} <= touched.new
    looked.taken("d/nested/x", ".gitattributes")
    assert not proof.exists()


def test_what_git_refuses_to_hold_is_told_in_its_words(looked: Looked) -> None:
    (looked.checkout / ".gitattributes").write_text("a working-tree-encoding=UTF-16\n")
    (looked.checkout / "a").write_text("odd")
    taken = looked.taken(".gitattributes", "a")
    assert isinstance(taken, str)
    assert taken.startswith("git cannot take what it wrote: ")


def test_a_path_deeper_than_any_checkout_can_hold_is_seen_and_not_followed(
    looked: Looked,
) -> None:
    at = os.open(looked.checkout, os.O_DIRECTORY)
    for _ in range(30):
        os.mkdir("x" * 200, dir_fd=at)
        below = os.open("x" * 200, os.O_DIRECTORY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)
    assert "not all of it" in looked.touched().tampered
