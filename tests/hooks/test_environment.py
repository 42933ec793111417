"""A hook's environment is an allowlist, built from nothing (seed 1, Trust model; STYLE 5, 8)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.hooks.environment import (
    ScratchVariable,
    environment_of,
    parse_scratch_env,
    path_folders,
)
from mergequeue.ports import Box
from mergequeue.vocabulary.errors import USAGE, UsageError

BOX = Box("/box/checkout", "/box/home", "/box/scratch")

SECRETS = [
    "MERGEQUEUE_TOKEN",
    "GITHUB_TOKEN",
    "GITHUB_ENV",
    "GITHUB_PATH",
    "GITHUB_OUTPUT",
    "GH_TOKEN",
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "RUNNER_TEMP",
    "AWS_SECRET_ACCESS_KEY",
    "SSH_AUTH_SOCK",
    "GIT_ASKPASS",
    "GIT_DIR",
    "PYTHONPATH",
    "LD_PRELOAD",
    "BASH_ENV",
    "ENV",
    "IFS",
]


def test_the_whole_environment_of_a_hook() -> None:
    outside = {
        **dict.fromkeys(SECRETS, "secret"),
        "PATH": "/opt/bin:/usr/bin",
        "HOME": "/home/me",
        "TMPDIR": "/var/tmp",
        "USER": "me",
        "LOGNAME": "me",
        "LANG": "de_DE.UTF-8",
        "LC_CTYPE": "C.UTF-8",
        "TERM": "xterm",
        "XDG_CACHE_HOME": "/home/me/.cache",
    }
    assert environment_of(outside, BOX, [ScratchVariable("GOCACHE", "go/build")], linux=True) == {
        "PATH": "/opt/bin:/usr/bin",
        "HOME": "/box/home",
        "TMPDIR": "/box/scratch/tmp",
        "USER": "me",
        "LOGNAME": "me",
        "LANG": "de_DE.UTF-8",
        "LC_CTYPE": "C.UTF-8",
        "TERM": "xterm",
        "XDG_CACHE_HOME": "/box/home/.cache",
        "XDG_CONFIG_HOME": "/box/home/.config",
        "XDG_DATA_HOME": "/box/home/.local/share",
        "XDG_STATE_HOME": "/box/home/.local/state",
        "XDG_RUNTIME_DIR": "/box/scratch/run",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GOCACHE": "/box/scratch/go/build",
    }


@given(st.dictionaries(st.sampled_from(SECRETS) | st.text(), st.just("secret")))
def test_no_variable_that_nothing_names_reaches_a_hook(outside: dict[str, str]) -> None:
    allowed = {"USER", "LOGNAME", "LANG", "LANGUAGE", "TERM"}
    passed = {
        name
        for name, value in environment_of(outside, BOX, [], linux=True).items()
        if value == "secret"
    }
    assert {name for name in passed if not name.startswith("LC_")} <= allowed


def test_off_linux_there_are_no_xdg_folders() -> None:
    assert not [name for name in environment_of({}, BOX, [], linux=False) if "XDG" in name]


@pytest.mark.parametrize(
    ("path", "folders"),
    {
        "/usr/bin:/bin": ("/usr/bin", "/bin"),
        ":/bin": ("/bin",),
        "/bin:": ("/bin",),
        "/usr/bin::/bin": ("/usr/bin", "/bin"),
        ".:/bin:./x:x:../y": ("/bin",),
        "": (),
    }.items(),
)
def test_an_empty_or_relative_entry_of_path_is_never_searched(
    path: str, folders: tuple[str, ...]
) -> None:
    assert path_folders(path) == folders
    whole = environment_of({"PATH": path}, BOX, [], linux=True)["PATH"]
    assert all(entry.startswith("/") for entry in whole.split(":"))


def test_scratch_env_names_folders_inside_the_scratch_folder() -> None:
    assert parse_scratch_env(["GOCACHE=go-build", "npm_config_cache=./npm//cache/", "A=b=c"]) == (
        ScratchVariable("GOCACHE", "go-build"),
        ScratchVariable("npm_config_cache", "npm/cache"),
        ScratchVariable("A", "b=c"),
    )


@pytest.mark.parametrize(
    "options",
    [
        ["GOCACHE"],
        ["=x"],
        ["9A=x"],
        ["A-B=x"],
        ["A B=x"],
        ["A="],
        ["A=."],
        ["A=/abs"],
        ["A=.."],
        ["A=x/../../y"],
        ["A=a\0b"],
        ["A=x", "A=y"],
        ["HOME=x"],
        ["PATH=x"],
        ["TMPDIR=x"],
        ["LC_ALL=x"],
        ["GIT_CONFIG_GLOBAL=x"],
        ["GIT_DIR=x"],
        ["MERGEQUEUE_TOKEN=x"],
        ["GITHUB_TOKEN=x"],
        ["ACTIONS_CACHE_URL=x"],
        ["RUNNER_TEMP=x"],
    ],
    ids=" ".join,
)
def test_any_other_scratch_env_is_a_usage_error(options: list[str]) -> None:
    with pytest.raises(UsageError) as refused:
        parse_scratch_env(options)
    assert refused.value.code == USAGE.code
