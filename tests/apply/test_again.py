"""Whether a run is followed by another that nothing else starts."""

import pytest

from mergequeue.apply.again import is_another_run_wanted
from mergequeue.apply.ready import Ending
from mergequeue.apply.run import ApplyResult, Ended
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import GIT_FAILED
from mergequeue.vocabulary.ids import ChangeId

KICKED = Ended(ChangeId("1"), Ending.KICKED, Code.KICK_RED)
MERGED = Ended(ChangeId("2"), Ending.MERGED)
BEHIND = Ended(ChangeId("3"), Ending.WAITS, Code.WAIT_BEHIND)


@pytest.mark.parametrize("code", [Code.WAIT_BEHIND, Code.WAIT_CONFLICT_AHEAD, Code.WAIT_REVALIDATE])
def test_one_is_wanted_where_some_went_back_and_others_wait_for_nothing_but_a_run(
    code: Code,
) -> None:
    waits = Ended(ChangeId("3"), Ending.WAITS, code)
    assert is_another_run_wanted(ApplyResult((KICKED, waits)))


@pytest.mark.parametrize(
    "result",
    [
        pytest.param(ApplyResult((KICKED, MERGED, BEHIND)), id="something merged"),
        pytest.param(ApplyResult((BEHIND,)), id="nothing went back"),
        pytest.param(ApplyResult((KICKED,)), id="nobody is left"),
        pytest.param(
            ApplyResult((KICKED, Ended(ChangeId("3"), Ending.WAITS, Code.WAIT_NOT_APPROVED))),
            id="what is left waits for something of its own",
        ),
        pytest.param(ApplyResult((KICKED, BEHIND), stopped=True), id="it was stopped"),
        pytest.param(ApplyResult((KICKED, BEHIND), errors=(GIT_FAILED("x"),)), id="it failed"),
        pytest.param(
            ApplyResult(
                (
                    Ended(ChangeId("1"), Ending.KICKED, Code.KICK_RED, would=True),
                    Ended(ChangeId("3"), Ending.WAITS, Code.WAIT_BEHIND, would=True),
                )
            ),
            id="it only said what it would do",
        ),
    ],
)
def test_none_is_wanted_where(result: ApplyResult) -> None:
    assert not is_another_run_wanted(result)
