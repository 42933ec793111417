"""The table of errors: each code in its form, each error with what is wrong and what to do."""

import re
from pathlib import Path

import pytest

from mergequeue.vocabulary import errors
from mergequeue.vocabulary.errors import (
    KINDS,
    NO_GATE,
    ErrorKind,
    MergequeueError,
    QueueError,
    UsageError,
)

ROOT = Path(__file__).parents[2]

each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@each_kind
def test_a_code_is_mq_its_class_and_three_digits(kind: ErrorKind) -> None:
    assert re.fullmatch(r"MQ[123][0-9]{3}", kind.code)
    assert KINDS[kind.code] is kind


@each_kind
def test_a_kind_says_what_is_wrong_and_what_to_do_in_whole_sentences(kind: ErrorKind) -> None:
    for sentence in (kind.meaning, kind.remedy):
        assert sentence.isprintable()
        assert sentence.endswith(".")
        assert re.match(r"[A-Z`]|git|mergequeue\.toml|docs/", sentence)


@each_kind
def test_a_page_that_a_remedy_names_is_there(kind: ErrorKind) -> None:
    for page in re.findall(r"docs/[\w/.-]+\.md", f"{kind.meaning} {kind.remedy}"):
        assert (ROOT / page).is_file()


@each_kind
def test_the_callers_mistakes_exit_2_and_the_queues_failures_1(kind: ErrorKind) -> None:
    error = kind("so")
    usage = kind.code.startswith("MQ1")
    assert type(error) is (UsageError if usage else QueueError)
    assert error.exit_status == (2 if usage else 1)
    assert (error.code, error.problem, error.remedy) == (kind.code, "so", kind.remedy)


def test_the_table_is_in_the_order_of_the_codes() -> None:
    assert list(KINDS) == sorted(KINDS)


def test_every_kind_of_the_module_is_in_the_table() -> None:
    named = {kind.code for kind in vars(errors).values() if isinstance(kind, ErrorKind)}
    assert named == set(KINDS)


def test_an_error_reads_as_its_code_and_problem() -> None:
    error = NO_GATE("nothing names one")
    assert isinstance(error, MergequeueError)
    assert str(error) == "MQ1012: nothing names one"


def test_a_remedy_of_its_own_replaces_the_kinds() -> None:
    assert NO_GATE("nothing names one", "Name one.").remedy == "Name one."


def test_no_code_stands_twice() -> None:
    with pytest.raises(ValueError, match="MQ1012 stands twice"):
        errors._kind("MQ1012", "Other.", "Other.")
