"""A workshop opens on any whole repository, and nothing of a checkout reaches it or is changed."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Wanted
from mergequeue.vocabulary.errors import (
    BAD_REMOTE,
    NOT_A_REPOSITORY,
    PARTIAL,
    SHALLOW,
    MergequeueError,
)
from mergequeue.vocabulary.ids import BranchName, CommitId
from tests.support.repositories import Playground, git_environment, wrapped_git

MAIN = BranchName("main")


@pytest.fixture
def head(playground: Playground) -> CommitId:
    return playground.branch("main", playground.commit({"dir/a": "1\n", "b": "2\n"}))


def refused(root: Path, remote: str = "origin") -> str:
    with pytest.raises(MergequeueError) as error, open_workshop(root, remote):
        pass
    return error.value.code


def snapshot(folder: Path) -> Iterator[tuple[str, int, bytes]]:
    for path in sorted(folder.rglob("*")):
        state = path.lstat()
        yield str(path), state.st_mtime_ns, path.read_bytes() if path.is_file() else b""


@pytest.mark.parametrize("place", [".", "dir", ".git", ".git/objects"])
def test_it_opens_in_any_folder_of_a_clone(
    playground: Playground, head: CommitId, place: str
) -> None:
    clone = playground.clone()
    with open_workshop(clone / place, "origin") as workshop:
        assert workshop.reads.fetch_branch(MAIN) == head


def test_it_opens_in_a_bare_repository_and_in_a_linked_worktree(
    playground: Playground, head: CommitId
) -> None:
    bare = playground.clone("bare", bare=True)
    clone = playground.clone()
    playground.run("worktree", "add", "--quiet", str(playground.folder / "linked"), cwd=clone)
    for root in (bare, playground.folder / "linked"):
        with open_workshop(root, "origin") as workshop:
            assert workshop.reads.fetch_branch(MAIN) == head


def test_it_opens_whatever_the_folder_is_called(playground: Playground, head: CommitId) -> None:
    for name in ('a "b" \\ c', "line\nbreak", "#hash:colon", os.fsdecode(b"not utf-8 \xff")):
        with open_workshop(playground.clone(name), "origin") as workshop:
            assert workshop.reads.commit(head).id == head


@pytest.mark.usefixtures("head")
def test_it_is_private_and_gone_at_the_end_even_after_a_failure(playground: Playground) -> None:
    seen: list[Path] = []
    with pytest.raises(KeyError), open_workshop(playground.clone(), "origin") as workshop:  # noqa: PT012
        seen.append(workshop.objects.parents[1])
        assert seen[0].stat().st_mode & 0o777 == 0o700
        (seen[0] / "locked").mkdir(mode=0)
        raise KeyError
    assert not seen[0].exists()


def test_the_checkout_is_never_written(playground: Playground, head: CommitId) -> None:
    clone = playground.clone()
    (clone / "b").write_text("edited\n")
    (clone / "untracked").write_text("mine\n")
    before = list(snapshot(clone))
    later = playground.branch("main", playground.commit({"c": "3"}, parents=head))
    with open_workshop(clone, "origin") as workshop:
        assert workshop.reads.fetch_branch(MAIN) == later
        boxes = workshop.boxes()
        boxes.close(boxes.open(later))
    assert list(snapshot(clone)) == before


def test_what_is_no_repository_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path) == NOT_A_REPOSITORY.code
    assert refused(tmp_path / "nowhere") == NOT_A_REPOSITORY.code


def test_a_repository_with_other_object_names_is_refused_by_that(tmp_path: Path) -> None:
    subprocess.run(
        ["git", "init", "--quiet", "--object-format=sha256", "r"],
        cwd=tmp_path,
        env=git_environment(tmp_path),
        check=True,
    )
    with pytest.raises(MergequeueError) as error, open_workshop(tmp_path / "r", "origin"):
        pass
    assert error.value.code == NOT_A_REPOSITORY.code
    assert "sha256" in error.value.problem


@pytest.mark.usefixtures("head")
def test_a_remote_is_named_and_never_an_address(playground: Playground) -> None:
    clone = playground.clone()
    for remote in ("nowhere", str(playground.origin), playground.origin.as_uri(), "."):
        assert refused(clone, remote) == BAD_REMOTE.code


def test_a_shallow_clone_is_refused(playground: Playground, head: CommitId) -> None:
    playground.branch("main", playground.commit({"c": "3"}, parents=head))
    assert refused(playground.clone(depth="1")) == SHALLOW.code


def test_a_full_clone_made_shallow_by_a_later_fetch_is_refused(
    playground: Playground, head: CommitId
) -> None:
    clone = playground.clone(filter="blob:limit=1g")
    playground.run("config", "--remove-section", "remote.origin", cwd=clone)
    playground.run("config", "remote.origin.url", playground.origin.as_uri(), cwd=clone)
    playground.branch("main", playground.commit({"c": "3"}, parents=head))
    playground.run("fetch", "--quiet", "--depth=1", "origin", "main", cwd=clone)
    assert refused(clone) == SHALLOW.code


def test_a_clone_made_shallow_while_the_queue_works_is_noticed_at_the_next_fetch(
    playground: Playground, head: CommitId
) -> None:
    clone = playground.clone()
    playground.run("remote", "set-url", "origin", playground.origin.as_uri(), cwd=clone)
    later = playground.commit({"c": "3"}, parents=head)
    playground.branch("main", later)
    with open_workshop(clone, "origin") as workshop:
        playground.run("fetch", "--quiet", "--depth=1", "origin", "main", cwd=clone)
        with pytest.raises(MergequeueError) as error:
            workshop.reads.fetch_commits([Wanted(head)])
    assert error.value.code == SHALLOW.code


@pytest.mark.usefixtures("head")
def test_a_partial_clone_is_refused(playground: Playground) -> None:
    assert refused(playground.clone(filter="blob:none")) == PARTIAL.code


def test_objects_that_the_checkout_borrows_itself_are_found(
    playground: Playground, head: CommitId
) -> None:
    first = playground.clone("first", shared=True)
    second = playground.folder / "second"
    playground.run("clone", "--quiet", "--shared", str(first), str(second), cwd=playground.folder)
    playground.run("remote", "set-url", "origin", str(playground.origin), cwd=second)
    relative = os.path.relpath(first / ".git" / "objects", second / ".git" / "objects")
    (second / ".git" / "objects" / "info" / "alternates").write_text(f"# by hand\n{relative}\n")
    with open_workshop(second, "origin") as workshop:
        assert workshop.reads.commit(head).id == head
        assert workshop.git.run("cat-file", "-t", head).out == b"commit\n"


def test_objects_borrowed_over_many_steps_are_found_even_in_a_box(
    playground: Playground, head: CommitId
) -> None:
    clone = playground.clone()
    for step in range(5):
        store = playground.folder / f"step{step}"
        (clone / ".git" / "objects").rename(store)
        (clone / ".git" / "objects" / "info").mkdir(parents=True)
        (clone / ".git" / "objects" / "info" / "alternates").write_text(f"{store}\n")
    with open_workshop(clone, "origin") as workshop:
        box = workshop.boxes().open(head)
        assert playground.run("status", "--porcelain", cwd=Path(box.checkout)) == b""


def test_a_repository_of_another_user_is_worked_on_where_the_user_trusts_it(
    playground: Playground, head: CommitId, tmp_path: Path
) -> None:
    clone = playground.clone()
    (tmp_path / ".gitconfig").write_text("[safe]\n\tdirectory = *\n")
    outer = wrapped_git(tmp_path / "bin", "export GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
    with open_workshop(clone, "origin", {**outer, "HOME": str(tmp_path)}) as workshop:
        assert workshop.reads.fetch_branch(MAIN) == head
    with (
        pytest.raises(MergequeueError) as error,
        open_workshop(clone, "origin", {**outer, "HOME": "/nonexistent"}),
    ):
        pass
    assert error.value.code == NOT_A_REPOSITORY.code


def test_a_relative_address_of_the_remote_starts_at_the_top_of_the_checkout(
    playground: Playground, head: CommitId
) -> None:
    clone = playground.clone()
    playground.run("remote", "set-url", "origin", "../origin.git", cwd=clone)
    with open_workshop(clone / "dir", "origin") as workshop:
        assert workshop.reads.fetch_branch(MAIN) == head


# --- nothing of the checkout has an effect --------------------------------------------------------


@pytest.fixture
def trap(tmp_path: Path) -> tuple[Path, Path]:
    """A program that leaves a mark where it is ever run, and that mark."""
    mark = tmp_path / "mark"
    program = tmp_path / "trap"
    program.write_text(f"#!/bin/sh\necho ran >> {mark}\nexit 1\n")
    program.chmod(0o755)
    return program, mark


def hostile_clone(playground: Playground, program: Path, head: CommitId) -> Path:
    """Return a clone in which everything that git can be told to run or to believe is a trap."""
    clone = playground.clone("hostile")
    other = playground.commit({"evil": "1"})
    playground.run("fetch", "--quiet", str(playground.origin), other, cwd=clone)
    playground.run("replace", head, other, cwd=clone)
    for hook in ("pre-push", "post-checkout", "reference-transaction", "post-index-change"):
        path = clone / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(program)
    settings = {
        "alias.fetch": f"!{program}",
        "alias.rev-list": f"!{program}",
        "core.editor": str(program),
        "core.fsmonitor": str(program),
        "core.hooksPath": str(clone / ".git" / "hooks"),
        "core.pager": str(program),
        "core.alternateRefsCommand": str(program),
        "diff.external": str(program),
        "filter.f.process": str(program),
        "filter.f.smudge": str(program),
        "gpg.program": str(program),
        "commit.gpgSign": "true",
        "fetch.prune": "true",
        "merge.default": "union",
        "merge.m.driver": f"{program} %A",
        "push.default": "matching",
        "remote.origin.mirror": "true",
        "remote.origin.push": "+refs/*:refs/*",
        "remote.origin.fetch": "+refs/*:refs/*",
        "remote.origin.receivepack": str(program),
        "remote.origin.uploadpack": str(program),
        "uploadpack.packObjectsHook": str(program),
    }
    for key, value in settings.items():
        playground.run("config", key, value, cwd=clone)
    (clone / ".gitattributes").write_text("* filter=f merge=union diff=d\n")
    (clone / ".git" / "info").mkdir(exist_ok=True)
    (clone / ".git" / "info" / "attributes").write_text("* filter=f merge=union\n")
    (clone / ".git" / "info" / "grafts").write_text(f"{head}\n")
    included = clone / ".git" / "included"
    included.write_text(f"[core]\n\tworktree = /nonexistent\n\tsshCommand = {program}\n")
    playground.run("config", "include.path", str(included), cwd=clone)
    return clone


def work(workshop: Workshop, playground: Playground, head: CommitId) -> None:
    later = playground.branch("main", playground.commit({"b": "3\n"}, parents=head))
    reads = workshop.reads
    assert reads.fetch_branch(MAIN) == later
    assert reads.commit(later).parents == (head,)
    assert reads.paths(head) == (b"b", b"dir/a")
    assert reads.line_of(later, head)[0].id == later
    boxes = workshop.boxes()
    box = boxes.open(later)
    assert (Path(box.checkout) / "b").read_text() == "3\n"
    boxes.close(box)


def test_no_hook_setting_attribute_replacement_or_graft_of_a_checkout_has_an_effect(
    playground: Playground, trap: tuple[Path, Path]
) -> None:
    root = playground.commit({"b": "1"})
    head = playground.branch("main", playground.commit({"b": "2\n", "dir/a": "1\n"}, parents=root))
    clone = hostile_clone(playground, trap[0], head)
    with open_workshop(clone, "origin") as workshop:
        work(workshop, playground, head)
        assert workshop.reads.commit(head).parents == (root,)
        assert workshop.reads.is_ancestor(root, head)
    assert not trap[1].exists()
    # The same traps do go off for git in the checkout itself.
    words = ["git", f"--work-tree={clone}", "status"]
    subprocess.run(words, cwd=clone, env=git_environment(clone), check=False, capture_output=True)
    assert trap[1].exists()


def test_no_variable_of_the_caller_has_an_effect(
    playground: Playground, head: CommitId, trap: tuple[Path, Path], tmp_path: Path
) -> None:
    program, mark = str(trap[0]), trap[1]
    config = tmp_path / "config"
    config.write_text(
        f"[core]\n\tfsmonitor = {program}\n\thooksPath = {tmp_path}\n[merge]\n\tdefault = union\n"
    )
    outer = {
        "PATH": os.environ["PATH"],
        "GIT_DIR": "/nonexistent",
        "GIT_WORK_TREE": "/nonexistent",
        "GIT_INDEX_FILE": "/nonexistent",
        "GIT_OBJECT_DIRECTORY": "/nonexistent",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nonexistent",
        "GIT_COMMON_DIR": "/nonexistent",
        "GIT_NAMESPACE": "n",
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_CONFIG_SYSTEM": str(config),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "alias.rev-parse",
        "GIT_CONFIG_VALUE_0": f"!{program}",
        "GIT_EXEC_PATH": str(tmp_path),
        "GIT_EXTERNAL_DIFF": program,
        "GIT_ASKPASS": program,
        "GIT_TEMPLATE_DIR": str(tmp_path),
        "GIT_TRACE": str(mark),
        "GIT_SHALLOW_FILE": str(config),
    }
    with open_workshop(playground.clone(), "origin", outer) as workshop:
        work(workshop, playground, head)
    assert not mark.exists()


def test_no_attribute_reaches_a_merge(playground: Playground) -> None:
    base = playground.commit({"L": "a\n"})
    one = playground.branch(
        "main",
        playground.commit({"L": "a\nb\n", ".gitattributes": "L merge=union\n"}, parents=base),
    )
    other = playground.branch("other", playground.commit({"L": "a\nc\n"}, parents=base))
    clone = playground.clone()
    (clone / ".gitattributes").write_text("L merge=union\n")
    (clone / ".git" / "info").mkdir(exist_ok=True)
    (clone / ".git" / "info" / "attributes").write_text("L merge=union\n")
    with open_workshop(clone, "origin") as workshop:
        ran = workshop.git.run("merge-tree", "--write-tree", one, other, expect={0, 1})
    assert ran.status == 1


def test_a_credential_is_handed_to_the_transport_and_shown_nowhere(
    playground: Playground, head: CommitId, tmp_path: Path
) -> None:
    clone = playground.clone()
    address = "https://me:TOPSECRET@host.invalid/r.git"
    playground.run("config", f"url.{playground.origin}.insteadOf", address, cwd=clone)
    playground.run("remote", "set-url", "origin", address, cwd=clone)
    with open_workshop(clone, "origin") as workshop:
        assert workshop.reads.fetch_branch(MAIN) == head
        assert workshop.reads.remote_url() == "https://host.invalid/r.git"
    playground.run("config", "--remove-section", f"url.{playground.origin}", cwd=clone)
    playground.run("remote", "set-url", "origin", f"file://me:TOPSECRET@{tmp_path}/none", cwd=clone)
    with (
        open_workshop(clone, "origin") as workshop,
        pytest.raises(MergequeueError) as error,
    ):
        workshop.reads.fetch_branch(MAIN)
    assert "TOPSECRET" not in error.value.problem
