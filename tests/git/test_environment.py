"""What a git process is given is built from nothing."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.git.environment import (
    discovery_environment,
    queue_environment,
    search_path,
    transport_environment,
)

names = st.text(string.ascii_uppercase + "_", min_size=1, max_size=12)
outers = st.dictionaries(names, st.text(min_size=1, max_size=5)).map(
    lambda some: {**some, "GIT_DIR": "/elsewhere", "GIT_INDEX_FILE": "/x", "HOME": "/home/me"}
)


@given(outers)
def test_work_on_the_queues_own_repository_inherits_the_search_path_alone(
    outer: dict[str, str],
) -> None:
    fixed = queue_environment({})
    given_path = {"PATH": search_path(outer)}
    assert queue_environment(outer) == {**fixed, **given_path}


def test_a_transport_inherits_what_reaching_a_remote_takes_and_nothing_else() -> None:
    outer = {
        "SSH_AUTH_SOCK": "/agent",
        "https_proxy": "http://proxy",
        "HOME": "/home/me",
        "GIT_DIR": "/elsewhere",
        "GIT_CONFIG_PARAMETERS": "'alias.push'='!false'",
        "GIT_TRACE": "1",
        "LD_PRELOAD": "/bad.so",
        "TOKEN": "secret",
    }
    made = transport_environment(outer, [], "/trusted")
    assert made["SSH_AUTH_SOCK"] == "/agent"
    assert made["https_proxy"] == "http://proxy"
    assert made["HOME"] == "/home/me"
    assert not {"GIT_DIR", "GIT_CONFIG_PARAMETERS", "GIT_TRACE", "LD_PRELOAD", "TOKEN"} & set(made)


def test_settings_of_the_user_come_before_the_fixed_ones_which_win() -> None:
    made = transport_environment({}, [("core.hooksPath", "/mine"), ("http.proxy", "p")], "/t")
    settings = [
        (made[f"GIT_CONFIG_KEY_{number}"], made[f"GIT_CONFIG_VALUE_{number}"])
        for number in range(int(made["GIT_CONFIG_COUNT"]))
    ]
    assert dict(settings)["core.hooksPath"] == "/dev/null"
    assert ("http.proxy", "p") in settings


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("core.attributesFile", "/dev/null"),
        ("core.fsmonitor", "false"),
        ("core.hooksPath", "/dev/null"),
        ("core.useReplaceRefs", "false"),
        ("commit.gpgSign", "false"),
        ("push.gpgSign", "false"),
        ("gc.auto", "0"),
        ("maintenance.auto", "false"),
    ],
)
def test_what_git_could_run_or_believe_is_switched_off_for_every_command(
    key: str, value: str
) -> None:
    for made in (queue_environment({}), transport_environment({}, [], "/t")):
        number = next(name for name, text in made.items() if text == key)[len("GIT_CONFIG_KEY_") :]
        assert made[f"GIT_CONFIG_VALUE_{number}"] == value


def test_ssh_never_asks_on_a_terminal_unless_the_user_chose_the_command() -> None:
    unasked = transport_environment({}, [], "/t").values()
    assert "ssh -o BatchMode=yes" in unasked
    for chosen in (
        transport_environment({}, [("core.sshcommand", "my-ssh")], "/t"),
        transport_environment({"GIT_SSH": "my-ssh"}, [], "/t"),
    ):
        assert "ssh -o BatchMode=yes" not in chosen.values()


def test_only_a_transport_may_reach_a_remote_and_none_runs_a_helper_named_by_a_url() -> None:
    assert queue_environment({})["GIT_ALLOW_PROTOCOL"] == "none"
    assert discovery_environment({})["GIT_ALLOW_PROTOCOL"] == "none"
    allowed = transport_environment({}, [], "/t")["GIT_ALLOW_PROTOCOL"].split(":")
    assert "ext" not in allowed
    assert {"https", "ssh", "file"} <= set(allowed)


def test_a_relative_folder_of_the_search_path_is_left_out() -> None:
    assert search_path({"PATH": ".:/usr/bin::bin:/bin"}) == "/usr/bin:/bin"
    assert search_path({"PATH": "."}) == search_path({})


def test_looking_at_the_checkout_reads_the_users_configuration_and_no_repository_variable() -> None:
    made = discovery_environment(
        {"HOME": "/me", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "a.b", "GIT_DIR": "/x"}
    )
    assert (made["HOME"], made["GIT_CONFIG_COUNT"], made["GIT_CONFIG_KEY_0"]) == ("/me", "1", "a.b")
    assert "GIT_DIR" not in made
