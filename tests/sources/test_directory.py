"""A directory of verdicts: written whole, and read once."""

import os
import threading
from pathlib import Path

import pytest

from mergequeue.documents.reading import write_document
from mergequeue.documents.verdict import Verdict
from mergequeue.ports import VerdictSink, VerdictSource
from mergequeue.sources.directory import DirectorySink, DirectorySource
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import (
    OTHER_PLAN,
    UNREADABLE,
    MergequeueError,
    UsageError,
)
from mergequeue.vocabulary.ids import ChangeId
from tests.support.verdicts import ALL, names, plan, plant, verdict


def test_both_ends_are_the_ports_that_steps_are_handed(folder: Path) -> None:
    sink: VerdictSink = DirectorySink(folder)
    source: VerdictSource = DirectorySource(folder)
    sink.begin(plan(), whole=True)
    assert source.plan() == plan()
    assert source.name() == ""


# --- the plan --------------------------------------------------------------------------------


def test_the_plan_is_there_before_any_verdict(folder: Path) -> None:
    DirectorySink(folder).begin(plan(), whole=True)
    assert names(folder) == ["plan.json"]
    assert DirectorySource(folder).plan() == plan()


def test_a_whole_run_takes_back_that_an_earlier_one_was_done_and_a_job_of_several_does_not(
    sink: DirectorySink, folder: Path
) -> None:
    sink.done()
    DirectorySink(folder).begin(plan(), whole=False)
    assert DirectorySource(folder).poll(ALL).complete
    DirectorySink(folder).begin(plan(), whole=True)
    assert not DirectorySource(folder).poll(ALL).complete


def test_the_same_plan_again_is_fine_and_keeps_the_verdicts(
    sink: DirectorySink, folder: Path
) -> None:
    sink.write(verdict("1"))
    DirectorySink(folder).begin(plan(), whole=True)
    assert DirectorySource(folder).poll(ALL).verdicts == (verdict("1"),)


@pytest.mark.usefixtures("sink")
def test_another_plan_is_refused_and_changes_nothing(folder: Path) -> None:
    with pytest.raises(UsageError) as refused:
        DirectorySink(folder).begin(plan(depth=2), whole=True)
    assert refused.value.code == OTHER_PLAN.code
    assert DirectorySource(folder).plan() == plan()
    assert names(folder) == ["plan.json"]


def test_a_plan_that_cannot_be_read_is_another_plan(folder: Path) -> None:
    folder.mkdir()
    (folder / "plan.json").write_bytes(b"{")
    with pytest.raises(UsageError) as refused:
        DirectorySink(folder).begin(plan(), whole=True)
    assert refused.value.code == OTHER_PLAN.code


def test_of_many_that_write_plans_at_once_one_wins_and_none_mixes(folder: Path) -> None:
    refused: list[int] = []

    def begin(depth: int) -> None:
        try:
            DirectorySink(folder).begin(plan(depth), whole=True)
        except MergequeueError:
            refused.append(depth)

    threads = [threading.Thread(target=begin, args=(1 + number % 2,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    won = DirectorySource(folder).plan()
    assert won is not None
    assert sorted(refused) == [3 - won.depth] * 8
    assert names(folder) == ["plan.json"]


def test_a_directory_without_a_plan_yet_has_none(folder: Path) -> None:
    folder.mkdir()
    assert DirectorySource(folder).plan() is None


def test_a_plan_that_is_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    folder.mkdir()
    (tmp_path / "other.json").write_bytes(write_document(plan()))
    (folder / "plan.json").symlink_to(tmp_path / "other.json")
    with pytest.raises(UsageError) as refused:
        DirectorySource(folder).plan()
    assert refused.value.code == UNREADABLE.code


# --- verdicts --------------------------------------------------------------------------------


def test_each_verdict_is_given_once(sink: DirectorySink, folder: Path) -> None:
    source = DirectorySource(folder)
    assert source.poll(ALL).verdicts == ()
    sink.write(verdict("2"))
    sink.write(verdict("1"))
    assert source.poll(ALL).verdicts == (verdict("1"), verdict("2"))
    sink.write(verdict("10"))
    assert source.poll(ALL).verdicts == (verdict("10"),)
    assert source.poll(ALL).verdicts == ()


def test_a_verdict_takes_the_place_of_an_older_one(sink: DirectorySink, folder: Path) -> None:
    sink.write(verdict("1", "old"))
    (folder / "1" / "left.txt").write_text("of the old one")
    sink.write(verdict("1", "new"))
    assert DirectorySource(folder).poll(ALL).verdicts == (verdict("1", "new"),)
    assert names(folder / "1") == ["verdict.json"]
    assert names(folder) == ["1", "plan.json"]


def test_a_link_where_a_verdict_goes_is_replaced_and_not_followed(
    sink: DirectorySink, folder: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / "1").symlink_to(elsewhere)
    sink.write(verdict("1"))
    assert names(elsewhere) == []
    assert DirectorySource(folder).poll(ALL).verdicts == (verdict("1"),)


def test_a_reader_never_sees_a_part_of_a_verdict_while_it_is_replaced(
    sink: DirectorySink, folder: Path
) -> None:
    stop = threading.Event()

    def rewrite() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            sink.write(verdict("1", f"number {number}" + "x" * 10_000))

    writer = threading.Thread(target=rewrite)
    writer.start()
    try:
        for _ in range(300):
            assert DirectorySource(folder).poll(ALL).unreadable == {}
    finally:
        stop.set()
        writer.join()


@pytest.mark.usefixtures("sink")
def test_two_that_write_the_same_verdict_leave_one(folder: Path) -> None:
    def write(name: str) -> None:
        for _ in range(20):
            DirectorySink(folder).write(verdict("1", name))

    threads = [threading.Thread(target=write, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert DirectorySource(folder).poll(ALL).verdicts[0].reason in {"one", "two"}
    assert names(folder) == ["1", "plan.json"]


def test_done_is_seen_and_an_earlier_poll_was_not_complete(
    sink: DirectorySink, folder: Path
) -> None:
    source = DirectorySource(folder)
    sink.write(verdict("1"))
    assert source.poll(ALL).complete is False
    sink.done()
    assert source.poll(ALL).complete is True


def test_a_verdict_written_before_done_is_in_the_complete_poll(
    sink: DirectorySink, folder: Path
) -> None:
    for number in range(20):
        sink.write(verdict(str(number)))
    source = DirectorySource(folder)

    def finish() -> None:
        sink.write(verdict("last"))
        sink.done()

    finisher = threading.Thread(target=finish)
    finisher.start()
    found: list[Verdict] = []
    complete = False
    while not complete:
        poll = source.poll(ALL)
        found += poll.verdicts
        complete = poll.complete
    finisher.join()
    assert len(found) == 21


@pytest.mark.usefixtures("sink")
def test_hidden_entries_and_plain_files_are_no_verdicts(folder: Path) -> None:
    plant(folder, ".hidden", write_document(verdict("1")))
    (folder / "notes.txt").write_text("x")
    poll = DirectorySource(folder).poll(ALL)
    assert (poll.verdicts, poll.unreadable, poll.strange) == ((), {}, ())


@pytest.mark.usefixtures("sink")
def test_a_directory_that_no_change_can_have_is_told_once(folder: Path) -> None:
    plant(folder, "-x", write_document(verdict("1")))
    plant(folder, "a\nb", write_document(verdict("1")))
    (folder / os.fsdecode(b"\xff")).mkdir()
    source = DirectorySource(folder)
    poll = source.poll(ALL)
    assert poll.verdicts == ()
    assert len(poll.strange) == 3
    assert all(text.isprintable() for text in poll.strange)
    assert source.poll(ALL).strange == ()


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"[]", "object"),
        (b'{"schema": "mergequeue.verdict/v2"}', "schema"),
        (b'{"schema": "mergequeue.verdict/v1"}', "base_commit"),
        (write_document(verdict("2")), "verdict of 2"),
        (write_document(plan()), "schema"),
        (write_document(verdict("1")).replace(b'"reason"', b'"code": null, "reason"'), "twice"),
        (write_document(verdict("1")).replace(b"b" * 40, b"b" * 12), "commit id"),
    ],
)
def test_a_verdict_that_does_not_read_holds_its_own_change_alone(
    sink: DirectorySink, folder: Path, raw: bytes, problem: str
) -> None:
    plant(folder, "1", raw)
    sink.write(verdict("3"))
    source = DirectorySource(folder)
    poll = source.poll(ALL)
    assert poll.verdicts == (verdict("3"),)
    assert list(poll.unreadable) == ["1"]
    assert problem in poll.unreadable[ChangeId("1")]
    assert source.poll(ALL).unreadable == {}


def test_a_verdict_is_checked_when_it_is_written(sink: DirectorySink, folder: Path) -> None:
    wrong = verdict("1").model_copy(update={"code": Code.KICK_RED})
    with pytest.raises(ValueError, match="WAIT_"):
        sink.write(wrong)
    assert names(folder) == ["plan.json"]
