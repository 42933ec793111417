"""The memory as files: it reads back as written, and anything else is an error that names it."""

import json
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.memory import Day, Entry, FailedLanding, Hints, Pause, Suspected
from mergequeue.documents.now import Batch, Now, Placed
from mergequeue.documents.provider import Pin
from mergequeue.memory.files import files_of, memory_of
from mergequeue.ports import NOTHING_REMEMBERED, Memory
from mergequeue.vocabulary.errors import BAD_STATE, QueueError
from mergequeue.vocabulary.ids import ChangeId, CommitId, RepoPath
from mergequeue.vocabulary.words import Method, Stage

HEAD = CommitId("a" * 40)
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
WHERE = "refs/mergequeue/state/main at 0123456789ab"
IDS = st.from_regex(r"[a-z0-9_][a-z0-9._-]{0,8}", fullmatch=True).map(ChangeId)
PINS = st.lists(IDS, min_size=1, max_size=3).map(
    lambda ids: tuple(Pin(id=id_, commit=HEAD) for id_ in ids)
)


def entry_of(id_: str) -> Entry:
    return Entry(id=ChangeId(id_), head=HEAD, first_queued_at=NOON, queued_at=NOON, head_at=NOON)


def now_of(ids: list[ChangeId]) -> Now:
    placed = [
        Placed(id=id_, head=HEAD, method=Method.SQUASH, stage=Stage.READY, since=NOON)
        for id_ in ids
    ]
    return Now(
        at=NOON,
        base_commit=HEAD,
        running=True,
        depth=2,
        lines=tuple((Batch(changes=(id_,), since=NOON),) for id_ in ids),
        changes=tuple(placed),
    )


MEMORIES = st.builds(
    Memory,
    st.none() | st.builds(Pause, reason=st.text(min_size=1), since=st.just(NOON)),
    st.builds(
        Hints,
        suspects=st.lists(
            st.builds(Suspected, base_commit=st.just(HEAD), changes=PINS), max_size=2
        ).map(tuple),
        landings=st.lists(
            st.builds(
                FailedLanding,
                tip=st.just(HEAD),
                changes=PINS,
                count=st.integers(1, 3),
                error=st.just("no"),
            ),
            max_size=2,
        ).map(tuple),
    ),
    st.lists(IDS, max_size=4).map(lambda ids: {id_: entry_of(id_) for id_ in ids}),
    st.none() | st.dates(date(2000, 1, 1)).map(lambda day: Day(day=day)),
    st.none() | st.lists(IDS, max_size=3, unique=True).map(now_of),
)


@given(MEMORIES)
def test_what_is_written_reads_back(memory: Memory) -> None:
    assert memory_of(files_of(memory), WHERE) == memory


def test_no_file_is_nothing_remembered() -> None:
    assert memory_of({}, WHERE) == NOTHING_REMEMBERED


ENTRY = b"queue/changes/x.json"
DAY = b"queue/days/2030-01-01.json"
GOOD = files_of(Memory(entries={ChangeId("x"): entry_of("x")}, today=Day(day=NOON.date())))


def changed(path: bytes, **news: object) -> dict[RepoPath, bytes]:
    record = json.loads(GOOD[RepoPath(path)]) | news
    return {**GOOD, RepoPath(path): json.dumps(record).encode()}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({**GOOD, RepoPath(ENTRY): None}, "changes/x.json"),
        ({**GOOD, RepoPath(ENTRY): b"{"}, "changes/x.json"),
        ({RepoPath(b"queue/changes/y.json"): GOOD[RepoPath(ENTRY)]}, "the entry of x"),
        ({RepoPath(b"queue/days/2030-01-02.json"): GOOD[RepoPath(DAY)]}, "2030-01-01"),
        ({**GOOD, RepoPath(b"queue/README"): b"hello"}, "README"),
        (changed(ENTRY, schema="mergequeue.entry/v2"), "mergequeue.entry/v2"),
        (changed(ENTRY, queued=1), "queued"),
    ],
)
def test_anything_else_is_an_error_that_names_the_file(
    files: dict[RepoPath, bytes | None], said: str
) -> None:
    with pytest.raises(QueueError, match=said) as caught:
        memory_of(files, WHERE)
    assert caught.value.code == BAD_STATE.code
