"""Whom the jobs of a validation suspect, on the way to apply: the last word of each, and a hint."""

import os
from pathlib import Path

import pytest

from mergequeue.documents.provider import Pin
from mergequeue.documents.reading import write_document
from mergequeue.documents.suspects import Suspicion
from mergequeue.sources.directory import DirectorySink, DirectorySource
from mergequeue.sources.uploading import UploadingSink
from mergequeue.vocabulary.errors import UPLOAD_FAILED, MergequeueError
from mergequeue.vocabulary.ids import ChangeId, CommitId
from tests.fakes.github.runrecords import Run
from tests.fakes.github.runverbs import rerun, start_run, upload
from tests.fakes.github.story import GitHub
from tests.sources.test_uploading import Uploads
from tests.support.documents import A, B
from tests.support.runs import asked_for, follow, upload_plan
from tests.support.verdicts import ALL, plan, verdict


def suspicion(job: str, *suspects: str) -> Suspicion:
    pins = tuple(Pin(id=ChangeId(one), commit=CommitId(B)) for one in suspects)
    return Suspicion(base_commit=CommitId(A), job=ChangeId(job), changes=pins)


# --- in a directory ------------------------------------------------------------------------------


def test_what_a_job_says_is_given_once_and_again_once_it_says_something_else(
    sink: DirectorySink, folder: Path
) -> None:
    source = DirectorySource(folder)
    sink.suspect(suspicion("4", "3", "4"))
    sink.suspect(suspicion("8", "8"))
    assert source.poll(ALL).suspicions == (suspicion("4", "3", "4"), suspicion("8", "8"))
    assert source.poll(ALL).suspicions == ()
    sink.suspect(suspicion("4"))
    sink.write(verdict("4"))
    poll = source.poll(ALL)
    assert (poll.suspicions, poll.verdicts) == ((suspicion("4"),), (verdict("4"),))
    assert poll.strange == ()


def test_without_a_plan_or_of_a_job_that_it_does_not_hold_nothing_is_read(
    sink: DirectorySink, folder: Path
) -> None:
    sink.suspect(suspicion("4", "4"))
    assert DirectorySource(folder).poll(None).suspicions == ()
    assert DirectorySource(folder).poll({ChangeId("1")}).suspicions == ()


@pytest.mark.parametrize("content", [b"{}", b"no JSON", write_document(suspicion("5", "4"))])
def test_one_that_does_not_read_is_told_of_once_and_holds_nobody_back(
    sink: DirectorySink, folder: Path, content: bytes
) -> None:
    (folder / "suspects@4.json").write_bytes(content)
    sink.write(verdict("4"))
    source = DirectorySource(folder)
    first, second = source.poll(ALL), source.poll(ALL)
    assert (first.suspicions, first.unreadable) == ((), {})
    assert first.verdicts == (verdict("4"),)
    assert (len(first.strange), second.strange) == (1, ())


@pytest.mark.usefixtures("sink")
def test_a_link_or_a_pipe_in_its_place_is_not_followed_and_hangs_nothing(
    folder: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(write_document(suspicion("4", "4")))
    (folder / "suspects@4.json").symlink_to(elsewhere)
    os.mkfifo(folder / "suspects@5.json")
    poll = DirectorySource(folder).poll(ALL)
    assert poll.suspicions == ()
    for number in (4, 5):
        assert any(f"suspects@{number}.json" in strange for strange in poll.strange)


# --- as artifacts of a run -----------------------------------------------------------------------


def test_each_word_of_a_job_is_an_artifact_of_its_own(folder: Path) -> None:
    uploads = Uploads()
    sink = UploadingSink(DirectorySink(folder), uploads, 2)
    sink.begin(plan(), whole=False)
    sink.suspect(suspicion("4", "3", "4"))
    sink.suspect(suspicion("4"))
    sink.suspect(suspicion("8", "8"))
    assert list(uploads.kept) == [
        "mergequeue-suspects-4@2.1",
        "mergequeue-suspects-4@2.2",
        "mergequeue-suspects-8@2.1",
    ]
    assert uploads.kept["mergequeue-suspects-4@2.2"] == {
        "suspects.json": write_document(suspicion("4"))
    }


def test_one_that_cannot_be_uploaded_is_an_error_and_still_lies_in_the_folder(
    folder: Path,
) -> None:
    sink = UploadingSink(DirectorySink(folder), Uploads(takes=False), 1)
    sink.begin(plan(), whole=False)
    with pytest.raises(MergequeueError) as caught:
        sink.suspect(suspicion("4", "4"))
    assert caught.value.code == UPLOAD_FAILED.code
    assert DirectorySource(folder).poll(ALL).suspicions == (suspicion("4", "4"),)


def upload_suspects(github: GitHub, run: Run, number: int, said: Suspicion) -> None:
    name = f"mergequeue-suspects-{said.job}@{run.attempt}.{number}"
    upload(github, run, name, {"suspects.json": write_document(said).decode()})


def test_of_a_run_the_last_word_of_each_job_counts_and_is_fetched_once(
    github: GitHub, tmp_path: Path
) -> None:
    run = start_run(github)
    upload_plan(github, run, plan())
    source = follow(github, run, tmp_path / "run").source
    source.plan()
    fetched = len(asked_for(github, "blob"))
    for number, suspects in enumerate(("1234", "12"), start=1):
        upload_suspects(github, run, number, suspicion("4", *suspects))
    assert source.poll(ALL).suspicions == (suspicion("4", "1", "2"),)
    assert source.poll(ALL).suspicions == ()
    upload_suspects(github, run, 3, suspicion("4"))
    assert source.poll(ALL).suspicions == (suspicion("4"),)
    assert len(asked_for(github, "blob")) == fetched + 2
    rerun(github, None, run, only_failed=True)
    upload_suspects(github, run, 1, suspicion("4", "4"))
    assert source.poll(ALL).suspicions == (suspicion("4", "4"),)


@pytest.mark.parametrize("order", [(1, 2, 10), (10, 2, 1)])
def test_which_word_is_the_last_its_number_says_and_not_its_place_in_the_listing(
    github: GitHub, tmp_path: Path, order: tuple[int, ...]
) -> None:
    run = start_run(github)
    upload_plan(github, run, plan())
    for number in order:
        upload_suspects(github, run, number, suspicion("4", str(number)))
    source = follow(github, run, tmp_path / "run").source
    source.plan()
    assert source.poll(ALL).suspicions == (suspicion("4", "10"),)


def test_an_artifact_that_is_not_what_it_should_be_is_told_of_and_holds_nobody_back(
    github: GitHub, tmp_path: Path
) -> None:
    run = start_run(github)
    upload_plan(github, run, plan())
    upload(github, run, "mergequeue-suspects-4@1.1", b"no zip")
    upload(github, run, "mergequeue-suspects-5@1.1", {"other.json": "{}"})
    source = follow(github, run, tmp_path / "run").source
    source.plan()
    poll = source.poll(ALL)
    assert (poll.suspicions, poll.unreadable, len(poll.strange)) == ((), {}, 2)
