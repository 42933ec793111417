"""How a run starts, follows its source and ends (facts A1 to A7, A32, A33)."""

from pathlib import Path

import pytest

from mergequeue.apply.run import Settings
from mergequeue.documents.provider import Reproduction
from mergequeue.sources.directory import DirectorySink, DirectorySource
from mergequeue.vocabulary.errors import PROVIDER_FAILED, MergequeueError
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import EventKind, Mark, StatusState
from tests.support.applying import Queue, Source, open_queue
from tests.support.forge import Forge
from tests.support.graphs import commit_id
from tests.support.landings import edit, make_forge, pull, stack
from tests.support.repositories import Playground

WRITES = ("post_status", "retarget", "merge_change", "kick_back", "mark")


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


def writes(forge: Forge) -> list[str]:
    return [call for call in forge.calls if call.startswith(WRITES)]


def stopped_with(queue: Queue, **options: object) -> str:
    with pytest.raises(MergequeueError) as stopped:
        queue.apply(**options)
    return stopped.value.code


def test_a_status_pinned_to_another_app_stops_before_anything_is_written(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    forge.pinned_to = "99"
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        assert stopped_with(queue) == "MQ3019"
    assert writes(forge) == []


def test_a_success_that_an_earlier_run_left_is_set_back_whatever_it_targets(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"), approved_at=set())
    forge.open("9", edit(forge, "a/nine.txt", "nine\n"), base="release", queued=False)
    for id_ in ("1", "9"):
        forge.statuses[forge.head(id_)] = (StatusState.SUCCESS, "left over")
    with open_queue(forge) as queue:
        queue.plan()
        queue.apply()
    assert forge.list_green_now() == []
    assert [event.change for event in queue.heard.of(EventKind.NOTICE)] == ["1", "9"]
    assert writes(forge)[0].startswith("post_status")


def test_marks_are_set_before_the_first_verdict_is_read(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    forge.open("2", edit(forge, "a/other.txt", "new\n"), queued=False, mark=Mark.QUEUED)
    gone = forge.open("3", edit(forge, "a/third.txt", "new\n"), queued=False, mark=Mark.KICKED_BACK)
    gone.is_open = False
    with open_queue(forge) as queue:
        queue.plan()
        queue.source.complete = True
        queue.apply()
    assert [pull(forge, id_).mark for id_ in ("1", "2", "3")] == [Mark.QUEUED, Mark.NONE, Mark.NONE]


def test_a_change_that_came_after_the_plan_is_not_marked_yet(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan()
        forge.open("2", edit(forge, "a/other.txt", "new\n"))
        queue.apply()
    assert [pull(forge, id_).mark for id_ in ("1", "2")] == [Mark.QUEUED, Mark.NONE]


def test_a_change_that_an_earlier_run_kicked_back_is_left_as_it_is(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge(red={"1"})
        queue.apply()
        queue.source = queue.source.again()
        queue.apply()
    assert queue.codes() == {"1": "WAIT_WITHDRAWN"}
    assert len(forge.kicks) == 1
    assert pull(forge, "1").mark is Mark.KICKED_BACK
    assert forge.statuses[forge.head("1")][0] is StatusState.FAILURE


def test_a_mark_that_cannot_be_set_is_a_notice(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    forge.mark_failures = ("1: the label is too long",)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        assert queue.apply().failure is None
    assert queue.codes() == {"1": "merged"}
    assert "the label is too long" in queue.heard.of(EventKind.NOTICE)[0].reason


def test_each_change_ends_in_exactly_one_way(forge: Forge) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge(red={"2"})
        result = queue.apply()
    ended = [end.change for end in result.ended]
    assert sorted(ended) == ["1", "2", "3"]
    told = [
        event.change
        for event in queue.heard.happenings
        if event.kind in {EventKind.MERGED, EventKind.KICKED, EventKind.WAITING}
    ]
    assert sorted(str(change) for change in told) == ["1", "2", "3"]


def test_what_no_verdict_came_for_waits_when_the_source_is_complete(forge: Forge) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.apply()
    assert queue.codes() == {"1": "WAIT_BEHIND", "2": "WAIT_BELOW", "3": "WAIT_BELOW"}
    assert forge.statuses[forge.head("1")][1].startswith("waiting: it was not validated")


def test_apply_follows_its_source_until_it_is_complete(forge: Forge) -> None:
    for id_ in ("1", "2"):
        forge.open(id_, edit(forge, f"a/{id_}.txt", f"{id_}\n"))
    with open_queue(forge) as queue:
        queue.plan()
        first, second = queue.judge()
        source = queue.source
        source.verdicts, source.complete = [second], False

        def finish() -> None:
            source.complete = True

        queue.clock.while_asleep = [lambda: source.verdicts.append(first), finish]
        queue.apply(interval=3.0)
    assert queue.codes() == {"1": "merged", "2": "merged"}
    assert queue.clock.slept == [3.0, 3.0]


def test_the_shortest_pause_between_two_reads_is_ten_milliseconds(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan()
        source = queue.source
        source.complete = False

        def finish() -> None:
            source.complete = True

        queue.clock.while_asleep = [finish]
        queue.apply(interval=0.0)
    assert queue.clock.slept == [0.01]


def test_once_applies_what_is_there_and_lets_the_rest_wait(forge: Forge) -> None:
    for id_ in ("1", "2"):
        forge.open(id_, edit(forge, f"a/{id_}.txt", f"{id_}\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.source.verdicts, queue.source.complete = queue.judge()[:1], False
        queue.apply(once=True)
    assert queue.codes() == {"1": "merged", "2": "WAIT_BEHIND"}
    assert queue.clock.slept == []


def test_a_source_without_a_plan_is_awaited_and_refused_once_it_is_complete(forge: Forge) -> None:
    with open_queue(forge) as queue:
        source = queue.source
        source.complete = False

        def finish() -> None:
            source.complete = True

        queue.clock.while_asleep = [finish]
        assert stopped_with(queue) == "MQ3008"
        assert len(queue.clock.slept) == 1
        assert stopped_with(queue, once=True) == "MQ3008"


def test_a_run_told_to_stop_takes_no_further_change(forge: Forge) -> None:
    for id_ in ("1", "2"):
        forge.open(id_, edit(forge, f"a/{id_}.txt", f"{id_}\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        settings = Settings(base=BranchName("main"))
        result = queue.applier().run(settings, lambda: bool(forge.merge_requests))
    assert result.stopped
    assert [end.change for end in result.ended] == ["1"]
    assert forge.list_green_now() == []
    assert forge.pulls[ChangeId("2")].queued


def test_a_dry_run_says_what_would_happen_and_calls_nothing_on_the_provider(forge: Forge) -> None:
    stack(forge)
    forge.open("4", edit(forge, "b/four.txt", "4\n"))
    with open_queue(forge, units=("a", "b")) as queue:
        queue.plan()
        queue.judge(red={"3", "4"})
        forge.calls.clear()
        queue.apply(dry_run=True)
    assert forge.calls == []
    assert queue.codes() == {"1": "merged", "2": "merged", "3": "KICK_RED", "4": "KICK_RED"}
    said = [event.reason for event in queue.heard.happenings]
    assert {event.kind for event in queue.heard.happenings} == {EventKind.NOTICE}
    assert [reason.split(",")[0] for reason in said] == [
        "would merge",
        "would merge",
        "would be kicked back",
        "would be kicked back",
    ]


def test_an_error_in_one_partition_stops_that_one_alone_and_fails_the_run(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    forge.open("2", edit(forge, "b/new.txt", "new\n"))

    def fail() -> None:
        raise PROVIDER_FAILED("500")

    forge.before["approvals_at 1"] = [lambda: None, fail]
    with open_queue(forge, units=("a", "b")) as queue:
        queue.plan()
        queue.judge()
        result = queue.apply()
    assert queue.codes() == {"2": "merged"}
    assert result.failure is not None
    assert result.failure.code == "MQ3002"


def test_a_status_that_cannot_be_set_is_a_notice_and_takes_no_other_with_it(forge: Forge) -> None:
    def fail() -> None:
        raise PROVIDER_FAILED("422")

    for id_ in ("1", "2", "3"):
        forge.open(id_, edit(forge, f"a/{id_}.txt", "new\n"))
    forge.before["post_status 2 pending"] = [fail, fail]
    with open_queue(forge) as queue:
        queue.plan()
        assert queue.apply().failure is None
    told = queue.heard.happenings
    assert [(event.kind.value, event.change) for event in told] == [
        ("waiting", "1"),
        ("waiting", "2"),
        ("waiting", "3"),
        ("notice", "2"),
    ]
    assert "422" in told[-1].reason
    posted = [id_ for id_ in ("1", "2", "3") if forge.head(id_) in forge.statuses]
    assert posted == ["1", "3"]


def test_one_change_that_cannot_be_read_waits_with_the_reason_and_the_others_go_on(
    forge: Forge,
) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    forge.open("2", edit(forge, "b/new.txt", "new\n"))
    with open_queue(forge, units=("a", "b")) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "1").unreadable = "500 Internal Server Error"
        queue.apply()
    assert queue.codes() == {"1": "WAIT_NOT_APPROVED", "2": "merged"}
    assert "500 Internal Server Error" in queue.ended["1"].reason


def test_the_reproduction_is_applys_own_and_only_of_what_validation_decided(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/one.txt", "mine\n"))
    forge.playground.branch("main", edit(forge, "a/one.txt", "theirs\n"))
    forge.open("2", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge(red={"2"})
        queue.source.run = "owner/repo/runs/7"
        queue.apply(reproduce=Reproduction(gate="make check"))
    by_planning, by_validation = forge.kicks
    assert by_planning.reproduce is None
    assert by_validation.reproduce == Reproduction(gate="make check")
    assert by_validation.source == "owner/repo/runs/7"


def test_the_summary_tells_green_changes_that_did_not_merge(forge: Forge) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "1").approved_at = set()
        queue.apply()
    assert [(end.code, end.green) for end in queue.ended.values()] == [
        ("WAIT_NOT_APPROVED", True),
        ("WAIT_BELOW", True),
        ("WAIT_BELOW", True),
    ]


def test_a_directory_that_validation_fills_is_applied(forge: Forge, tmp_path: Path) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    forge.open("2", edit(forge, "a/other.txt", "other\n"))
    with open_queue(forge) as queue:
        plan = queue.plan()
        sink = DirectorySink(tmp_path / "verdicts")
        sink.begin(plan, whole=True)
        sink.write(queue.judge()[0])
        (tmp_path / "verdicts" / "2").mkdir()
        (tmp_path / "verdicts" / "2" / "verdict.json").write_text("{")
        sink.done()
        queue.source = DirectorySource(tmp_path / "verdicts")  # type: ignore[assignment]  # another source
        queue.apply()
    assert queue.codes() == {"1": "merged", "2": "WAIT_REVALIDATE"}


def test_another_machine_takes_up_where_one_stopped(forge: Forge) -> None:
    stack(forge)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        queue.applier().run(
            Settings(base=BranchName("main")), lambda: len(forge.merge_requests) == 1
        )
        source = queue.source.again()
    with open_queue(forge, machine="another") as queue:
        queue.source = source
        assert queue.apply().failure is None
    assert queue.codes() == {"1": "merged", "2": "merged", "3": "merged"}
    assert [request.change.id for request in forge.merge_requests] == ["1", "2", "3"]


def test_a_change_stacked_on_a_merged_one_lands_from_a_machine_that_saw_neither(
    forge: Forge,
) -> None:
    stack(forge)
    forge.merge_by_hand("1")
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        source = queue.source
    with open_queue(forge, machine="another") as queue:
        queue.source = source
        queue.apply()
    assert queue.codes() == {"2": "merged", "3": "merged"}


def test_a_head_that_is_gone_from_the_remote_waits_for_what_the_provider_says(forge: Forge) -> None:
    head = edit(forge, "a/new.txt", "new\n")
    forge.open("1", head)
    with open_queue(forge) as queue:
        plan = queue.plan()
        (change,) = plan.admitted
        lost = change.model_copy(update={"head": commit_id("a commit that nobody has")})
        queue.source.document = plan.model_copy(update={"partitions": ((lost,),)})
        queue.apply()
    assert queue.codes() == {"1": "WAIT_HEAD_MOVED"}
    assert head in forge.statuses


def test_a_source_read_again_from_its_start_gives_the_same(forge: Forge) -> None:
    forge.open("1", edit(forge, "a/new.txt", "new\n"))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        assert isinstance(queue.source, Source)
        queue.apply()
        assert queue.codes() == {"1": "merged"}
        queue.source = queue.source.again()
        tip = forge.playground.tip("main")
        queue.apply()
    assert queue.codes() == {"1": "merged"}
    assert forge.playground.tip("main") == tip
    assert len(forge.merge_requests) == 1
