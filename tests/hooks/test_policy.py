"""What a hook may reach is decided from the base's words alone (seed 1, Trust model)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.config import SandboxTable
from mergequeue.hooks.landlock import Access
from mergequeue.hooks.policy import (
    Ability,
    Asked,
    Grant,
    Sandbox,
    Tcp,
    decide_abi,
    decide_asked,
    decide_mode,
    gives_away,
    may_run,
    shortfalls,
    smaller_shortfalls,
)
from mergequeue.vocabulary.errors import NO_SANDBOX, SANDBOX_GRANT, WEAKER_SANDBOX, QueueError
from mergequeue.vocabulary.words import SandboxMode

READ, RUN, WRITE = Access.READ, Access.READ | Access.RUN, Access.READ | Access.WRITE
WHOLE = Ability(7, knows_machine=True)


def test_a_grant_is_a_path_to_read_and_says_what_it_asks_for_besides() -> None:
    allow = ("/srv/data/", "run:/srv/tools", "write:/srv/cache", "run+write://srv/sdk", "/a:b")
    assert decide_asked(SandboxTable(allow=allow)).allow == (
        Grant("/srv/data", READ),
        Grant("/srv/tools", RUN),
        Grant("/srv/cache", WRITE),
        Grant("/srv/sdk", RUN | WRITE),
        Grant("/a:b", READ),
    )


BAD = {
    "relative": ("data", "is not absolute"),
    "a home": ("~/.cache", "is not absolute"),
    "a home to write": ("write:~/x", "is not absolute"),
    "no such access": ("exec:/srv", "exec is no access"),
    "no path": ("write:", "is not absolute"),
    "climbing": ("/srv/../root", "holds `..`"),
    "nul": ("/srv/\0", "NUL"),
    "everything": ("write:/", "the whole machine"),
    "everything, in another spelling": ("run:///./", "the whole machine"),
}


@pytest.mark.parametrize(("entry", "problem"), BAD.values(), ids=BAD)
def test_any_other_grant_is_an_error_that_names_it(entry: str, problem: str) -> None:
    with pytest.raises(QueueError) as refused:
        decide_asked(SandboxTable(allow=("/fine", entry)))
    assert refused.value.code == SANDBOX_GRANT.code
    assert "sandbox.allow" in refused.value.problem
    assert problem in refused.value.problem
    assert refused.value.problem.isprintable()


NEVER = [
    "MERGEQUEUE_TOKEN",
    "GITHUB_TOKEN",
    "GITHUB_ENV",
    "GITHUB_OUTPUT",
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "RUNNER_TEMP",
    "PATH",
    "HOME",
    "TMPDIR",
    "XDG_RUNTIME_DIR",
    "GIT_CONFIG_GLOBAL",
    "A=B",
    "A-B",
]


@pytest.mark.parametrize("name", NEVER)
def test_what_is_the_queues_or_its_jobs_is_passed_by_no_base(name: str) -> None:
    with pytest.raises(QueueError) as refused:
        decide_asked(SandboxTable(passthrough=(name,)))
    assert refused.value.code == SANDBOX_GRANT.code
    assert "sandbox.passthrough" in refused.value.problem


def test_any_other_variable_is_the_bases_to_pass() -> None:
    names = ("CI", "HTTPS_PROXY", "NPM_TOKEN")
    assert decide_asked(SandboxTable(passthrough=names)).passthrough == names


MODES = st.sampled_from(SandboxMode)


@given(MODES, st.none() | MODES, st.none() | MODES)
def test_a_mode_is_never_weaker_than_the_bases_the_options_or_the_hooks_around(
    asked: SandboxMode, option: SandboxMode | None, outer: SandboxMode | None
) -> None:
    strict = SandboxMode.REQUIRED
    if option is SandboxMode.BEST_EFFORT and outer is strict:
        with pytest.raises(QueueError) as refused:
            decide_mode(asked, option, outer)
        assert refused.value.code == WEAKER_SANDBOX.code
        return
    assert (decide_mode(asked, option, outer) is strict) == (strict in {asked, option, outer})


def test_a_mode_of_a_hook_around_that_is_none_is_refused() -> None:
    with pytest.raises(QueueError) as refused:
        decide_mode(SandboxMode.REQUIRED, None, "off")
    assert refused.value.code == WEAKER_SANDBOX.code


TCP = Asked(tcp=Tcp(connect=(443,)))
SHORT = {
    "no landlock": (Ability(), Asked(), "no landlock"),
    "the first ABI": (Ability(1, knows_machine=True), Asked(), "ABI 1"),
    "ABI 2": (Ability(2, knows_machine=True), Asked(), "can be truncated"),
    "TCP before ABI 4": (Ability(3, knows_machine=True), TCP, "knows no TCP ports"),
    "TCP on another machine": (Ability(7), TCP, "this architecture"),
    "no Unix sockets on another machine": (
        Ability(7),
        Asked(unix_sockets=False),
        "this architecture",
    ),
    "root that keeps its capabilities": (
        Ability(7, knows_machine=True, drops_capabilities=False),
        Asked(),
        "capabilities",
    ),
    "a socket that gives the machine away": (
        Ability(7, knows_machine=True, sockets=("/run/docker.sock",)),
        Asked(),
        "/run/docker.sock",
    ),
}


@pytest.mark.parametrize(("ability", "asked", "named"), SHORT.values(), ids=SHORT)
def test_what_the_kernel_cannot_confine_is_told_and_refused_where_it_is_required(
    ability: Ability, asked: Asked, named: str
) -> None:
    assert named in "; ".join(shortfalls(ability, asked))
    decide_abi(SandboxMode.BEST_EFFORT, ability, asked)
    with pytest.raises(QueueError) as refused:
        decide_abi(SandboxMode.REQUIRED, ability, asked)
    assert refused.value.code == NO_SANDBOX.code
    assert named in refused.value.problem


ENOUGH = [
    (WHOLE, Asked()),
    (WHOLE, TCP),
    (Ability(3), Asked()),
    (Ability(7, sockets=("/run/docker.sock",)), Asked(allow=(Grant("/run/docker.sock", WRITE),))),
    (
        Ability(7, knows_machine=True, sockets=("/run/docker.sock",)),
        Asked(unix_sockets=False),
    ),
]


@pytest.mark.parametrize(("ability", "asked"), ENOUGH)
def test_what_the_kernel_can_confine_is_not_refused(ability: Ability, asked: Asked) -> None:
    assert shortfalls(ability, asked) == ()
    assert decide_abi(SandboxMode.REQUIRED, ability, asked) == ability.abi


def test_under_the_first_abi_no_build_tool_works_so_that_it_is_not_used() -> None:
    used = [decide_abi(SandboxMode.BEST_EFFORT, Ability(abi), Asked()) for abi in (0, 1, 2, 7)]
    assert used == [0, 0, 2, 7]


def test_signals_that_stay_open_are_told_of_and_refused_by_no_mode() -> None:
    assert [bool(smaller_shortfalls(Ability(abi))) for abi in (0, 3, 5, 6, 7)] == [
        False,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("socket", "told"),
    {
        "/run/docker.sock": True,
        "/var/run/docker-custom.sock": True,
        "/run/containerd/containerd.sock": True,
        "/run/user/1000/podman/podman.sock": True,
        "/run/user/1000/bus": True,
        "/run/user/1000/systemd/private": True,
        "/tmp/ssh-XXXX/agent.12": True,
        "/home/me/.gnupg/S.gpg-agent.ssh": True,
        "/tmp/.X11-unix/X0": True,
        "/tmp/tmux-1000/default": True,
        "/run/dbus/system_bus_socket": False,
        "/tmp/.s.PGSQL.5432": False,
        "/run/nscd/socket": False,
    }.items(),
)
def test_the_sockets_that_give_away_a_machine_or_a_user_are_known(socket: str, told: bool) -> None:  # noqa: FBT001 (the table's column)
    assert gives_away(socket, to_root=False) == told


def test_root_can_have_the_system_start_anything() -> None:
    assert gives_away("/run/dbus/system_bus_socket", to_root=True)


def test_a_program_runs_from_the_hooks_own_folders_and_from_beneath_what_may_be_run() -> None:
    sandbox = Sandbox(SandboxMode.BEST_EFFORT, (Grant("/usr", RUN), Grant("/srv/data", READ)))
    own = ("/box/checkout", "/box/home")
    runs = ("/usr/bin/make", "/box/checkout/gate", "/box/home/bin/x")
    assert all(may_run(program, own, sandbox) for program in runs)
    lies = ("/srv/data/x", "/usrx/x", "/box/checkoutx/gate", "/box/2/gate", "/home/me/gate")
    assert not any(may_run(program, own, sandbox) for program in lies)
