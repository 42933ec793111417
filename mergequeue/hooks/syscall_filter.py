"""The seccomp filter of a hook: what landlock cannot refuse, and no gate needs.

    always          the kernel's keyrings, which belong to the user and not to a folder; io_uring,
                    whose requests no filter sees; the limits of another process
    no Unix sockets any that is no pair: nothing else says to which of them a hook may connect
    tcp confined    every socket but TCP, Unix and netlink (MPTCP and SCTP reach a TCP port or a
                    host past landlock's rules), and data in a first packet, which connects unasked

A refused call fails as on a kernel that lacks it, so that programs fall back.
"""

import struct
from dataclasses import dataclass

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_EPERM, _EACCES, _ENOSYS, _EPROTONOSUPPORT, _EAFNOSUPPORT, _EOPNOTSUPP = 1, 13, 38, 93, 97, 95

_X32 = 0x40000000
"""x86_64 has its system calls a second time from here on, as another ABI."""
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_STREAM, _DATAGRAM, _KIND = 1, 2, 0xF
_TCP, _UDP = 6, 17
_FAST_OPEN = 0x20000000

_Instruction = tuple[int, int, int, int]


@dataclass(frozen=True)
class _Machine:
    """The numbers of one architecture, and of the older one that it also runs."""

    name: int
    refused: tuple[int, ...]
    """io_uring_setup, add_key, request_key, keyctl."""
    prlimit: int
    socket: int
    sends: tuple[tuple[int, int], ...]
    """sendto, sendmsg, sendmmsg; which argument holds the flags."""
    older: int
    older_refused: tuple[int, ...]
    older_prlimit: int
    has_x32: bool = False


_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        (425, 248, 249, 250),
        302,
        41,
        ((44, 3), (46, 2), (307, 3)),
        0x40000003,
        (425, 286, 287, 288),
        340,
        has_x32=True,
    ),
    "aarch64": _Machine(
        0xC00000B7,
        (425, 217, 218, 219),
        261,
        198,
        ((206, 3), (211, 2), (269, 3)),
        0x40000028,
        (425, 309, 310, 311),
        369,
    ),
}


def knows_machine(name: str) -> bool:
    """Whether there is a filter for an architecture, as `uname -m` names it."""
    return name in _MACHINES


def filter_code(name: str, *, tcp_alone: bool, udp: bool, unix_sockets: bool) -> bytes:
    """Return the filter for an architecture, as the kernel reads it; empty where it is unknown.

    `tcp_alone` confines sockets to TCP, to which `udp` adds UDP; `unix_sockets` says whether those
    are left.
    """
    machine = _MACHINES.get(name)
    if machine is None:
        return b""
    # The older system calls pack a socket's arguments where no filter can read them.
    other = _allow() if unix_sockets and not tcp_alone else _refuse(_ENOSYS)
    older = [
        _load(_NUMBER),
        *_refused(machine.older_refused),
        *_when_equal(machine.older_prlimit, _own_limits_alone()),
        *other,
    ]
    code = [
        _load(_ARCHITECTURE),
        *_when_equal(machine.older, older),
        *_unless_equal(machine.name, _refuse(_ENOSYS)),
        _load(_NUMBER),
        *(_when(_AT_LEAST, _X32, _refuse(_ENOSYS)) if machine.has_x32 else []),
        *_refused(machine.refused),
        *_when_equal(machine.prlimit, _own_limits_alone()),
        *(_no_unix_sockets(machine) if not unix_sockets else []),
        *(_tcp_alone(machine, udp=udp) if tcp_alone else []),
        *_allow(),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def _refused(numbers: tuple[int, ...]) -> list[_Instruction]:
    return [each for number in numbers for each in _when_equal(number, _refuse(_ENOSYS))]


def _own_limits_alone() -> list[_Instruction]:
    """Refuse new limits for any process that is named; 0 is the caller itself."""
    pointer = _ARGUMENTS + 8 * 2
    halves = (_load(pointer), _load(pointer + 4))
    reads = [each for half in halves for each in (half, *_unless_equal(0, _refuse(_EPERM)))]
    return [_load_argument(0), *_when_equal(0, _allow()), *reads, *_allow()]


def _no_unix_sockets(machine: _Machine) -> list[_Instruction]:
    refused = [_load_argument(0), *_when_equal(_UNIX, _refuse(_EACCES)), _load(_NUMBER)]
    return [(_EQUAL, 0, len(refused), machine.socket), *refused]


def _tcp_alone(machine: _Machine, *, udp: bool) -> list[_Instruction]:
    sends = [
        each
        for number, argument in machine.sends
        for each in _when_equal(
            number,
            [
                _load_argument(argument),
                *_when(_ANY_BIT, _FAST_OPEN, _refuse(_EOPNOTSUPP)),
                *_allow(),
            ],
        )
    ]
    return [*_when_equal(machine.socket, _sockets(udp=udp)), *sends]


def _sockets(*, udp: bool) -> list[_Instruction]:
    protocol = [_load_argument(2), *_when_equal(0, _allow())]
    stream = [*protocol, *_when_equal(_TCP, _allow()), *_refuse(_EPROTONOSUPPORT)]
    datagram = [*protocol, *_when_equal(_UDP, _allow()), *_refuse(_EPROTONOSUPPORT)]
    internet = [
        _load_argument(1),
        (_AND, 0, 0, _KIND),
        *_when_equal(_STREAM, stream),
        *(_when_equal(_DATAGRAM, datagram) if udp else []),
        *_refuse(_EACCES),
    ]
    return [
        _load_argument(0),
        *_when_equal(_UNIX, _allow()),
        *_when_equal(_NETLINK, _allow()),
        *_when_equal(_INET, internet),
        *_when_equal(_INET6, internet),
        *_refuse(_EAFNOSUPPORT),
    ]


def _load(offset: int) -> _Instruction:
    return (_LOAD, 0, 0, offset)


def _load_argument(number: int) -> _Instruction:
    """Load the lower half, which is first: both architectures are little-endian."""
    return _load(_ARGUMENTS + 8 * number)


def _when(test: int, value: int, then: list[_Instruction]) -> list[_Instruction]:
    """Do `then`, which always returns, where the test holds."""
    return [(test, 0, len(then), value), *then]


def _when_equal(value: int, then: list[_Instruction]) -> list[_Instruction]:
    return _when(_EQUAL, value, then)


def _unless_equal(value: int, then: list[_Instruction]) -> list[_Instruction]:
    return [(_EQUAL, len(then), 0, value), *then]


def _refuse(errno: int) -> list[_Instruction]:
    return [(_RETURN, 0, 0, _ERRNO | errno)]


def _allow() -> list[_Instruction]:
    return [(_RETURN, 0, 0, _ALLOW)]
