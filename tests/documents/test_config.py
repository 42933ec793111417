"""`mergequeue.toml` as tables: what its keys hold."""

import pytest

from mergequeue.documents.config import Configuration
from mergequeue.documents.reading import checked, read_configuration
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import BAD_CONFIGURATION
from tests.support.documents import GONE, Json, Row, edited, refusal, rows

FILE: Json = {
    "queue": {"gate": "make test", "depth": 4, "batch": 2, "rest": "project"},
    "unit": {
        "parser": {"paths": ["parser/**"]},
        "web": {"paths": ["web/**", "*.html"], "depends": ["parser", "project"]},
    },
}

VALID = [
    Row("whole"),
    Row(
        "a limit and retries",
        {"queue.timeout": "30m", "queue.retry": ["reset", "^busy"], "queue.retries": 10},
    ),
    Row("one at a time", {"queue.depth": 1, "queue.batch": 1}),
    Row("nothing", {"queue": GONE, "unit": GONE}),
    Row("a name with spaces", {"unit.the parser": {"paths": ["p"]}}),
]
INVALID = [
    Row("a limit without a unit", {"queue.timeout": "30"}, "$.queue.timeout", "such as 90s"),
    Row("a limit that is a number", {"queue.timeout": 30}, "$.queue.timeout"),
    Row("no limit at all", {"queue.timeout": "0m"}, "$.queue.timeout", "such as 90s"),
    Row("a pattern that is none", {"queue.retry": ["ok", "("]}, "$.queue", "'(' is no regular"),
    Row("an empty pattern to retry on", {"queue.retry": [""]}, "$.queue.retry[0]"),
    Row("no retries", {"queue.retries": 0}, "$.queue.retries"),
    Row("too many retries", {"queue.retries": 11}, "$.queue.retries"),
    Row("depth 0", {"queue.depth": 0}, "$.queue.depth"),
    Row("batch 0", {"queue.batch": 0}, "$.queue.batch"),
    Row("a depth in quotes", {"queue.depth": "4"}, "$.queue.depth"),
    Row("a gate that is a list", {"queue.gate": ["make"]}, "$.queue.gate"),
    Row("an unknown key", {"queue.gates": "make"}, "$.queue.gates", "Extra"),
    Row("an unknown table", {"queues": {}}, "$.queues", "Extra"),
    Row("a unit without paths", {"unit.parser.paths": GONE}, "$.unit.parser.paths", "required"),
    Row("a unit of no paths", {"unit.parser.paths": []}, "$.unit.parser.paths"),
    Row("an empty pattern", {"unit.parser.paths": [""]}, "$.unit.parser.paths[0]"),
    Row("a unit without a name", {"unit.": {"paths": ["p"]}}, "$.unit."),
    Row("a unit like an option", {"unit.-x": {"paths": ["p"]}}, "$.unit.-x"),
    Row("a unit like a path", {"unit./x": {"paths": ["p"]}}, "$.unit./x"),
    Row("the rest like an option", {"queue.rest": "-x"}, "$.queue.rest"),
    Row(
        "a unit that nobody names", {"unit.web.depends": ["lexer"]}, "$", "lexer, which is no unit"
    ),
]


@rows(VALID)
def test_a_configuration_is_taken(row: Row) -> None:
    checked(edited(FILE, row.edits), Configuration, "the file", BAD_CONFIGURATION)


@rows(INVALID)
def test_what_is_no_configuration_is_refused_with_its_path(row: Row) -> None:
    tables = edited(FILE, row.edits)
    error = refusal(lambda: checked(tables, Configuration, "the file", BAD_CONFIGURATION))
    assert (error.code, error.exit_status) == ("MQ1011", 2)
    assert error.problem.startswith(f"the file: {row.path}")
    assert row.says in error.problem


def test_the_tables_of_a_file_are_read() -> None:
    raw = b'[queue]\ngate = "make"\n[unit."a b"]\npaths = ["x"]\n'
    assert read_configuration(raw, "the file") == {
        "queue": {"gate": "make"},
        "unit": {"a b": {"paths": ["x"]}},
    }


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"[queue", id="no TOML"),
        pytest.param(b"a = 1\na = 2", id="a key twice"),
        pytest.param(b"\xff = 1", id="no UTF-8"),
        pytest.param(b"\xef\xbb\xbfa = 1", id="a byte order mark"),
        pytest.param(b"a = " + b"1" * 5000, id="a number without end"),
        pytest.param(b"a = " + b"[" * 100_000, id="nested without end"),
        pytest.param((b"[" + b"x" * 9999 + b"]\n") * 2, id="a long table twice"),
        pytest.param(b"a = 2026-02-30", id="a day that never was"),
    ],
)
def test_what_is_no_toml_is_the_configurations_fault(raw: bytes) -> None:
    error = refusal(lambda: read_configuration(raw, "the file"))
    assert (error.code, error.exit_status) == ("MQ1011", 2)
    assert error.problem.startswith("the file cannot be read as TOML: ")
    assert len(error.problem) < 400


def test_a_configuration_over_the_limit_is_refused_unread() -> None:
    error = refusal(lambda: read_configuration(b"[" * (limits.DOCUMENT_BYTES + 1), "the file"))
    assert (error.code, error.exit_status) == ("MQ1002", 2)
