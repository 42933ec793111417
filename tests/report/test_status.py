"""What `status` tells of a queue."""

from dataclasses import replace
from typing import Any

import pytest

from mergequeue.documents.changes import MergedChange
from mergequeue.documents.provider import KickBack, Reproduction, StatusPost
from mergequeue.report.status import QueueRow, change_lines, merged_lines, queue_lines, state_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import STATUS_CONTEXT, Method, StatusState
from tests.support.graphs import commit_id
from tests.support.listings import queued

HEAD, OLD = commit_id("a"), commit_id("old")
TAKEN_IN = "a run has taken it in; none has decided it yet"
ROW = QueueRow(ChangeId("fix"), "mq/squash/fix", Method.SQUASH, HEAD, place=3)
KICK = KickBack(
    change=queued("fix", "a").model_copy(update={"affected": ("parser", "web")}),
    commit=HEAD,
    code=Code.KICK_RED,
    report="The gate is red with it.\n\nMend it.\n",
    claim="exit status 2 \x1b[2J",
    reproduce=Reproduction(gate="make check"),
)


def post(state: StatusState, said: str = "", commit: CommitId = HEAD) -> StatusPost:
    return StatusPost(
        change=ChangeId("fix"),
        commit=commit,
        context=STATUS_CONTEXT,
        state=state,
        description=said,
    )


STATES = {
    "never seen": ({"place": None}, "new: no run has seen it yet; the next one queues it"),
    "refused": ({"refused": "two branches"}, "refused: two branches"),
    "taken in": ({}, f"queued: {TAKEN_IN}"),
    "waiting": (
        {"status": post(StatusState.PENDING, "waiting: for b; until then")},
        "waits: for b; until then",
    ),
    "pushed since": (
        {"status": post(StatusState.PENDING, "waiting: x", OLD)},
        f"queued: pushed since {OLD[:12]} was looked at; the next run takes it",
    ),
    "at its merge": (
        {"status": post(StatusState.SUCCESS, "merging")},
        "merging: a run is merging it now, or was stopped there; the next one goes on",
    ),
    "queued again": (
        {"status": post(StatusState.FAILURE, "kicked back")},
        "queued: queued again as it stands; the next run takes it",
    ),
    "kicked back": (
        {"kick": KICK, "place": None, "refused": "also"},
        "kicked back: KICK_RED: The gate is red with it. Its verdict says: exit status 2 \\x1b[2J",
    ),
}


@pytest.mark.parametrize(("fields", "said"), STATES.values(), ids=STATES)
def test_every_state_says_why_and_what_comes_next(fields: dict[str, Any], said: str) -> None:
    row = replace(ROW, **fields)
    assert ": ".join(state_of(row)) == said


def test_the_queue_is_a_table_with_the_newest_merges_and_what_queues_nothing_beneath() -> None:
    merges = [
        MergedChange(
            id=ChangeId(f"m{n}"), head=HEAD, commit=commit_id(f"m{n}"), method=Method.MERGE
        )
        for n in range(7)
    ]
    lines = queue_lines([ROW], merges, ["mq/sqash/x"], None)
    assert lines[:2] == [
        "place  change  method  head          state   why",
        f"3      fix     squash  {HEAD[:12]}  queued  {TAKEN_IN}",
    ]
    assert lines[3] == f"merged  m6  {HEAD[:12]} as {commit_id('m6')[:12]}"
    assert len([line for line in lines if line.startswith("merged")]) == 5
    assert lines[-1] == (
        "queues nothing, since it names no merge method: `mq/sqash/x` "
        "(push to mq/merge/<name>, mq/squash/<name>, mq/rebase/<name>)"
    )


def test_an_empty_queue_says_so() -> None:
    assert queue_lines([], [], [], 80) == ["nothing is queued"]


def test_one_change_is_told_whole_with_the_report_its_author_reads() -> None:
    row = replace(ROW, kick=KICK, place=None)
    lines = change_lines(row, None)
    assert f"head    {HEAD}" in lines
    assert "place   none: it is out of the queue" in lines
    start = lines.index("The gate is red with it.")
    assert lines[start : start + 3] == ["The gate is red with it.", "", "Mend it."]
    assert 'Its verdict says: `"exit status 2 \\x1b[2J"`' in lines
    assert lines[-1] == "The gate was `make check`, with the units behind it: parser web"


def test_a_change_that_waits_has_no_report() -> None:
    assert change_lines(ROW, None)[-1].startswith("state   queued: ")


def test_a_merged_change_says_what_it_became() -> None:
    merge = MergedChange(
        id=ChangeId("m"), head=HEAD, commit=commit_id("landed"), method=Method.SQUASH
    )
    assert merged_lines(merge, None)[-1] == f"state   merged, as {commit_id('landed')}"
