"""landlock's numbers: which rights each version knows, and what an access is made of.

    ABI 2   Linux 5.19   files, and moving them between folders; the first that is used
    ABI 3   Linux 6.2    truncating
    ABI 4   Linux 6.7    TCP ports
    ABI 5   Linux 6.10   controlling devices
    ABI 6   Linux 6.12   signals and abstract Unix sockets stay inside

Before ABI 2 no file can be moved from one folder to another at all, which no build tool survives.
"""

import struct
from enum import Flag, auto

USABLE = 2
"""The first ABI under which build tools work."""
WHOLE = 3
"""The first that confines every way to change a file's content; `required` asks for it."""
TCP = 4
"""The first that knows TCP ports."""
SIGNALS = 6
"""The first that keeps signals inside."""

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REG, _MAKE_SOCK, _MAKE_FIFO, _MAKE_SYM = 1 << 7, 1 << 8, 1 << 9, 1 << 10, 1 << 12
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_KNOWN = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV

_BIND_TCP, _CONNECT_TCP = 1 << 0, 1 << 1
_SCOPES = 0b11
_SCOPE_SIGNALS = 0b10
_NET_SIZE, _SCOPED_SIZE = 16, 24


class Access(Flag):
    """What a hook may do beneath a path."""

    READ = auto()
    RUN = auto()
    """Reading included."""
    WRITE = auto()
    """Everything but running: making, moving and removing included. No device can be made."""
    DEVICE = auto()
    """Read, write and control one device."""
    SHARED = auto()
    """Make and use files whose names one knows; nothing can be listed, run or linked."""


_READS = _READ_FILE | _READ_DIR
_CHANGES = _WRITE_FILE | _TRUNCATE | _REMOVE_FILE | _MAKE_REG
_RIGHTS = {
    Access.READ: _READS,
    Access.RUN: _READS | _EXECUTE,
    Access.WRITE: (
        _READS | _CHANGES | _REMOVE_DIR | _MAKE_DIR | _MAKE_SOCK | _MAKE_FIFO | _MAKE_SYM | _REFER
    ),
    Access.DEVICE: _READ_FILE | _WRITE_FILE | _TRUNCATE | _IOCTL_DEV,
    Access.SHARED: _READ_FILE | _CHANGES,
}


def handled(abi: int) -> int:
    """Return every right to files that an ABI knows: all of them are refused unless allowed."""
    return _KNOWN[max(version for version in _KNOWN if version <= abi)]


def rights_of(access: Access, abi: int) -> tuple[int, int]:
    """Return what an access means beneath a folder, and on a file alone."""
    whole = 0
    for each in access:
        whole |= _RIGHTS[each]
    whole &= handled(abi)
    return whole, whole & _OF_FILES


def ruleset_of(abi: int, *, connects: bool, binds: bool) -> bytes:
    """Return the kernel's description of what is confined; the two say whether TCP is."""
    net = (_CONNECT_TCP if connects else 0) | (_BIND_TCP if binds else 0)
    whole = struct.pack("=QQQ", handled(abi), net, _SCOPES)
    if abi >= SIGNALS:
        return whole[:_SCOPED_SIZE]
    return whole[:_NET_SIZE] if abi >= TCP else whole[:8]


def outer_ruleset(abi: int) -> bytes:
    """Return what keeps the signals of a hook's warden to the hook; empty where nothing does.

    It takes nothing else: moving files is in it because a ruleset that leaves it out refuses it.
    """
    return struct.pack("=QQQ", _REFER, 0, _SCOPE_SIGNALS) if abi >= SIGNALS else b""


def port_rules(connect: tuple[int, ...], bind: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the ports that are allowed, each with what it is allowed for."""
    return [(port, _CONNECT_TCP) for port in connect] + [(port, _BIND_TCP) for port in bind]
