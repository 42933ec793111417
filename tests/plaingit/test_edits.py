"""Edits of the records decide of data alone: made twice they change nothing more."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.changes import Change, MergedChange
from mergequeue.documents.provider import KickBack, MarkRequest, StatusPost
from mergequeue.plaingit import edits
from mergequeue.plaingit.edits import Edit, Present
from mergequeue.plaingit.intents import intents_of
from mergequeue.plaingit.state import State, files_of, kick_stands, state_of
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RefName
from mergequeue.vocabulary.limits import MERGES_REMEMBERED
from mergequeue.vocabulary.words import STATUS_CONTEXT, Mark, Method, StatusState

HEADS = [CommitId(letter * 40) for letter in "abc"]
NAMES = ["one", "two", "three"]
MARKS = [Mark.QUEUED, Mark.KICKED_BACK, Mark.NONE]

Step = Callable[[State, Present], Edit]


def present(heads: dict[str, CommitId]) -> Present:
    refs = {RefName(f"refs/heads/mq/squash/{name}"): head for name, head in heads.items()}
    return {intent.id: intent for intent in intents_of(refs)}


def kick_of(name: str, head: CommitId) -> KickBack:
    change = Change(id=ChangeId(name), head=head, base=BranchName("main"), method=Method.SQUASH)
    return KickBack(change=change, commit=head, code=Code.KICK_RED, report="It is red.")


def marking(requests: list[tuple[str, Mark]]) -> Step:
    asked = [MarkRequest(change=ChangeId(name), mark=mark) for name, mark in requests]
    return lambda state, there: edits.marked(state, there, asked, frozenset())


def posting(name: str, head: CommitId, state: StatusState) -> Step:
    post = StatusPost(
        change=ChangeId(name), commit=head, context=STATUS_CONTEXT, state=state, description=""
    )
    return lambda before, there: edits.posted(before, there, [post])


def kicking(name: str, head: CommitId) -> Step:
    kick = kick_of(name, head)
    return lambda state, there: edits.kicked(state, there.get(kick.change.id), kick)


def requeueing(name: str) -> Step:
    def step(state: State, there: Present) -> Edit:
        intent = there.get(ChangeId(name))
        return edits.requeued(state, intent) if intent else Edit(state)

    return step


NAME, HEAD = st.sampled_from(NAMES), st.sampled_from(HEADS)
STEPS = st.one_of(
    st.builds(
        marking,
        st.lists(st.tuples(NAME, st.sampled_from(MARKS)), max_size=3, unique_by=lambda r: r[0]),
    ),
    st.builds(posting, NAME, HEAD, st.sampled_from(StatusState)),
    st.builds(kicking, NAME, HEAD),
    st.builds(requeueing, NAME),
)
REMOTES = st.dictionaries(NAME, HEAD)


@given(st.lists(st.tuples(STEPS, REMOTES), max_size=8))
def test_whatever_happens_the_records_stay_sound(
    steps: list[tuple[Step, dict[str, CommitId]]],
) -> None:
    state = State()
    for step, remote in steps:
        there = present(remote)
        edit = step(state, there)
        assert (edit.state != state) == bool(edit.lines)
        again = step(edit.state, there)
        assert not again.lines
        assert again.state == edit.state
        state = edit.state
        assert state_of(files_of(state), "here") == state
        places = [record.place for record in state.changes.values() if record.place is not None]
        assert len(set(places)) == len(places)


@given(STEPS, HEAD, st.sampled_from(NAMES))
def test_nothing_but_a_person_brings_back_what_was_kicked_back_as_it_stands(
    step: Step, head: CommitId, name: str
) -> None:
    there = present(dict.fromkeys(NAMES, head))
    state = edits.kicked(State(), there[ChangeId(name)], kick_of(name, head)).state
    after = step(state, there).state
    back = not kick_stands(after.changes.get(ChangeId(name)), there[ChangeId(name)])
    assert not back or "by hand" in " ".join(step(state, there).lines)


def test_only_the_newest_merges_are_remembered() -> None:
    state = State()
    for number in range(MERGES_REMEMBERED + 5):
        commit = CommitId(f"{number:040x}")
        merge = MergedChange(
            id=ChangeId(f"c{number}"), head=commit, commit=commit, method=Method.SQUASH
        )
        state = edits.merged(state, [merge]).state
    assert len(state.merged) == MERGES_REMEMBERED
    assert state.merged[0].id == "c5"
    assert state_of(files_of(state), "here") == state


def test_a_head_that_merges_again_is_remembered_as_its_newest_merge() -> None:
    old, new = (
        MergedChange(id=ChangeId("c"), head=HEADS[0], commit=commit, method=Method.SQUASH)
        for commit in HEADS[1:]
    )
    assert edits.merged(edits.merged(State(), [old]).state, [new]).state.merged == (new,)
