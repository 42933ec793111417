"""What a commit says of itself, however oddly it was written."""

from datetime import UTC, datetime

import pytest

from mergequeue.git.objects import parse_commit_object
from mergequeue.git.reads import Reads
from mergequeue.git.workshop import open_workshop
from mergequeue.vocabulary.errors import GIT_FAILED, UNDATED, MergequeueError
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import CommitId
from tests.support.repositories import COMMIT_TYPE, Playground

TREE = b"tree " + b"1" * 40 + b"\n"
GOOD = b"A B <a@b.invalid> 1700000000 +0530"
ID = CommitId("2" * 40)


def commit(
    author: bytes = GOOD, committer: bytes = GOOD, rest: bytes = b"", message: bytes = b"x"
) -> bytes:
    return TREE + b"author " + author + b"\ncommitter " + committer + rest + b"\n\n" + message


def test_dates_are_read_in_utc_whatever_the_zone_says() -> None:
    for zone in (b"+0530", b"-0000", b"+051800", b""):
        raw = parse_commit_object(ID, commit(committer=b"A <a@b> 1700000000 " + zone))
        assert raw.committed() == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    "line",
    [
        b"A <a@b>",
        b"A <a@b> soon +0000",
        b"A <a@b> 99999999999999999 +0000",
        b"A",
        b"",
        b"A <a@b> -5 +0000",
    ],
)
def test_a_commit_without_a_readable_committer_date_is_undated(line: bytes) -> None:
    with pytest.raises(MergequeueError) as error:
        parse_commit_object(ID, commit(committer=line)).committed()
    assert error.value.code == UNDATED.code
    assert ID in error.value.problem


def test_an_unreadable_author_date_is_taken_to_be_the_committers() -> None:
    raw = parse_commit_object(ID, commit(author=b"A <a@b> soon"))
    assert raw.authored() == raw.committed()


def test_a_parent_is_named_right_after_the_tree_and_nowhere_else() -> None:
    odd = commit(rest=b"\nmergetag x\nparent " + b"3" * 40)
    assert parse_commit_object(ID, odd).parents == ()
    first = odd.replace(TREE, TREE + b"parent " + b"4" * 40 + b"\n")
    assert parse_commit_object(ID, first).parents == ("4" * 40,)


@pytest.mark.parametrize(
    ("encoding", "name", "shown"),
    [
        (b"", "Ä".encode(), "Ä"),
        (b"", b"\xc4", "\N{REPLACEMENT CHARACTER}"),
        (b"ISO-8859-1", b"\xc4", "Ä"),
        (b"no-such", "Ä".encode(), "Ä"),
        (b"idna", "Ä".encode(), "Ä"),
        (b"rot13", b"A", "A"),
        (b"a\0b", b"A", "A"),
        (b"raw_unicode_escape", rb"\ud800", "?"),
    ],
)
def test_text_is_decoded_as_the_commit_says_and_never_fails(
    encoding: bytes, name: bytes, shown: str
) -> None:
    rest = b"\nencoding " + encoding if encoding else b""
    raw = parse_commit_object(ID, commit(rest=rest))
    assert raw.text(name) == shown


def test_a_subject_is_the_first_paragraph_on_one_line() -> None:
    raw = parse_commit_object(ID, commit(message=b"\n\none\ntwo \n\nbody"))
    assert raw.subject() == "one two"


def test_a_name_with_odd_characters_is_read(playground: Playground) -> None:
    playground.branch("main", playground.commit({"f": "1"}))
    tree = playground.tree({"f": "2"}).encode()
    raw = b"tree " + tree + b"\nauthor \xff <> 5 +0000\ncommitter <c> 6 +0000\n\nm\xffm"
    id_ = CommitId(playground.write(COMMIT_TYPE, raw))
    playground.branch("odd", id_)
    with open_workshop(playground.clone(), "origin") as workshop:
        facts = workshop.reads.commit(id_)
    odd = "\N{REPLACEMENT CHARACTER}"
    assert (facts.author, facts.committer) == (Identity(odd, ""), Identity("", "c"))
    assert facts.message == f"m{odd}m"
    assert facts.author_date.second == 5


def reads_error(reads: Reads, id_: str) -> str:
    with pytest.raises(MergequeueError) as error:
        reads.commit(CommitId(id_))
    assert error.value.code == GIT_FAILED.code
    return error.value.problem


def test_an_object_that_is_missing_broken_or_of_another_kind_is_named(
    playground: Playground,
) -> None:
    head = playground.branch("main", playground.commit({"f": "1"}))
    clone = playground.clone()
    tree = playground.tree({"f": "1"})
    broken = playground.write(COMMIT_TYPE, b"nothing\n\nto see")
    garbage = "3" * 40
    with open_workshop(clone, "origin") as workshop:
        workshop.repository.write(COMMIT_TYPE, b"nothing\n\nto see")
        (workshop.objects / garbage[:2]).mkdir(exist_ok=True)
        (workshop.objects / garbage[:2] / garbage[2:]).write_bytes(b"garbage")
        assert "missing" in reads_error(workshop.reads, "4" * 40)
        for id_ in (tree, broken, garbage):
            assert id_ in reads_error(workshop.reads, id_)
        assert workshop.reads.commit(head).id == head
