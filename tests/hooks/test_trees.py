"""Which folders of a machine are its toolchains, and what in its homes is not."""

import os
import socket
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.hooks.landlock import Access
from mergequeue.hooks.machine import read_ability
from mergequeue.hooks.policy import Asked, Grant, Sandbox, is_inside
from mergequeue.hooks.trees import TOOL_HOMES, beside, plainest, tool_home, without
from tests.support.hooks import confining

READ, RUN, WRITE = Access.READ, Access.READ | Access.RUN, Access.READ | Access.WRITE

names = st.sampled_from("abc")
paths = st.lists(names, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))


@given(paths, st.lists(paths, max_size=3))
def test_what_is_kept_out_of_a_tree_lies_beneath_nothing_that_is_granted(
    tree: str, kept_out: list[str]
) -> None:
    def children(folder: str) -> Iterable[str]:
        return [f"{folder}/{name}" for name in "abc"]

    granted = list(without(tree, kept_out, children))
    for place in kept_out:
        assert is_inside(tree, place) or not any(is_inside(place, each) for each in granted)
    assert all(is_inside(each, tree) for each in granted)


def test_what_an_installation_has_beside_its_programs_is_its_own() -> None:
    there = {"/srv/sdk/bin", "/srv/sdk/lib", "/srv/sdk/share", "/srv/sdk/secret"}
    assert set(beside("/srv/sdk/bin", (), there.__contains__)) == there - {"/srv/sdk/secret"}


@pytest.mark.parametrize(
    ("folder", "there", "expected"),
    [
        ("/home/me/venv/bin", {"/home/me/venv/pyvenv.cfg"}, {"/home/me/venv"}),
        ("/home/me/bin", {"/home/me/lib"}, {"/home/me/bin"}),
        ("/home/me/tools", {"/home/me/lib"}, {"/home/me/tools"}),
        (
            "/home/me/.local/bin",
            {"/home/me/.local/lib", "/home/me/.local/share"},
            {"/home/me/.local/bin", "/home/me/.local/lib"},
        ),
        ("/home/me/js/node_modules/.bin", {"/home/me/js/lib"}, {"/home/me/js/node_modules"}),
        ("/home/me/.cargo/bin", {"/home/me/.cargo/registry"}, {"/home/me/.cargo/bin"}),
        ("/bin", {"/lib"}, {"/bin"}),
    ],
)
def test_of_a_home_nothing_but_toolchains_is_granted(
    folder: str, there: set[str], expected: set[str]
) -> None:
    assert set(beside(folder, ("/home/me",), there.__contains__)) == expected


def test_a_toolchain_that_looks_under_home_is_led_back_by_its_variable() -> None:
    rust = next(tool for tool in TOOL_HOMES if tool.variable == "RUSTUP_HOME")
    homes, path = ("/home/me",), ("/home/me/.cargo/bin",)
    assert tool_home(rust, None, homes, path) == ("/home/me/.rustup",)
    assert tool_home(rust, "/usr/local/rustup", homes, path) == ("/usr/local/rustup",)
    assert tool_home(rust, None, homes, ("/usr/bin",)) == ()
    assert tool_home(rust, "relative", homes, ()) == ()


def test_a_grant_that_says_nothing_beside_another_is_left_out() -> None:
    grants = [Grant("/a", READ), Grant("/a/b", READ), Grant("/a/c", RUN), Grant("/a", WRITE)]
    assert set(plainest(grants)) == {Grant("/a", READ | WRITE), Grant("/a/c", RUN)}


# --- on this machine -----------------------------------------------------------------------------


def access(sandbox: Sandbox, path: Path) -> Access:
    """Return what a sandbox grants on a path."""
    found = Access(0)
    for grant in sandbox.grants:
        if is_inside(os.path.realpath(path), grant.path):
            found |= grant.access
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A user's home with toolchains, and with what is nobody else's."""
    for name in (".cargo/bin", ".rustup/toolchains", ".ssh", ".local/bin", ".local/share/keyrings"):
        (tmp_path / name).mkdir(parents=True)
    for name in (".cargo/credentials.toml", ".ssh/id", ".gitconfig", ".local/share/keyrings/k"):
        (tmp_path / name).write_text("secret\n")
    tool = tmp_path / ".local/share/uv/tools/lint"
    for name in ("bin", "lib"):
        (tool / name).mkdir(parents=True)
    (tool / "bin/lint").write_text("#!/bin/sh\n")
    (tmp_path / ".local/bin/lint").symlink_to(tool / "bin/lint")
    return tmp_path


@pytest.fixture
def at_home(home: Path) -> dict[str, str]:
    path = f"{home}/.cargo/bin:{home}/.local/bin:/usr/bin:{home}"
    return {"HOME": str(home), "PATH": path}


def test_the_toolchains_of_a_home_can_be_run_and_nothing_else_of_it_read(
    home: Path, at_home: dict[str, str]
) -> None:
    sandbox = confining(environ=at_home)
    for name in (
        ".cargo/bin",
        ".rustup/toolchains",
        ".local/bin",
        ".local/share/uv/tools/lint/lib",
    ):
        assert access(sandbox, home / name) == RUN, name
    assert sandbox.variables == {"RUSTUP_HOME": str(home / ".rustup")}
    secrets = (".ssh/id", ".gitconfig", ".cargo/credentials.toml", ".local/share/keyrings/k", "")
    for name in secrets:
        assert not access(sandbox, home / name), name


def test_the_systems_trees_can_be_read_and_run_and_nobody_writes_there() -> None:
    sandbox = confining()
    assert access(sandbox, Path("/usr/bin/env")) == RUN
    assert access(sandbox, Path("/etc/passwd")) == READ
    assert not any(Access.WRITE in grant.access for grant in sandbox.grants)
    for place in (tempfile.gettempdir(), "/root", "/home", "/var/log", "/dev/pts", "/dev/tty"):
        assert not access(sandbox, Path(place)), place


def test_a_file_that_is_roots_alone_is_not_roots_hooks_to_read() -> None:
    if os.geteuid() != 0:
        pytest.skip("the kernel itself keeps it from any other user")
    assert not access(confining(), Path("/etc/shadow"))


@pytest.mark.parametrize("how", ["bound", "named by a variable"])
def test_a_socket_that_gives_more_than_it_should_is_seen_where_it_can_be_reached(how: str) -> None:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listening:
        path = f"{folder}/{'ssh-agent.1' if how == 'bound' else 'lent'}"
        listening.bind(path)
        listening.listen()
        outside = {} if how == "bound" else {"DOCKER_HOST": f"unix://{path}"}
        assert path in read_ability(outside).sockets
        Path(path).unlink()
        assert path not in read_ability(outside).sockets


def test_what_the_base_allows_is_granted_where_it_is_there(tmp_path: Path) -> None:
    allow = (Grant(str(tmp_path), WRITE), Grant(str(tmp_path / "missing"), RUN))
    sandbox = confining(Asked(allow=allow))
    assert access(sandbox, tmp_path / "x") == WRITE
    assert Grant(str(tmp_path / "missing"), RUN) not in sandbox.grants


def test_no_grant_opens_the_queues_own_folders(tmp_path: Path) -> None:
    for name in ("verdicts", "clone/.git", "clone/src", "data", "mq-other"):
        (tmp_path / name).mkdir(parents=True)
    sandbox = confining(
        Asked(allow=(Grant(str(tmp_path), WRITE),)),
        {"GITHUB_ENV": str(tmp_path / "file-command"), "PATH": ""},
        private=[tmp_path / "verdicts", tmp_path / "clone/.git"],
    )
    assert access(sandbox, tmp_path / "data/x") == WRITE
    assert access(sandbox, tmp_path / "clone/src/x") == WRITE
    for name in ("verdicts/1.json", "clone/.git/config", "file-command", "new"):
        assert not access(sandbox, tmp_path / name), name


def test_a_link_that_a_hook_may_have_put_there_opens_nothing(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "cache/data").symlink_to(tmp_path / "elsewhere")
    cache, data = str(tmp_path / "cache"), str(tmp_path / "cache/data")
    sandbox = confining(Asked(allow=(Grant(cache, WRITE), Grant(data, RUN))))
    assert not access(sandbox, tmp_path / "elsewhere/x")


def test_a_temporary_folder_that_is_granted_does_not_hold_the_boxes_of_other_runs() -> None:
    with tempfile.TemporaryDirectory(prefix="mq-") as other:
        sandbox = confining(Asked(allow=(Grant(tempfile.gettempdir(), WRITE),)))
        assert not access(sandbox, Path(other) / "x")


def test_a_tree_of_the_system_with_a_checkout_in_it_is_granted_without_that() -> None:
    usual = confining()
    shared = next(grant for grant in usual.grants if grant.path == "/usr")
    inside = confining(checkouts=[Path("/usr/share")])
    assert shared not in inside.grants
    assert access(inside, Path("/usr/bin/env")) == RUN
    assert not access(inside, Path("/usr/share/x"))
