"""An artifact's archive: every limit, and nothing that is not a regular file (facts F5)."""

import io
import stat
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.sources import archives
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import UNREADABLE, MergequeueError
from tests.fakes.github.runverbs import zipped


def refused(raw: bytes) -> str:
    with pytest.raises(MergequeueError) as caught:
        archives.files_of(raw, "artifact x")
    assert caught.value.code == UNREADABLE.code
    assert caught.value.problem.startswith("artifact x ")
    return caught.value.problem


def with_entry(name: str, mode: int = 0, content: bytes = b"x") -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = mode << 16
        archive.writestr(entry, content)
        archive.writestr("verdict.json", b"{}")
    return held.getvalue()


def test_the_files_come_out_as_they_were_put_in() -> None:
    files = {"verdict.json": b"{}", "candidate.bundle": bytes(range(256)) * 9, "log/a": b""}
    assert archives.files_of(zipped(files), "artifact x") == files


@pytest.mark.parametrize("mode", [0, stat.S_IFREG | 0o644, stat.S_IFREG | 0o755, 0o644])
def test_a_regular_file_may_carry_any_permission(mode: int) -> None:
    assert "a" in archives.files_of(with_entry("a", mode), "artifact x")


@pytest.mark.parametrize(
    "mode",
    [
        stat.S_IFLNK | 0o777,
        stat.S_IFDIR | 0o755,
        stat.S_IFIFO | 0o644,
        stat.S_IFCHR | 0o644,
        stat.S_IFBLK | 0o644,
        stat.S_IFSOCK | 0o644,
    ],
)
def test_anything_but_a_regular_file_is_refused(mode: int) -> None:
    assert "no regular file" in refused(with_entry("a", mode, b"/etc/passwd"))


@pytest.mark.parametrize(
    "name",
    ["../a", "/a", "a/../../b", "a/..", "..", "./a", "a//b", "a\\b", "C:a", "//x/y", "a/./b"],
)
def test_a_path_that_leads_out_of_the_artifact_is_refused(name: str) -> None:
    assert "does not name a place in it" in refused(with_entry(name))


def test_a_folder_is_no_file() -> None:
    assert "no regular file" in refused(with_entry("a/"))


def test_a_name_that_is_cut_by_a_nul_is_refused() -> None:
    raw = with_entry("verdict.jsoX").replace(b"verdict.jsoX", b"verdict\0jsoX")
    refused(raw)


def test_a_name_that_stands_twice_is_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        raw = with_entry("verdict.json")
    assert "twice" in refused(raw)


@pytest.mark.parametrize("count", [limits.ARTIFACT_ENTRIES + 1, 5000])
def test_more_files_than_the_limit_are_refused(count: int) -> None:
    raw = zipped({f"f{number}": b"" for number in range(count)})
    assert f"more than {limits.ARTIFACT_ENTRIES} files" in refused(raw)


def test_as_many_files_as_the_limit_are_taken() -> None:
    raw = zipped({f"f{number}": b"" for number in range(limits.ARTIFACT_ENTRIES)})
    assert len(archives.files_of(raw, "artifact x")) == limits.ARTIFACT_ENTRIES


def test_more_bytes_than_the_limit_are_never_unpacked() -> None:
    half = bytes(limits.UNPACKED_BYTES // 2)
    assert len(archives.files_of(zipped({"a": half, "b": half}), "artifact x")) == 2
    bomb = zipped({"a": half, "b": half, "c": b"x"})
    assert len(bomb) < 200_000
    assert f"more than {limits.UNPACKED_BYTES} bytes" in refused(bomb)


def test_a_size_that_lies_is_not_believed() -> None:
    raw = bytearray(zipped({"a": bytes(1000)}))
    place = raw.index(b"PK\x01\x02")
    raw[place + 24 : place + 28] = struct.pack("<I", 10)
    refused(bytes(raw))


def test_bytes_that_were_changed_on_the_way_are_refused() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("verdict.json", b"the verdict")
    refused(held.getvalue().replace(b"the verdict", b"the Verdict"))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_packing_that_no_upload_uses_is_refused(method: int) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        archive.writestr("a", b"x" * 100)
    assert "packed in a way" in refused(held.getvalue())


def test_an_encrypted_entry_is_refused() -> None:
    raw = bytearray(zipped({"a": b"x"}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(mark) + offset] |= 1
    refused(bytes(raw))


@given(st.binary(max_size=300), st.integers(0, 400), st.binary(max_size=40))
def test_whatever_the_bytes_are_they_are_files_or_unreadable(
    noise: bytes, place: int, patch: bytes
) -> None:
    whole = zipped({"verdict.json": noise, "b": b"y"})
    raw = whole[:place] + patch + whole[place + len(patch) :]
    for given_bytes in (noise, raw):
        assert outcome_of(given_bytes) in {"files", UNREADABLE.code}


def outcome_of(raw: bytes) -> str:
    try:
        archives.files_of(raw, "artifact x")
    except MergequeueError as error:
        return error.code
    return "files"
