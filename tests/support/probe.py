"""What a hostile hook tries, each attempt by itself: run as a hook, it prints what each came to.

    python3 probe.py '{"outside": ..., "victim": ..., ...}'

It stands by itself, since it runs inside a sandbox. An attempt that reaches its aim says `reached`;
any other says what refused it.
"""

import contextlib
import ctypes
import json
import mmap
import os
import resource
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
AIMS = json.loads(sys.argv[1])
OUTSIDE = Path(AIMS["outside"])
VICTIM = AIMS["victim"]
PROC = Path(f"/proc/{VICTIM}")
ATTEMPTS: dict[str, Callable[[], None]] = {}


def attempt(do: Callable[[], None]) -> Callable[[], None]:
    ATTEMPTS[do.__name__] = do
    return do


def call(number: int, *arguments: object) -> int:
    """Make a system call; raise what it fails with."""
    result = int(LIBC.syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


NUMBERS = {
    "x86_64": {"ptrace": 101, "readv": 310, "keyctl": 250, "uring": 425, "name": 303, "open": 304},
    "aarch64": {"ptrace": 117, "readv": 270, "keyctl": 219, "uring": 425, "name": 264, "open": 265},
}.get(os.uname().machine, {})


@attempt
def read_a_file() -> None:
    (OUTSIDE / "file").read_text()


@attempt
def list_a_folder() -> None:
    list(OUTSIDE.iterdir())


@attempt
def read_through_a_link() -> None:
    link = Path("link")
    link.symlink_to(OUTSIDE / "file")
    link.read_text()


@attempt
def hard_link_a_file_in() -> None:
    os.link(OUTSIDE / "file", "hard")


@attempt
def move_a_file_in() -> None:
    (OUTSIDE / "moved").rename("moved")


@attempt
def write_a_file() -> None:
    (OUTSIDE / "written").write_text("w")


@attempt
def overwrite_a_file() -> None:
    with (OUTSIDE / "overwritten").open("r+") as file:
        file.write("w")


@attempt
def truncate_a_file() -> None:
    os.truncate(OUTSIDE / "truncated", 0)


@attempt
def remove_a_file() -> None:
    (OUTSIDE / "removed").unlink()


@attempt
def make_a_folder() -> None:
    (OUTSIDE / "folder").mkdir()


@attempt
def run_a_program() -> None:
    subprocess.run([OUTSIDE / "program"], check=True)


@attempt
def read_the_environment() -> None:
    (PROC / "environ").read_bytes().index(b"TOKEN")


@attempt
def read_the_memory() -> None:
    (PROC / "mem").open("rb")


@attempt
def read_what_is_mapped() -> None:
    (PROC / "maps").read_bytes().index(b"python")


@attempt
def go_through_its_root() -> None:
    (PROC / "root" / str(OUTSIDE)[1:] / "file").read_text()


@attempt
def go_through_its_folder() -> None:
    (PROC / "cwd" / "file").read_text()


@attempt
def take_its_open_file() -> None:
    (PROC / "fd" / "9").read_text()


@attempt
def signal_it() -> None:
    os.kill(VICTIM, 0)


@attempt
def signal_its_group() -> None:
    os.killpg(VICTIM, 0)


@attempt
def signal_it_by_descriptor() -> None:
    import signal  # noqa: PLC0415 (only here, and only on Linux)

    signal.pidfd_send_signal(os.pidfd_open(VICTIM), 0)


@attempt
def trace_it() -> None:
    seize, detach = 0x4206, 17
    call(NUMBERS["ptrace"], seize, VICTIM, None, None)
    with contextlib.suppress(OSError):
        call(NUMBERS["ptrace"], detach, VICTIM, None, None)


@attempt
def limit_it() -> None:
    resource.prlimit(VICTIM, resource.RLIMIT_CORE, (0, 0))


@attempt
def limit_it_as_a_program_of_32_bits() -> None:
    """prlimit64 by the number that i386 has it by: int 0x80, with what it reads below 4 GiB."""
    if os.uname().machine != "x86_64":
        raise OSError("no machine code for this architecture")
    mapped = 0x20000000
    LIBC.mmap.restype = ctypes.c_void_p
    size, fixed = ctypes.c_size_t(4096), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x10
    if LIBC.mmap(ctypes.c_void_p(mapped), size, 7, fixed, -1, ctypes.c_long(0)) != mapped:
        raise OSError("no memory there")
    numbers = ((0xB8, 340), (0xBB, VICTIM), (0xB9, resource.RLIMIT_CORE), (0xBA, mapped), (0xBE, 0))
    moves = b"".join(struct.pack("<BI", *each) for each in numbers)
    code = b"\x53\x56" + moves + b"\xcd\x80\x5e\x5b\xc3"
    ctypes.memmove(mapped + 64, code, len(code))
    if ctypes.CFUNCTYPE(ctypes.c_int)(mapped + 64)() != 0:
        raise OSError("refused")


@attempt
def reach_an_abstract_socket() -> None:
    with socket.socket(socket.AF_UNIX) as there:
        there.connect("\0" + AIMS["abstract"])


@attempt
def make_a_device() -> None:
    os.mknod("disk", 0o60600, os.makedev(*AIMS["device"]))


@attempt
def read_a_device() -> None:
    os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)


@attempt
def list_shared_memory() -> None:
    list(Path("/dev/shm").iterdir())


@attempt
def run_from_shared_memory() -> None:
    place = Path("/dev/shm") / f"probe-{os.getpid()}"
    try:
        place.write_text("#!/bin/sh\n")
        place.chmod(0o700)
        subprocess.run([place], check=True)
    finally:
        place.unlink()


@attempt
def leave_for_a_namespace_of_mounts() -> None:
    if LIBC.unshare(0x00020000) < 0:
        raise OSError(ctypes.get_errno(), "unshare")


@attempt
def open_by_handle() -> None:
    handle = (ctypes.c_char * 136)()
    ctypes.c_uint.from_buffer(handle).value = 128
    mount = ctypes.c_int()
    path = str(OUTSIDE / "file").encode()
    call(NUMBERS["name"], -100, path, handle, ctypes.byref(mount), 0)
    folder = os.open("/usr", os.O_RDONLY)
    call(NUMBERS["open"], folder, handle, os.O_RDONLY)


@attempt
def read_a_keyring() -> None:
    describe, user_keyring = 6, -4
    call(NUMBERS["keyctl"], describe, user_keyring, None, 0)


@attempt
def set_up_a_ring() -> None:
    call(NUMBERS["uring"], 1, (ctypes.c_char * 120)())


@attempt
def gain_privileges() -> None:
    status = Path("/proc/self/status").read_text()
    if "NoNewPrivs:\t1" in status:
        raise PermissionError("no new privileges")


@attempt
def read_the_shadow_file() -> None:
    Path("/etc/shadow").read_text()


def main() -> None:
    ended = {}
    for name, do in ATTEMPTS.items():
        try:
            do()
            ended[name] = "reached"
        except (OSError, ValueError) as error:
            ended[name] = f"{type(error).__name__}: {error}"
    sys.stdout.write(json.dumps(ended))


main()
