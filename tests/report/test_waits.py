"""CASES I: every wait says what ends it."""

import pytest

from mergequeue.report.waits import wait_reason
from mergequeue.vocabulary.codes import MEANINGS, Code

WAITS = [code for code in Code if code.is_wait]


@pytest.mark.parametrize("code", WAITS)
def test_every_wait_says_why_and_what_ends_it(code: Code) -> None:
    why, _, end = wait_reason(code).partition("; ")

    assert why == MEANINGS[code]
    assert end.startswith(("it goes on once", "the next run", "it is tried again once"))


def test_a_detail_takes_the_place_of_the_codes_own_meaning() -> None:
    assert wait_reason(Code.WAIT_BELOW, detail="change 1 waits.") == (
        "change 1 waits; it goes on once that change has merged"
    )


def test_a_wait_is_one_line_whatever_its_detail_holds() -> None:
    assert wait_reason(Code.WAIT_NOT_APPROVED, detail="a\nb\x1b[0m") == (
        "a\\x0ab\\x1b[0m; it goes on once it is approved at its head"
    )
