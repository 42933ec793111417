"""What the keeper needs of a person's provider: three functions, each answer of them checked."""

from typing import Any

import pytest

from mergequeue.documents.changes import Change
from mergequeue.documents.keeping import Note, NoteKind, NoteRequest, QueueAgain, Update
from mergequeue.documents.provider import Repository
from mergequeue.keep.stepwise import StepwiseBringing
from mergequeue.ports import Pushed, PushOutcome, RefMove
from mergequeue.providers.keeping import CheckedKeeping
from mergequeue.vocabulary.errors import BAD_ANSWER, BAD_PROVIDER, PROVIDER_FAILED, MergequeueError
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import Method

HEAD, MERGE, TIP = (CommitId(letter * 40) for letter in "abc")
MAIN = Repository(base=BranchName("main"), remote_url="u")
CHANGE = Change(
    id=ChangeId("7"),
    head=HEAD,
    base=BranchName("main"),
    method=Method.SQUASH,
    branch=BranchName("topic"),
)
NOTE = Note(kind=NoteKind.BROUGHT, head=MERGE, tip=TIP, text="It is up to date.")
ANSWER = {
    "change": {"id": "7", "head": HEAD, "base": "main", "method": "squash", "branch": "topic"},
    "code": "KICK_CONFLICT",
    "commit": HEAD,
    "off": False,
    "in_stack": False,
    "notes": [{"kind": "left", "head": HEAD, "tip": TIP}],
}


class Own:
    """A provider that notes what it was told, and answers as a test wants it to."""

    def __init__(self, answer: object = None) -> None:
        self.answer = {"changes": [ANSWER]} if answer is None else answer
        self.told: list[tuple[str, Any]] = []

    def turned_away(self, asked: dict[str, Any]) -> object:
        self.told.append(("turned_away", asked))
        return self.answer

    def say(self, asked: dict[str, Any]) -> bool:
        self.told.append(("say", asked["note"]["text"]))
        return True

    def queue_again(self, asked: dict[str, Any]) -> bool:
        self.told.append(("queue_again", asked["commit"]))
        return True


class Pushing:
    """Pushes that come to what a test wants."""

    def __init__(self, own: Own, outcome: PushOutcome) -> None:
        self.own, self.outcome = own, outcome

    def push(self, moves: list[RefMove]) -> Pushed:
        self.own.told += [("push", (move.ref, move.new, move.expected)) for move in moves]
        return Pushed(self.outcome, "no")


def test_what_was_turned_away_is_read_as_it_was_answered() -> None:
    own = Own()
    found = CheckedKeeping(own, "own").turned_away(MAIN)
    (turned,) = found.changes
    assert (turned.change, turned.commit, turned.notes[0].kind) == (CHANGE, HEAD, NoteKind.LEFT)
    assert own.told == [("turned_away", {"base": "main", "remote_url": "u"})]


@pytest.mark.parametrize("missing", ["off", "in_stack", "notes", "code", "commit"])
def test_a_key_that_is_missing_is_an_error_and_no_default(missing: str) -> None:
    answer = {key: value for key, value in ANSWER.items() if key != missing}
    with pytest.raises(MergequeueError, match=missing) as caught:
        CheckedKeeping(Own({"changes": [answer]}), "own").turned_away(MAIN)
    assert caught.value.code == BAD_ANSWER.code


def test_one_that_lacks_a_function_is_refused_by_its_name() -> None:
    class Less:
        def turned_away(self, asked: object) -> object:
            return asked

    with pytest.raises(MergequeueError, match="lacks say, queue_again") as caught:
        CheckedKeeping(Less(), "own")
    assert caught.value.code == BAD_PROVIDER.code


def brought(own: Own, outcome: PushOutcome = PushOutcome.DONE, head: CommitId = HEAD) -> str:
    kept = CheckedKeeping(own, "own")
    bringing = StepwiseBringing(Pushing(own, outcome), kept, kept)  # type: ignore[arg-type]  # a list will do
    change = CHANGE.model_copy(update={"head": head})
    return bringing.bring(Update(change=change, commit=MERGE, note=NOTE))


def test_it_is_pushed_then_said_then_queued() -> None:
    own = Own()
    assert brought(own) == ""
    assert own.told == [
        ("push", ("refs/heads/topic", MERGE, HEAD)),
        ("say", "It is up to date."),
        ("queue_again", MERGE),
    ]


def test_what_was_pushed_before_is_only_said_and_queued() -> None:
    own = Own()
    assert brought(own, head=MERGE) == ""
    assert [name for name, _ in own.told] == ["say", "queue_again"]


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        (PushOutcome.STALE, "its branch moved meanwhile"),
        (PushOutcome.REJECTED, "its branch refused the push: no"),
    ],
)
def test_where_the_branch_did_not_move_nothing_is_said_or_queued(
    outcome: PushOutcome, why: str
) -> None:
    own = Own()
    assert brought(own, outcome) == why
    assert [name for name, _ in own.told] == ["push"]


def test_what_it_raises_is_shown_as_its_words() -> None:
    class Broken(Own):
        def say(self, asked: dict[str, Any]) -> bool:
            raise ValueError(asked["change"]["id"])

        def queue_again(self, asked: dict[str, Any]) -> bool:
            return bool(asked) and False

    kept = CheckedKeeping(Broken(), "own")
    with pytest.raises(MergequeueError, match="ValueError: 7") as caught:
        kept.say(NoteRequest(change=CHANGE, note=NOTE))
    assert caught.value.code == PROVIDER_FAILED.code
    with pytest.raises(MergequeueError, match="true is wanted"):
        kept.queue_again(QueueAgain(change=CHANGE, commit=MERGE))
