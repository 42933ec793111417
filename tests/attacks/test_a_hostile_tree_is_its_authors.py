"""What a change's tree may hold: names that reach out of a checkout are the author's to take out,
and stop nobody else.
"""

import subprocess

import pytest

from mergequeue.changes.writable import unwritable_path
from mergequeue.ports import Difference
from mergequeue.vocabulary.ids import RepoPath
from tests.support.programs import Project, make_project
from tests.support.repositories import (
    BLOB_TYPE,
    EXECUTABLE,
    FILE,
    LINK,
    TREE_TYPE,
    Playground,
    git_environment,
)


@pytest.fixture
def project(playground: Playground) -> Project:
    return make_project(playground)


def is_refused(path: bytes, mode: int = FILE) -> bool:
    difference = Difference(path=RepoPath(path), old_mode=0, new_mode=mode, new_id="0" * 40)
    return unwritable_path([difference]) is not None


NAMES = [
    b".git",
    b".git/config",
    b".GIT/config",
    b"a/.git/hooks/post-checkout",
    b"git~1/x",
    b".git. ./x",
    b".git:stream",
    b".git\\x",
    b".gitx",
    b".github/workflows/ci.yml",
    b".gitmodules",
    b".gitattributes",
    b"git",
    b"git~2",
    b"..",
    b"../x",
    b"a/../x",
    b"./x",
    b"a//x",
    b"/x",
    b"...",
    b"..x",
    b"a.git",
    b"\xff.git",
    b"n\n.git/x",
]


@pytest.mark.parametrize("mode", [FILE, LINK], ids=["file", "link"])
def test_the_names_refused_are_those_that_git_refuses(playground: Playground, mode: int) -> None:
    blob = playground.write(BLOB_TYPE, b"x")
    for name in [*NAMES, b".GitModules", b"gitmod~1", b"a/.gitmodules", b".gitmodules. "]:
        added = subprocess.run(
            ["git", "-c", "core.protectHFS=true", "update-index", "-z", "--index-info"],
            cwd=playground.origin,
            env={
                **git_environment(playground.folder),
                "GIT_INDEX_FILE": str(playground.folder / "index"),
            },
            input=b"%o %s\t%s\0" % (mode, blob.encode(), name),
            capture_output=True,
            check=False,
        )
        assert is_refused(name, mode) == bool(added.stderr), name


def test_a_name_that_macos_takes_for_git_is_refused() -> None:
    assert is_refused(".g\u200cit/config".encode())
    assert not is_refused(".g\u00efit/config".encode())


def test_what_is_too_long_for_every_system_is_refused() -> None:
    assert is_refused(b"n" * 256)
    assert not is_refused(b"n" * 255)
    assert is_refused(b"d/" * 5000 + b"f")


def test_taking_such_a_path_out_is_no_fault() -> None:
    gone = Difference(path=RepoPath(b".git/x"), old_mode=FILE, new_mode=0, new_id="")
    assert unwritable_path([gone]) is None


def queue_tree(project: Project, name: str, path: bytes, mode: int = FILE, times: int = 1) -> None:
    """Queue a change whose tree holds this very name, slashes and all, beside the base's."""
    playground = project.playground
    root = playground.run("cat-file", "tree", f"{project.base}^{{tree}}")
    blob = bytes.fromhex(playground.write(BLOB_TYPE, b"#!/bin/sh\n"))
    tree = playground.write(TREE_TYPE, root + times * (b"%o %s\0" % (mode, path) + blob))
    who = b"A <a@example.invalid> 1700000000 +0000"
    lines = [b"tree " + tree.encode(), b"parent " + project.base.encode()]
    lines += [b"author " + who, b"committer " + who, b"", b"A change\n"]
    playground.branch(f"mq/squash/{name}", playground.write(1, b"\n".join(lines)))


@pytest.mark.parametrize(
    ("path", "mode"),
    [
        pytest.param(b"z/../../../escape", FILE, id="out of the checkout"),
        pytest.param(b"z/.git/hooks/post-checkout", EXECUTABLE, id="into a repository"),
        pytest.param(b"z/.gitmodules", LINK, id="a link for submodules"),
        pytest.param(b"z" * 300, FILE, id="a name too long"),
    ],
)
def test_a_path_that_nobody_can_check_out_is_its_authors_and_holds_up_nobody(
    project: Project, path: bytes, mode: int
) -> None:
    queue_tree(project, "a-evil", path, mode)
    # In one line with it, since no unit of the project owns that path.
    project.queue("b-good", {"rest/new": "n\n"})
    ran = project.run("--gate", "true")
    assert ran.status == 0
    assert ran.last()["a-evil"]["code"] == "KICK_REFUSED"
    assert ran.last()["b-good"]["kind"] == "merged"


def test_a_head_with_a_corrupt_tree_waits_and_the_others_go_on(project: Project) -> None:
    queue_tree(project, "a-corrupt", b"z", times=2)
    project.queue("b-good", {"rest/new": "n\n"})
    ran = project.run("--gate", "true")
    assert ran.status == 0
    assert ran.last()["a-corrupt"]["code"] == "WAIT_HEAD_MOVED"
    assert ran.last()["b-good"]["kind"] == "merged"
