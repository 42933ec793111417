"""Documents in files: a limit while reading, and nothing half-written (DESIGN, Errors)."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mergequeue.host.files import read_limited, write_whole
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import UNREADABLE, USAGE, UsageError

ROOT = Path(__file__).parents[2]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_whole(tmp_path / "plan.json", b"{}\n")
    assert read_limited(tmp_path / "plan.json", "the plan") == b"{}\n"
    assert list(tmp_path.iterdir()) == [tmp_path / "plan.json"]


def test_a_document_right_at_the_limit_is_read(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(limits.DOCUMENT_BYTES)
    assert len(read_limited(tmp_path / "large", "it")) == limits.DOCUMENT_BYTES


def test_a_document_of_100_mb_is_refused_with_the_rest_left_unread(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    written = 0

    def write() -> None:
        nonlocal written
        with path.open("wb", buffering=0) as pipe:
            try:
                for _ in range(100):
                    written += pipe.write(b" " * 1024 * 1024)
            except BrokenPipeError:
                return

    writer = threading.Thread(target=write)
    writer.start()
    with pytest.raises(UsageError) as refused:
        read_limited(path, "the plan")
    writer.join()
    assert refused.value.code == UNREADABLE.code
    assert "the plan has more than" in refused.value.problem
    assert written < limits.DOCUMENT_BYTES + 3 * 1024 * 1024


@pytest.mark.parametrize(("size", "status"), [(0, 0), (100_000, 0), (limits.DOCUMENT_BYTES + 1, 2)])
def test_standard_input_is_read_with_the_same_limit(tmp_path: Path, size: int, status: int) -> None:
    script = (
        "import sys\n"
        "from mergequeue.host.files import read_limited\n"
        "from mergequeue.vocabulary.errors import UsageError\n"
        "try: print(len(read_limited(None, 'stdin')))\n"
        "except UsageError as error: sys.exit(error.exit_status)\n"
    )
    with (tmp_path / "in").open("w+b") as given:
        given.truncate(size)
        ended = subprocess.run(
            [sys.executable, "-c", script],
            stdin=given,
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
    assert ended.returncode == status
    assert ended.stdout == (b"%d\n" % size if status == 0 else b"")


@pytest.mark.parametrize("name", ["missing", ".", "a/b"])
def test_what_cannot_be_read_is_one_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_limited(tmp_path / name, "the plan")
    assert refused.value.code == UNREADABLE.code


def test_an_older_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with path.open("rb") as reader:
        write_whole(path, b"new")
        assert reader.read() == b"old"
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed_and_kept(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "target").read_bytes() == b"new"
    assert (tmp_path / "link").is_symlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a link away")
def test_a_link_of_another_users_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"ours")
    (tmp_path / "link").symlink_to("target")
    os.chown(tmp_path / "link", 65534, 65534, follow_symlinks=False)
    with pytest.raises(UsageError, match="link of another user") as error:
        write_whole(tmp_path / "link", b"new")
    assert error.value.code == USAGE.code
    assert (tmp_path / "target").read_bytes() == b"ours"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    write_whole(path, b"through")
    reader.join()
    assert read == [b"through"]
    assert path.is_fifo()


@pytest.mark.parametrize("name", ["missing/plan.json", "."])
def test_what_cannot_be_written_is_one_error_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        write_whole(tmp_path / name, b"x")
    assert refused.value.code == USAGE.code
    assert list(tmp_path.iterdir()) == []
