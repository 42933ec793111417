"""A job that ran the changes' code wrote the directory: no link, no pipe, no end of a file."""

import os
from pathlib import Path

import pytest

from mergequeue.documents.reading import write_document
from mergequeue.sources.directory import DirectorySource
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.ids import ChangeId
from tests.support.verdicts import ALL, verdict


def unreadable(folder: Path) -> str:
    poll = DirectorySource(folder).poll(ALL)
    assert poll.verdicts == ()
    return poll.unreadable[ChangeId("1")]


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "verdict.json").write_bytes(write_document(verdict("1")))
    return secret


@pytest.mark.usefixtures("sink")
def test_a_linked_directory_is_not_followed(folder: Path, secret: Path) -> None:
    (folder / "1").symlink_to(secret)
    assert "no directory" in unreadable(folder)


@pytest.mark.usefixtures("sink")
def test_a_linked_verdict_is_not_followed(folder: Path, secret: Path) -> None:
    (folder / "1").mkdir()
    (folder / "1" / "verdict.json").symlink_to(secret / "verdict.json")
    assert "cannot be opened" in unreadable(folder)


@pytest.mark.usefixtures("sink")
def test_a_pipe_in_place_of_a_verdict_hangs_nothing(folder: Path) -> None:
    (folder / "1").mkdir()
    os.mkfifo(folder / "1" / "verdict.json")
    assert "no regular file" in unreadable(folder)


@pytest.mark.usefixtures("sink")
def test_a_pipe_in_place_of_a_directory_hangs_nothing(folder: Path) -> None:
    os.mkfifo(folder / "1")
    assert "no directory" in unreadable(folder)


@pytest.mark.usefixtures("sink")
def test_a_device_in_place_of_a_verdict_is_not_read(folder: Path) -> None:
    (folder / "1").mkdir()
    (folder / "1" / "verdict.json").symlink_to("/dev/zero")
    assert "cannot be opened" in unreadable(folder)


@pytest.mark.usefixtures("sink")
def test_a_directory_in_place_of_a_verdict_is_none(folder: Path) -> None:
    (folder / "1" / "verdict.json").mkdir(parents=True)
    assert "no regular file" in unreadable(folder)


@pytest.mark.usefixtures("sink")
def test_a_directory_without_a_verdict_is_unreadable(folder: Path) -> None:
    (folder / "1").mkdir()
    assert "not there" in unreadable(folder)


@pytest.mark.usefixtures("sink")
def test_an_endless_verdict_is_read_no_further_than_the_limit(folder: Path) -> None:
    (folder / "1").mkdir()
    with (folder / "1" / "verdict.json").open("wb") as file:
        file.truncate(100 * 1024 * 1024 * 1024)
    assert str(limits.DOCUMENT_BYTES) in unreadable(folder)
