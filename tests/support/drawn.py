"""Documents of every kind, drawn at random, each of them valid."""

from collections.abc import Callable
from datetime import UTC
from typing import Any

from hypothesis import strategies as st

from mergequeue.documents.capabilities import (
    Capabilities,
    Committer,
    Credential,
    RequiredCheck,
    Setting,
    Setup,
    Step,
)
from mergequeue.documents.changes import (
    Change,
    Changes,
    ClosedChange,
    MergedChange,
    UnqueuedChange,
)
from mergequeue.documents.config import Configuration, QueueTable, UnitTable
from mergequeue.documents.event import Happening
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.provider import KickBack, Reproduction, StatusPost
from mergequeue.documents.record import Record
from mergequeue.documents.state import ChangeState, MergedState
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RefName, Unit
from mergequeue.vocabulary.words import (
    Decision,
    EventKind,
    Mark,
    Method,
    ProviderMerges,
    StackMerge,
    StatusState,
)

_BASE = CommitId("a" * 40)
commits = st.text("0123456789abcdef", min_size=40, max_size=40).map(CommitId) | st.just(
    CommitId("e" * 64)
)
change_ids = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,12}", fullmatch=True).map(ChangeId)
branches = st.from_regex(r"[a-zé0-9]{1,6}(/[a-zé0-9]{1,6}){0,2}", fullmatch=True).map(BranchName)
refs = branches.map(lambda name: RefName(f"refs/{name}"))
words = st.text(max_size=12)
some_words = st.text(min_size=1, max_size=12)
counts = st.integers(min_value=1, max_value=10**20)
moments = st.datetimes(timezones=st.just(UTC)).filter(lambda time: time.year >= 1000)
methods = st.sampled_from(Method)


def _changes(ids: st.SearchStrategy[ChangeId]) -> st.SearchStrategy[Change]:
    return st.builds(
        Change,
        id=ids,
        head=commits,
        base=branches,
        method=methods,
        repo=words,
        ref=st.none() | refs,
        branch=st.none() | branches,
        title=words,
        parent=st.none() | change_ids,
        fork=st.booleans(),
        refused=words,
        affected=st.none() | st.lists(words.map(Unit), max_size=2).map(tuple),
        unbounded_by=words,
    )


def _merged(ids: st.SearchStrategy[ChangeId]) -> st.SearchStrategy[MergedChange]:
    return st.builds(MergedChange, id=ids, head=commits, commit=commits, method=methods)


def _unqueued(ids: st.SearchStrategy[ChangeId]) -> st.SearchStrategy[UnqueuedChange]:
    return st.builds(
        UnqueuedChange,
        id=ids,
        head=commits,
        repo=words,
        ref=st.none() | refs,
        mark=st.sampled_from(Mark),
    )


def _closed(ids: st.SearchStrategy[ChangeId]) -> st.SearchStrategy[ClosedChange]:
    return st.builds(ClosedChange, id=ids, repo=words)


@st.composite
def _verdicts(draw: st.DrawFn, ids: st.SearchStrategy[ChangeId], decision: Decision) -> Verdict:
    change = draw(_changes(ids))
    kick, wait = decision is Decision.KICK, decision is Decision.WAIT
    green = decision is Decision.MERGE
    codes = [code for code in Code if (code.is_kick and kick) or (code.is_wait and wait)]
    others = draw(st.lists(change_ids, max_size=2, unique=True))
    batch = (*(other for other in others if other != change.id), change.id)
    return Verdict(
        base_commit=_BASE,
        change=change,
        decision=decision,
        code=draw(st.sampled_from(codes)) if codes else None,
        reason=draw(words),
        report=draw(some_words if kick else words),
        paths=tuple(draw(st.lists(words, max_size=2))),
        with_=tuple(draw(st.lists(words, max_size=2))),
        after=draw(st.none() | change_ids),
        onto=draw(commits if green else st.none() | commits),
        candidate_commit=draw(commits if green else st.none() | commits),
        method=draw(methods if green else st.none() | methods),
        batch=batch if green else (),
        gated_commit=draw(commits if green else st.none() | commits),
        depth=draw(counts) if green else 0,
        duration_ms=draw(counts),
    )


verdicts: st.SearchStrategy[Verdict] = st.sampled_from(Decision).flatmap(
    lambda decision: _verdicts(change_ids, decision)
)


def _each(ids: list[ChangeId], kind: Callable[[Any], Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(*(kind(st.just(id_)) for id_ in ids))


@st.composite
def listings(draw: st.DrawFn) -> Changes:
    """A listing whose lists share no id."""
    ids = draw(st.lists(change_ids, max_size=6, unique=True))
    return Changes(
        base=draw(branches),
        remote_url=draw(some_words),
        changes=draw(_each(ids[:2], _changes)),
        merged=draw(_each(ids[2:4], _merged)),
        unqueued=draw(_each(ids[4:5], _unqueued)),
        closed=draw(_each(ids[5:], _closed)),
    )


@st.composite
def _partitions(draw: st.DrawFn, ids: list[ChangeId]) -> tuple[PlannedChange, ...]:
    line: list[PlannedChange] = []
    for id_ in ids:
        ahead = [change.id for change in line]
        beneath = tuple(one for one in ahead if draw(st.booleans()))
        below = draw(st.sampled_from([None, *beneath]))
        stack_base = draw(st.none() | commits if below is None else commits)
        listed = draw(_changes(st.just(id_)))
        line.append(
            PlannedChange(**dict(listed), stack_base=stack_base, below=below, beneath=beneath)
        )
    return tuple(line)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """A plan of up to two partitions, some verdicts, and the rest of a listing."""
    ids = draw(st.lists(change_ids, max_size=8, unique=True))
    parts = [part for part in (ids[:3], ids[3:4]) if part]
    planned = (Decision.KICK, Decision.WAIT, Decision.MERGED)
    return Plan(
        base=draw(branches),
        remote_url=draw(some_words),
        base_commit=_BASE,
        commit_date=draw(moments).replace(microsecond=0),
        depth=draw(counts),
        batch=draw(counts),
        partitions=tuple(draw(_partitions(part)) for part in parts),
        verdicts=tuple(
            draw(_verdicts(st.just(id_), draw(st.sampled_from(planned)))) for id_ in ids[4:5]
        ),
        merged=draw(_each(ids[5:6], _merged)),
        unqueued=draw(_each(ids[6:7], _unqueued)),
        closed=draw(_each(ids[7:], _closed)),
    )


happenings = st.builds(
    Happening,
    kind=st.sampled_from(EventKind),
    change=st.none() | change_ids,
    changes=st.lists(change_ids, max_size=3).map(tuple),
    partition=st.none() | st.integers(0, 3),
    decision=st.none() | st.sampled_from(Decision),
    code=st.none() | st.sampled_from(Code),
    reason=words,
    commit=st.none() | commits,
    depth=st.none() | st.integers(1, 9),
    duration_ms=st.none() | st.integers(0, 10**9),
    by_provider=st.none() | st.booleans(),
)

_steps = st.builds(Step, title=some_words, command=some_words) | st.builds(
    Step, title=some_words, url=some_words
)
_setups = st.builds(
    Setup,
    status_context=some_words,
    credential=st.builds(Credential, id=some_words, name=words),
    required_checks=st.lists(
        st.builds(
            RequiredCheck,
            context=some_words,
            integration=words,
            events=st.lists(words, max_size=2).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
    settings=st.lists(st.builds(Setting, name=some_words, value=words, want=words), max_size=2).map(
        tuple
    ),
    app=words,
    steps=st.lists(_steps, max_size=2).map(tuple),
)
capabilities = st.builds(
    Capabilities,
    merges=st.sampled_from(ProviderMerges),
    stack_merge=st.sampled_from(StackMerge),
    linear_stacks=st.booleans(),
    methods=st.lists(methods, min_size=1, max_size=3).map(tuple),
    required_approvals=st.integers(0, 9),
    queue_label=words,
    committer=st.none() | st.builds(Committer, name=some_words, email=some_words),
    setup=st.none() | _setups,
)


@st.composite
def change_states(draw: st.DrawFn) -> ChangeState:
    """What is remembered of a change, kicked back or not."""
    id_ = draw(change_ids)
    kick = st.builds(
        KickBack,
        change=_changes(st.just(id_)),
        commit=commits,
        code=st.sampled_from(Code),
        report=some_words,
        claim=words,
        paths=st.lists(words, max_size=2).map(tuple),
        with_=st.lists(words, max_size=2).map(tuple),
        candidate_commit=st.none() | commits,
        source=words,
        reproduce=st.none() | st.builds(Reproduction, gate=some_words),
    )
    status = st.builds(
        StatusPost,
        change=st.just(id_),
        repo=words,
        commit=commits,
        context=some_words,
        state=st.sampled_from(StatusState),
        description=words,
    )
    kicked = draw(st.booleans())
    return ChangeState(
        id=id_,
        place=None if kicked else draw(st.none() | counts),
        mark=draw(st.sampled_from(Mark)),
        status=draw(st.none() | status),
        kick=draw(kick) if kicked else None,
    )


merged_states = st.lists(_merged(change_ids), max_size=3, unique_by=lambda record: record.head).map(
    lambda records: MergedState(merged=tuple(records))
)

_units = st.text("abcXYZ019_", min_size=1, max_size=5).map(Unit)


@st.composite
def configurations(draw: st.DrawFn) -> Configuration:
    """A base's file whose units depend on units that exist."""
    names = draw(st.lists(_units, max_size=3, unique=True))
    table = {
        name: UnitTable(
            paths=tuple(draw(st.lists(some_words, min_size=1, max_size=2))),
            depends=tuple(other for other in names if draw(st.booleans())),
        )
        for name in names
    }
    queue = QueueTable(
        gate=draw(words),
        depth=draw(st.none() | counts),
        batch=draw(st.none() | counts),
        rest=draw(st.none() | _units),
    )
    return Configuration(queue=queue, unit=table)


documents: st.SearchStrategy[Record] = st.one_of(
    listings(), plans(), verdicts, capabilities, change_states(), merged_states
)
"""Any document that is written to a file or a reference."""
