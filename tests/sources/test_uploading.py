"""Verdicts as artifacts of a run: each the moment it is written, under a name of its attempt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mergequeue.documents.reading import write_document
from mergequeue.ports import VerdictSink
from mergequeue.sources.directory import DirectorySink, DirectorySource
from mergequeue.sources.uploading import UploadingSink
from mergequeue.vocabulary.errors import UPLOAD_FAILED, MergequeueError
from tests.support.verdicts import ALL, plan, verdict


@dataclass
class Uploads:
    """Keeps what is uploaded, or refuses it."""

    takes: bool = True
    kept: dict[str, Mapping[str, bytes]] = field(default_factory=dict)

    def upload(self, name: str, files: Mapping[str, bytes]) -> None:
        if not self.takes:
            raise UPLOAD_FAILED(name)
        assert name not in self.kept
        self.kept[name] = files


def sink_of(folder: Path, uploads: Uploads, attempt: int = 1) -> UploadingSink:
    sink = UploadingSink(DirectorySink(folder), uploads, attempt)
    port: VerdictSink = sink
    port.begin(plan(), whole=False)
    return sink


def test_each_is_an_artifact_the_moment_it_is_written_with_its_bundle(folder: Path) -> None:
    uploads = Uploads()
    sink = sink_of(folder, uploads)
    sink.write(verdict("1"))
    assert uploads.kept == {"mergequeue-verdict-1": {"verdict.json": write_document(verdict("1"))}}
    sink.write(verdict("2"), b"bundle")
    assert uploads.kept["mergequeue-verdict-2"]["candidate.bundle"] == b"bundle"
    assert DirectorySource(folder).poll(ALL).verdicts == (verdict("1"), verdict("2"))


def test_a_run_again_gives_no_name_a_second_time(tmp_path: Path) -> None:
    uploads = Uploads()
    for attempt in (1, 2, 3):
        (tmp_path / str(attempt)).mkdir()
        sink_of(tmp_path / str(attempt), uploads, attempt).write(verdict("1"))
    assert list(uploads.kept) == [
        "mergequeue-verdict-1",
        "mergequeue-verdict-1@2",
        "mergequeue-verdict-1@3",
    ]


def test_one_that_is_not_taken_is_an_error_and_still_lies_in_the_folder(folder: Path) -> None:
    sink = sink_of(folder, Uploads(takes=False))
    with pytest.raises(MergequeueError) as caught:
        sink.write(verdict("1"))
    assert caught.value.code == UPLOAD_FAILED.code
    assert DirectorySource(folder).poll(ALL).verdicts == (verdict("1"),)
