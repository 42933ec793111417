"""What a git process is given: three environments, each built from nothing and never by removing.

- `queue_environment`: for work on the queue's own repository. No configuration of anybody's, no
  attributes, hooks, replacements or prompts, and no transport at all.
- `transport_environment`: the same for a fetch or a push, with what reaching a remote takes: the
  SSH agent, proxies, TLS roots, the home that credential helpers look into, and the transport
  settings of the user's own configuration.
- `discovery_environment`: for looking at the checkout once, before there is a repository of the
  queue's own. The user's configuration is read here, because `safe.directory` and the transport
  settings live in it; the commands run with it print facts and run nothing.

Settings travel in the environment and never in a process's arguments, which any process on the
machine can read: some of them are secret.
"""

from collections.abc import Iterable, Mapping, Sequence

Setting = tuple[str, str]
"""A key of git's configuration and its value."""

_FIXED = {
    "LC_ALL": "C.UTF-8",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_EDITOR": ":",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
}

_SETTINGS: tuple[Setting, ...] = (
    ("core.attributesFile", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.logAllRefUpdates", "false"),
    ("core.quotePath", "false"),
    ("core.untrackedCache", "false"),
    ("core.useReplaceRefs", "false"),
    ("advice.detachedHead", "false"),
    ("commit.gpgSign", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("fetch.writeCommitGraph", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("push.followTags", "false"),
    ("push.gpgSign", "false"),
    ("push.recurseSubmodules", "no"),
    ("submodule.recurse", "false"),
    ("tag.gpgSign", "false"),
)

_TRANSPORT_NAMES = (
    "HOME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "SSH_AUTH_SOCK",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_PROXY_SSL_CAINFO",
    "CURL_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "all_proxy",
    "https_proxy",
    "http_proxy",
    "no_proxy",
)

_DISCOVERY_NAMES = (
    "HOME",
    "XDG_CONFIG_HOME",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_SYSTEM",
)
_DISCOVERY_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")

_PROTOCOLS = "file:git:http:https:ssh"
_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"


def search_path(outer: Mapping[str, str]) -> str:
    """Return the absolute folders of PATH: a relative one would be looked up in a checkout."""
    folders = [part for part in outer.get("PATH", _DEFAULT_PATH).split(":") if part.startswith("/")]
    return ":".join(folders) or _DEFAULT_PATH


def queue_environment(outer: Mapping[str, str]) -> dict[str, str]:
    """Return what git is given for work on the queue's own repository."""
    return {
        "PATH": search_path(outer),
        **_FIXED,
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_LITERAL_PATHSPECS": "1",
        **_as_variables(_SETTINGS),
    }


def transport_environment(
    outer: Mapping[str, str], settings: Sequence[Setting], trusted: str
) -> dict[str, str]:
    """Return what git is given to reach the remote, with the user's transport settings.

    `trusted` names a file that stands for the user's configuration and holds `safe.directory`
    alone: a remote on this machine is served by a git of its own, which the settings do not reach.
    """
    inherited = {name: outer[name] for name in _TRANSPORT_NAMES if name in outer}
    unasked: tuple[Setting, ...] = ()
    chosen = "GIT_SSH" in outer or any(key.lower() == "core.sshcommand" for key, _ in settings)
    if not chosen:
        # ssh would otherwise ask for a password on a terminal, and the queue would hang.
        unasked = (("core.sshCommand", "ssh -o BatchMode=yes"),)
    return {
        "PATH": search_path(outer),
        **inherited,
        **_FIXED,
        "GIT_CONFIG_GLOBAL": trusted,
        "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
        **_as_variables((*unasked, *settings, *_SETTINGS)),
    }


def discovery_environment(outer: Mapping[str, str]) -> dict[str, str]:
    """Return what git is given to look at the checkout and at the user's configuration of it."""
    inherited = {
        name: value
        for name, value in outer.items()
        if name in _DISCOVERY_NAMES or name.startswith(_DISCOVERY_PREFIXES)
    }
    return {
        "PATH": search_path(outer),
        **inherited,
        "LC_ALL": "C.UTF-8",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
    }


def _as_variables(settings: Iterable[Setting]) -> dict[str, str]:
    listed = list(settings)
    variables = {"GIT_CONFIG_COUNT": str(len(listed))}
    for number, (key, value) in enumerate(listed):
        variables[f"GIT_CONFIG_KEY_{number}"] = key
        variables[f"GIT_CONFIG_VALUE_{number}"] = value
    return variables
