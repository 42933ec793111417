"""Bytes to documents: whatever they hold, there is a document or one error that names its place."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Changes
from mergequeue.documents.config import Configuration
from mergequeue.documents.event import Event, Happening
from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import (
    checked,
    parse_json,
    read_configuration,
    read_document,
    write_document,
    write_line,
)
from mergequeue.documents.record import Record
from mergequeue.documents.state import ChangeState, MergedState
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import BAD_CONFIGURATION, MergequeueError
from tests.documents.test_changes import LISTING
from tests.support.documents import refusal
from tests.support.drawn import configurations, documents, happenings, moments

MODELS: list[type[Record]] = [
    Changes,
    Plan,
    Verdict,
    Event,
    Capabilities,
    ChangeState,
    MergedState,
]
WHOLE = json.dumps(LISTING).encode()

UNREADABLE = [
    pytest.param(b"", id="nothing"),
    pytest.param(b"{", id="a beginning"),
    pytest.param(WHOLE + b"{}", id="two documents"),
    pytest.param(WHOLE[:-1] + b',"base":"x"}', id="a key twice"),
    pytest.param(
        WHOLE.replace(b'"id": "one"', b'"id": "one", "id": "two"'), id="a key twice below"
    ),
    pytest.param(b'{"%b": 1, "%b": 2}' % (b"x" * 9999, b"x" * 9999), id="a long key twice"),
    pytest.param(b'{"a": 1, "\\u0061": 2}', id="a key twice in two spellings"),
    pytest.param(b"\xef\xbb\xbf" + WHOLE, id="a byte order mark"),
    pytest.param(WHOLE.decode().encode("utf-16"), id="UTF-16"),
    pytest.param(WHOLE.replace(b"One", b"\xff"), id="no UTF-8"),
    pytest.param(WHOLE.replace(b"One", b"\xed\xa0\x80"), id="half a character"),
    pytest.param(WHOLE.replace(b"One", b"a\nb"), id="a line break in a text"),
    pytest.param(b'{"depth": NaN}', id="not a number"),
    pytest.param(b'{"depth": Infinity}', id="infinity"),
    pytest.param(b'{"depth": -Infinity}', id="minus infinity"),
    pytest.param(b'{"depth": 1' + b"0" * 5000 + b"}", id="a number without end"),
    pytest.param(b"[" * 100_000, id="lists without end"),
    pytest.param(b'{"a":' * 100_000, id="objects without end"),
    pytest.param(b"[" * 100_000 + b"]" * 100_000, id="lists in lists in lists"),
    pytest.param(b"{'schema': 1}", id="other quotes"),
    pytest.param(b'{"a": 1,}', id="a comma too many"),
    pytest.param(b'{"a": 1} // so', id="a comment"),
]


@pytest.mark.parametrize("raw", UNREADABLE)
def test_what_is_no_json_is_unreadable(raw: bytes) -> None:
    error = refusal(lambda: read_document(raw, Changes, "the file"))
    assert (error.code, error.exit_status) == ("MQ1002", 2)
    assert error.problem.startswith("the file ")
    assert error.problem.isprintable()
    assert len(error.problem) < 400


@pytest.mark.parametrize("raw", [b"[]", b'"x"', b"1", b"null", b"true"])
def test_what_is_no_object_is_no_document(raw: bytes) -> None:
    error = refusal(lambda: read_document(raw, Changes, "the file"))
    assert (error.code, error.problem) == ("MQ1003", "the file: $: an object is wanted")


def test_a_document_over_the_limit_is_refused_unread() -> None:
    room = limits.DOCUMENT_BYTES - len(WHOLE)
    error = refusal(lambda: parse_json(WHOLE + b" " * (room + 1), "the file"))
    assert (error.code, error.exit_status) == ("MQ1002", 2)
    assert str(limits.DOCUMENT_BYTES) in error.problem
    assert parse_json(WHOLE + b" " * room, "the file") == LISTING


def test_an_unknown_schema_is_named_and_so_is_the_known_one() -> None:
    raw = json.dumps({"schema": "mergequeue.changes/v2\x1b[31m" + "x" * 9999}).encode()
    error = refusal(lambda: read_document(raw, Changes, "the file"))
    assert (error.code, error.exit_status) == ("MQ1004", 2)
    assert "mergequeue.changes/v2" in error.problem
    assert "mergequeue.changes/v1 is wanted" in error.problem
    assert error.problem.isprintable()
    assert len(error.problem) < 400


def test_an_error_counts_what_else_is_wrong() -> None:
    raw = json.dumps({"schema": "mergequeue.changes/v1", "changes": 1}).encode()
    error = refusal(lambda: read_document(raw, Changes, "the file"))
    assert error.problem.endswith("(and 2 more)")


def test_an_error_shows_hostile_keys_as_text_and_not_without_end() -> None:
    key = "\x1b[31m\u202e\n" + "x" * 10_000
    raw = json.dumps({**LISTING, key: 1}).encode()
    error = refusal(lambda: read_document(raw, Changes, "the file"))
    assert error.problem.isprintable()
    assert len(error.problem) < 400


@pytest.mark.parametrize("start", ['"schema": ', '"schema": "mergequeue.changes/v1", "changes": '])
def test_nesting_of_any_depth_is_an_error_and_no_crash(start: str) -> None:
    """Each limit on the way (Python's twice, pydantic's) is met at a depth of its own."""
    for depth in (150, 250, 500, *range(900, 1000)):
        raw = f"{{{start}{'[' * depth}{']' * depth}}}".encode()
        error = refusal(lambda raw=raw: read_document(raw, Changes, "it"))  # type: ignore[misc]  # mypy cannot infer it
        assert error.code in {"MQ1002", "MQ1003", "MQ1004"}


# --- whatever the bytes --------------------------------------------------------------------------

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
).map(lambda value: json.dumps(value).encode())


@st.composite
def _damaged(draw: st.DrawFn) -> bytes:
    """A document of some kind, with a part of it replaced."""
    raw = write_document(draw(documents))
    start = draw(st.integers(0, len(raw)))
    end = draw(st.integers(start, min(len(raw), start + 12)))
    part = draw(st.binary(max_size=6) | st.sampled_from([b"null", b"[]", b'"', b"-1", b"\\ud800"]))
    return raw[:start] + part + raw[end:]


@settings(max_examples=150)
@given(raw=st.binary(max_size=40) | _json | _damaged(), model=st.sampled_from(MODELS))
@example(raw=b'{"schema": 1e999}', model=Changes)
@example(raw=b'{"schema": "\\ud800"}', model=Changes)
@example(raw=WHOLE.replace(b"One", b"\\udfff"), model=Changes)
def test_reading_any_bytes_gives_a_document_or_one_known_error(
    raw: bytes, model: type[Record]
) -> None:
    try:
        read = read_document(raw, model, "the file")
    except MergequeueError as error:
        assert error.code in {"MQ1002", "MQ1003", "MQ1004"}  # noqa: PT017 (either end is right)
    else:
        assert type(read) is model


@settings(max_examples=60)
@given(st.binary(max_size=30) | st.text("ab=[]\"'{}.#1-:T\n", max_size=20).map(str.encode))
def test_reading_any_bytes_as_toml_gives_tables_or_one_known_error(raw: bytes) -> None:
    try:
        read = read_configuration(raw, "the file")
    except MergequeueError as error:
        assert error.code == "MQ1011"  # noqa: PT017 (either end is right)
    else:
        assert isinstance(read, Mapping)


# --- there and back ------------------------------------------------------------------------------


@given(documents)
def test_what_is_written_reads_back_equal(document: Record) -> None:
    raw = write_document(document)
    assert read_document(raw, type(document), "the file") == document
    assert raw.endswith(b"}\n")


@settings(max_examples=40)
@given(configurations())
def test_a_configuration_reads_back_equal(configuration: Configuration) -> None:
    tables = parse_json(write_document(configuration), "the file")
    assert checked(tables, Configuration, "the file", BAD_CONFIGURATION) == configuration


@given(happenings, moments)
def test_an_events_line_is_one_line_and_reads_back_equal(
    happening: Happening, time: object
) -> None:
    event = Event.model_validate({**dict(happening), "time": time})
    line = write_line(event)
    assert line.isascii()
    assert line.isprintable()
    assert read_document(line.encode(), Event, "the line") == event


def test_keys_are_written_in_the_order_of_the_fields() -> None:
    raw = write_document(read_document(WHOLE, Changes, "the file"))
    assert list(json.loads(raw)["changes"][0]) == list(LISTING["changes"][0])


def test_a_document_that_would_not_read_back_is_not_written() -> None:
    wrong = read_document(WHOLE, Changes, "the file").model_copy(update={"base": "HEAD"})
    with pytest.raises(ValueError, match="branch name"):
        write_document(wrong)
