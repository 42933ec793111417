"""Sockets that the base did not ask for, refused by the kernel, and no others with them."""

import json
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergequeue.hooks.policy import Asked, Tcp
from mergequeue.hooks.syscall_filter import filter_code, knows_machine
from tests.support.hooks import Bench, confining, make_box, needs_landlock

pytestmark = needs_landlock

PYTHON = shutil.which("python3", path="/usr/bin:/usr/local/bin") or "python3"
TRIES = """
import json, socket, sys
port, other = map(int, sys.argv[1:])
MPTCP, FAST_OPEN = 262, 0x20000000
def tcp(port, protocol=0):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol) as there:
        there.connect(("127.0.0.1", port))
def fast_open(port):
    with socket.socket() as there:
        there.sendto(b"x", FAST_OPEN, ("127.0.0.1", port))
def listen(port):
    with socket.socket() as here:
        here.bind(("127.0.0.1", port))
def udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as there:
        there.sendto(b"x", ("127.0.0.1", 9))
def unix():
    socket.socket(socket.AF_UNIX).close()
tries = {
    "tcp": lambda: tcp(port), "other tcp": lambda: tcp(other), "mptcp": lambda: tcp(other, MPTCP),
    "fast open": lambda: fast_open(other), "listen": lambda: listen(0), "udp": udp, "unix": unix,
    "pair": lambda: [each.close() for each in socket.socketpair()],
    "ipv6": lambda: socket.socket(socket.AF_INET6).close(),
}
ended = []
for name, do in tries.items():
    try:
        do()
        ended.append(name)
    except OSError:
        pass
print(json.dumps(sorted(ended)))
"""
ALL = {"tcp", "other tcp", "mptcp", "fast open", "listen", "udp", "unix", "pair", "ipv6"}


@pytest.fixture
def ports() -> Iterator[tuple[int, int]]:
    """Two ports that something listens on."""
    with socket.socket() as one, socket.socket() as other:
        for each in (one, other):
            each.bind(("127.0.0.1", 0))
            each.listen()
        yield one.getsockname()[1], other.getsockname()[1]


def tried(folder: Path, asked: Asked, ports: tuple[int, int]) -> set[str]:
    """Return what works in a hook of a base that asks for `asked`."""
    bench = Bench(make_box(folder), sandbox=confining(asked))
    bench.run(PYTHON, "-c", TRIES, *map(str, ports))
    found: set[str] = set(json.loads(bench.shown.lines[-1].removeprefix("[tag] ")))
    return found


def test_every_socket_is_open_unless_the_base_asks_for_less(
    tmp_path: Path, ports: tuple[int, int]
) -> None:
    # A kernel may have no MPTCP, and no data in a first packet.
    assert tried(tmp_path, Asked(), ports) >= ALL - {"mptcp", "fast open"}


@pytest.mark.parametrize("udp", [False, True])
def test_where_tcp_is_confined_no_other_port_and_no_other_kind_of_socket_is_reached(
    tmp_path: Path,
    ports: tuple[int, int],
    udp: bool,  # noqa: FBT001 (a column of the table)
) -> None:
    asked = Asked(tcp=Tcp(connect=(ports[0],), bind=(), udp=udp))
    expected = {"tcp", "unix", "pair", "ipv6"} | ({"udp"} if udp else set())
    assert tried(tmp_path, asked, ports) == expected


def test_what_may_be_connected_to_does_not_say_what_may_be_listened_on(
    tmp_path: Path, ports: tuple[int, int]
) -> None:
    found = tried(tmp_path, Asked(tcp=Tcp(bind=(0,))), ports)
    assert {"tcp", "other tcp", "listen"} <= found
    assert not {"mptcp", "fast open", "udp"} & found


def test_a_port_of_the_queues_own_can_be_reached_all_the_same(
    tmp_path: Path, ports: tuple[int, int]
) -> None:
    bench = Bench(make_box(tmp_path), sandbox=confining(Asked(tcp=Tcp(connect=()))))
    script = f"import socket; socket.create_connection(('127.0.0.1', {ports[1]}))"
    assert bench.run(PYTHON, "-c", script).summary
    bench.ports = (ports[1],)
    assert not bench.run(PYTHON, "-c", script).summary


def test_without_unix_sockets_there_are_pairs_alone(tmp_path: Path, ports: tuple[int, int]) -> None:
    found = tried(tmp_path, Asked(unix_sockets=False), ports)
    assert "unix" not in found
    assert {"pair", "tcp", "listen", "udp"} <= found


def test_an_architecture_that_is_not_known_has_no_filter() -> None:
    assert filter_code("vax", tcp_alone=True, udp=False, unix_sockets=True) == b""
    assert not knows_machine("vax")
    assert knows_machine(os.uname().machine)
