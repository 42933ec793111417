"""The records as files: they read back as written, and anything else is an error that names it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.changes import Change, MergedChange
from mergequeue.documents.provider import KickBack
from mergequeue.documents.state import ChangeState
from mergequeue.plaingit.intents import Intent, intents_of
from mergequeue.plaingit.state import State, files_of, kick_stands, queue_order, state_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import BAD_STATE, QueueError
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RefName, RepoPath
from mergequeue.vocabulary.words import Mark, Method

HEAD = CommitId("a" * 40)
OTHER = CommitId("b" * 40)
WHERE = "refs/mergequeue/state/main at 0123456789ab"


def kick_of(id_: str, head: CommitId = HEAD, method: Method = Method.SQUASH) -> KickBack:
    change = Change(id=ChangeId(id_), head=head, base=BranchName("main"), method=method)
    return KickBack(change=change, commit=head, code=Code.KICK_RED, report="It is red.")


def intent_of(name: str, head: CommitId = HEAD, method: str = "squash") -> Intent:
    [intent] = intents_of({RefName(f"refs/heads/mq/{method}/{name}"): head})
    return intent


def state(*records: ChangeState) -> State:
    return State({record.id: record for record in records})


IDS = st.from_regex(r"[a-z0-9_][a-z0-9._-]{0,8}", fullmatch=True).map(ChangeId)
RECORDS = st.builds(
    lambda id_, place, mark, kicked: ChangeState(
        id=id_, place=None if kicked else place, mark=mark, kick=kick_of(id_) if kicked else None
    ),
    IDS,
    st.none() | st.integers(1, 99),
    st.sampled_from(Mark),
    st.booleans(),
)


@given(st.lists(RECORDS, max_size=6))
def test_what_is_written_reads_back(records: list[ChangeState]) -> None:
    merged = (MergedChange(id=ChangeId("m"), head=HEAD, commit=OTHER, method=Method.SQUASH),)
    whole = State({record.id: record for record in records}, merged)
    assert state_of(files_of(whole), WHERE) == whole


def test_a_tree_without_files_is_an_empty_state() -> None:
    assert state_of({}, WHERE) == State()


def changed(path: bytes, **news: object) -> dict[RepoPath, bytes]:
    files = files_of(state(ChangeState(id=ChangeId("x"), place=1, mark=Mark.QUEUED)))
    record = json.loads(files[RepoPath(path)]) | news
    return {**files, RepoPath(path): json.dumps(record).encode()}


X = b"changes/x.json"
GOOD = files_of(state(ChangeState(id=ChangeId("x"))))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({**GOOD, RepoPath(X): None}, "changes/x.json"),
        ({**GOOD, RepoPath(X): b"{"}, "changes/x.json"),
        ({**GOOD, RepoPath(X): b'{"id": "x", "id": "x"}'}, "changes/x.json"),
        ({**GOOD, RepoPath(b"changes/y.json"): GOOD[RepoPath(X)]}, "records of x"),
        ({**GOOD, RepoPath(b"README"): b"hello"}, "README"),
        ({**GOOD, RepoPath(b"changes/\xff"): b""}, "\\xff"),
        (changed(X, schema="mergequeue.state/v2"), "mergequeue.state/v2"),
        (changed(X, place=0), "$.place"),
        (changed(X, place="1"), "$.place"),
        (changed(X, surprise=1), "$.surprise"),
        (changed(X, id="../x"), "$.id"),
        (changed(X, mark="green"), "$.mark"),
        (changed(X, kick=json.loads(kick_of("x").model_dump_json(by_alias=True))), "no place"),
        (changed(b"merged.json", merged=[{"id": "m"}]), "$.merged[0]"),
    ],
)
def test_anything_else_is_an_error_that_names_the_file_and_the_commit(
    files: dict[RepoPath, bytes | None], said: str
) -> None:
    with pytest.raises(QueueError) as caught:
        state_of(files, WHERE)
    assert caught.value.code == BAD_STATE.code
    assert said in caught.value.problem
    assert WHERE in caught.value.problem


def test_recorded_changes_come_first_in_their_order_and_the_rest_by_id() -> None:
    recorded = state(
        ChangeState(id=ChangeId("z"), place=1),
        ChangeState(id=ChangeId("b"), place=2),
        ChangeState(id=ChangeId("noted"), mark=Mark.NONE),
    )
    intents = [intent_of(name) for name in ("a", "b", "noted", "z")]
    assert [intent.id for intent in queue_order(intents, recorded)] == ["z", "b", "a", "noted"]


def test_a_kick_back_stands_at_the_commit_and_method_that_it_was_decided_for() -> None:
    record = ChangeState(id=ChangeId("x"), kick=kick_of("x"))
    assert kick_stands(record, intent_of("x"))
    assert not kick_stands(record, intent_of("x", head=OTHER))
    assert not kick_stands(record, intent_of("x", method="merge"))
    assert not kick_stands(ChangeState(id=ChangeId("x")), intent_of("x"))
    assert not kick_stands(None, intent_of("x"))
