"""A sandbox and a hook's box made into what the warden does, to the last number.

    {"program": ..., "words": [...], "environ": {...}, "parent": ...,
     "kept": ..., "outer": ..., "ruleset": ..., "paths": [...], "ports": [...], "filter": ...}

On a kernel without landlock the warden still takes away root's capabilities and the system calls
that no gate needs, and leaves nothing running.
"""

import marshal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mergequeue.hooks import landlock
from mergequeue.hooks.capabilities import KEPT
from mergequeue.hooks.landlock import Access
from mergequeue.hooks.policy import Grant, Sandbox
from mergequeue.hooks.syscall_filter import filter_code
from mergequeue.ports import Box

_OWN = Access.READ | Access.RUN | Access.WRITE


@dataclass(frozen=True)
class Confinement:
    """What holds one hook."""

    sandbox: Sandbox
    own: tuple[str, ...]
    """Its own folders."""
    borrowed: tuple[str, ...]
    """Object folders that its repository borrows."""
    ports: tuple[int, ...] = ()
    """TCP ports that it may connect to besides."""


def confinement_of(sandbox: Sandbox, box: Box, ports: Sequence[int] = ()) -> Confinement:
    """Return what holds a hook in `box`; to some ports the queue itself lets it connect."""
    return Confinement(sandbox, (box.checkout, box.home, box.scratch), box.borrowed, tuple(ports))


def plan_of(
    held: Confinement,
    program: str,
    words: Sequence[str],
    environ: Mapping[str, str],
    parent: int,
) -> bytes:
    """Return the warden's plan for a hook that the process `parent` starts."""
    sandbox = held.sandbox
    tcp = sandbox.tcp
    plan = {
        "program": program,
        "words": list(words),
        "environ": dict(environ),
        "parent": parent,
        "kept": KEPT,
        "outer": landlock.outer_ruleset(sandbox.abi),
        "ruleset": b"",
        "paths": [],
        "ports": [],
        "filter": filter_code(
            sandbox.machine,
            tcp_alone=tcp.is_confined,
            udp=tcp.udp,
            unix_sockets=sandbox.unix_sockets,
        ),
    }
    if sandbox.abi:
        connects, binds = tcp.connect is not None, tcp.bind is not None
        plan["ruleset"] = landlock.ruleset_of(sandbox.abi, connects=connects, binds=binds)
        plan["paths"] = _paths(held)
        plan["ports"] = _ports(held)
    return marshal.dumps(plan)


def _paths(held: Confinement) -> list[tuple[str, int, int, bool]]:
    own = [(Grant(path, _OWN), True) for path in held.own]
    others = [*held.sandbox.grants, *(Grant(path, Access.READ) for path in held.borrowed)]
    return [
        (grant.path, *landlock.rights_of(grant.access, held.sandbox.abi), is_own)
        for grant, is_own in (*own, *((grant, False) for grant in others))
    ]


def _ports(held: Confinement) -> list[tuple[int, int]]:
    if held.sandbox.abi < landlock.TCP:
        return []
    tcp = held.sandbox.tcp
    connect = () if tcp.connect is None else (*tcp.connect, *held.ports)
    return landlock.port_rules(connect, tcp.bind or ())
