"""The closed set of codes."""

import pytest

from mergequeue.vocabulary.codes import MEANINGS, Code


@pytest.mark.parametrize("code", list(Code))
def test_a_code_is_a_wait_or_a_kick_and_has_a_meaning(code: Code) -> None:
    assert code.is_wait != code.is_kick
    assert code.is_wait == code.name.startswith("WAIT_")
    assert code.name == code.value
    assert MEANINGS[code].isprintable()


def test_the_meanings_are_in_the_order_of_the_codes() -> None:
    assert list(MEANINGS) == list(Code)
