"""The capabilities of root that a hook keeps: those that reach nothing outside what it may reach.

Kept is what builds and tests run as root use on files and processes of their own. Everything else
goes, whatever a later kernel adds: SYS_PTRACE, PERFMON and SYS_ADMIN read other processes past
landlock, DAC_READ_SEARCH opens files by handle, MKNOD and SYS_RAWIO reach the disk beneath the file
system, NET_RAW and NET_ADMIN read the machine's traffic, BPF and SYS_MODULE change the kernel.
"""

_CHOWN, _DAC_OVERRIDE, _FOWNER, _FSETID, _KILL, _SETGID, _SETUID = 0, 1, 3, 4, 5, 6, 7
_SETPCAP, _NET_BIND_SERVICE, _SYS_CHROOT = 8, 10, 18

_NAMES = (_CHOWN, _DAC_OVERRIDE, _FOWNER, _FSETID, _KILL, _SETGID, _SETUID)
KEPT = sum(1 << each for each in (*_NAMES, _NET_BIND_SERVICE, _SYS_CHROOT))
"""As the kernel's mask."""


def may_be_dropped(effective: int, bounding: int) -> bool:
    """Whether root can be rid of all others: it can, or has none of them to begin with."""
    return bool(effective >> _SETPCAP & 1) or not bounding & ~KEPT
