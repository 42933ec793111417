"""What the keeper says is read again from its last line, and from nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.keeping import Note, NoteKind
from mergequeue.ports import Conflict, Region, Resolved
from mergequeue.report import keeping
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RepoPath
from mergequeue.vocabulary.limits import PATHS_SHOWN
from mergequeue.vocabulary.words import ConflictKind

HEADS = st.text("0123456789abcdef", min_size=40, max_size=40).map(CommitId)
TEXTS = st.text(min_size=1).map(lambda text: f"x{text}x")
NOTES = st.builds(Note, kind=st.sampled_from(NoteKind), head=HEADS, tip=HEADS, text=TEXTS)
MAIN, HEAD = BranchName("main"), CommitId("a" * 40)


@given(NOTES)
def test_a_note_is_read_again_whatever_its_words_and_whatever_github_makes_of_line_ends(
    note: Note,
) -> None:
    comment = keeping.note_comment(note)
    for body in (comment, f"{comment}\n\n", comment.replace("\n", "\r\n")):
        read = keeping.note_of(body)
        assert read is not None
        assert (read.kind, read.head, read.tip) == (note.kind, note.head, note.tip)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Text.",
        '<!-- mergequeue {"code": "KICK_RED"} -->',
        "<!-- mergequeue keeper {} -->",
        '<!-- mergequeue keeper {"kind": "brought", "head": "x", "tip": "x"} -->',
    ],
)
def test_nothing_else_is_a_note(body: str) -> None:
    assert keeping.note_of(body) is None


@given(NOTES)
def test_a_note_counts_by_its_last_line_alone(note: Note) -> None:
    comment = keeping.note_comment(note)
    assert keeping.note_of(f"{comment}\nThank you!") is None
    assert keeping.note_of(f"> {comment.splitlines()[-1]}") is None


@pytest.mark.parametrize(
    ("text", "off"),
    [
        ("Keeper: off", True),
        ("a\n  keeper: OFF \r\nb", True),
        ("Keeper: off.", False),
        ("`Keeper: off`", False),
        ("No Keeper: off", False),
        ("", False),
    ],
)
def test_a_line_of_its_own_keeps_the_keeper_away(text: str, *, off: bool) -> None:
    assert keeping.says_off(text) is off


def test_many_files_are_counted_and_a_comment_always_fits() -> None:
    many = [Resolved(RepoPath(b"%d" % n), "", (Region(f"{n}{'x' * 5000}", 2),)) for n in range(300)]
    conflicts = [Conflict(one.path, ConflictKind.CONTENT, "why " * 2000) for one in many]
    places = keeping.places_of(many)
    for text in (
        keeping.brought_text(MAIN, HEAD, HEAD, places),
        keeping.left_text(MAIN, HEAD, HEAD, conflicts),
    ):
        assert f"- and {300 - PATHS_SHOWN} more" in text
        assert len(text.encode()) < 60_000
    assert f"and {300 - PATHS_SHOWN} more" in keeping.merge_message(ChangeId("7"), MAIN, many)


def test_a_file_without_a_place_is_named_itself() -> None:
    assert keeping.places_of([Resolved(RepoPath(b"a/b"), "")]) == ["a/b"]
