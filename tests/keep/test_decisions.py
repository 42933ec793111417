"""What becomes of a turned-away change, of data alone (seed 2, Keeping turned-away pulls)."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.changes import Change
from mergequeue.documents.keeping import Note, NoteKind, TurnedAwayChange
from mergequeue.keep.decisions import (
    Bring,
    Leave,
    Left,
    brought_before,
    decide_merge,
    decide_own,
    decide_turned_away,
    merged_in,
    message_of_bringing,
)
from mergequeue.ports import CommitFacts, Conflict, Region, Resolved, Settled
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import ConflictKind, Method

MAIN = BranchName("main")
HEAD, TIP, OTHER = (CommitId(letter * 40) for letter in "abc")
TREE, ANOTHER = TreeId("d" * 40), TreeId("e" * 40)
CONFLICT = Settled(None, conflicts=(Conflict(RepoPath(b"x"), ConflictKind.CONTENT, "x#1: why"),))
CLEAN = Settled(TREE)
PLACE = Resolved(RepoPath(b"x"), "x: its lines settle", (Region("x#heading", 2),))
ADDED = Settled(TREE, resolved=(PLACE,))


def turned(notes: tuple[Note, ...] = (), **more: object) -> TurnedAwayChange:
    own = {name: value for name, value in more.items() if name in Change.model_fields}
    change = Change(
        id=ChangeId("7"), head=HEAD, base=MAIN, method=Method.SQUASH, branch=BranchName("topic")
    )
    whole = TurnedAwayChange(
        change=change.model_copy(update=own),
        code=Code.KICK_CONFLICT,
        commit=HEAD,
        off=False,
        in_stack=False,
        notes=notes,
    )
    others = {name: value for name, value in more.items() if name not in own}
    return whole.model_copy(update=others)


def note(kind: NoteKind, head: CommitId = HEAD) -> Note:
    return Note(kind=kind, head=head, tip=TIP)


def test_one_turned_away_for_a_conflict_is_looked_at() -> None:
    assert decide_turned_away(turned()) is None


@pytest.mark.parametrize(
    "more",
    [
        {"off": True},
        {"code": Code.KICK_RED},
        {"code": Code.KICK_REGENERATION},
        {"fork": True},
        {"branch": None},
        {"in_stack": True},
        {"parent": ChangeId("6")},
        {"method": Method.REBASE},
    ],
    ids=lambda more: next(iter(more)),
)
def test_what_is_its_authors_is_left_alone(more: dict[str, Any]) -> None:
    assert isinstance(decide_turned_away(turned(**more)), Leave)


@given(st.sampled_from([code for code in Code if code is not Code.KICK_CONFLICT]))
def test_nothing_that_failed_otherwise_is_fixed(code: Code) -> None:
    assert isinstance(decide_turned_away(turned(code=code)), Leave)


def test_one_that_conflicts_no_more_is_left_alone() -> None:
    assert isinstance(decide_merge(turned(), TIP, CLEAN, CLEAN, attempts=3), Leave)


def test_one_whose_lines_settle_is_brought_up_to_date() -> None:
    decided = decide_merge(turned(), TIP, CONFLICT, ADDED, attempts=3)
    assert decided == Bring(TREE, (PLACE,))


def test_one_that_takes_judgement_is_told_once_at_a_head() -> None:
    first = decide_merge(turned(), TIP, CONFLICT, CONFLICT, attempts=3)
    assert isinstance(first, Left)
    assert first.note is not None
    assert (first.note.kind, first.note.head) == (NoteKind.LEFT, HEAD)
    assert "x#1: why" in first.note.text
    again = decide_merge(turned((first.note,)), OTHER, CONFLICT, CONFLICT, attempts=3)
    assert again == Left(CONFLICT.conflicts, None)


def test_what_was_said_at_another_head_is_said_again_at_this_one() -> None:
    said = note(NoteKind.LEFT, OTHER)
    decided = decide_merge(turned((said,)), TIP, CONFLICT, CONFLICT, attempts=3)
    assert isinstance(decided, Left)
    assert decided.note is not None


def test_generated_files_are_left_to_who_can_regenerate() -> None:
    generated = Settled(TREE, resolved=(PLACE,), generated=(RepoPath(b"gen"),))
    assert isinstance(decide_merge(turned(), TIP, CONFLICT, generated, attempts=3), Leave)


@given(st.integers(1, 5), st.integers(0, 7))
def test_one_is_brought_up_to_date_as_often_as_attempts_says(attempts: int, before: int) -> None:
    notes = tuple(note(NoteKind.BROUGHT, CommitId(f"{n:040x}")) for n in range(before))
    more = (note(NoteKind.LEFT), *notes[:1])  # Saying so twice counts once.
    state = turned((*notes, *more))
    assert brought_before(state) == before
    decided = decide_merge(state, TIP, CONFLICT, ADDED, attempts=attempts)
    assert isinstance(decided, Bring if before < attempts else Leave)


# --- a merge that an earlier run pushed -----------------------------------------------------------


def facts(**more: object) -> CommitFacts:
    date = datetime(2030, 1, 1, tzinfo=UTC)
    own = CommitFacts(
        id=OTHER,
        tree=TREE,
        parents=(HEAD, TIP),
        author=QUEUE,
        author_date=date,
        committer=QUEUE,
        committer_date=date,
        message=message_of_bringing(turned(), MAIN, ADDED.resolved),
    )
    return replace(own, **more)  # type: ignore[arg-type]  # fields of it, by name


def test_the_keepers_own_merge_is_known_again() -> None:
    assert merged_in(turned(), facts()) == TIP
    assert decide_own(turned(), facts(), ADDED) == Bring(TREE, (PLACE,))


@pytest.mark.parametrize("parents", [(HEAD,), (TIP, HEAD), (OTHER, TIP), (HEAD, TIP, OTHER), ()])
def test_a_head_that_merges_nothing_into_the_turned_away_one_is_its_authors(
    parents: tuple[CommitId, ...],
) -> None:
    assert merged_in(turned(), facts(parents=parents)) is None


@pytest.mark.parametrize(
    ("more", "made"),
    [
        ({"tree": ANOTHER}, ADDED),
        ({"message": "Merge main\n"}, ADDED),
        ({}, CONFLICT),
        ({}, Settled(TREE, resolved=(PLACE,), generated=(RepoPath(b"gen"),))),
    ],
    ids=["another tree", "other words", "a conflict", "generated files"],
)
def test_a_merge_that_the_keeper_would_not_make_is_its_authors(
    more: dict[str, Any], made: Settled
) -> None:
    assert isinstance(decide_own(turned(), facts(**more), made), Leave)
