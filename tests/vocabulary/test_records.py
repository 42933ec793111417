"""Where a queue's records are, and that their history is as long as a week."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.vocabulary.ids import BranchName, CommitId, parse_ref
from mergequeue.vocabulary.records import log_ref, state_ref

BASE = BranchName("release/1.0")
LAST = CommitId("a" * 40)
MONDAY = datetime(2026, 12, 28, tzinfo=UTC)


def test_the_records_of_a_base_have_a_reference_of_their_own() -> None:
    assert parse_ref(state_ref(BASE)) == "refs/mergequeue/state/release/1.0"


@given(st.timedeltas(timedelta(0), timedelta(days=7) - timedelta(seconds=1)))
def test_a_history_goes_on_until_its_week_is_over(span: timedelta) -> None:
    assert log_ref(BASE, LAST, MONDAY, MONDAY + span) is None
    kept = log_ref(BASE, LAST, MONDAY + span, MONDAY + timedelta(days=7))
    assert kept == f"refs/mergequeue/log/release/1.0/2026-W53-{LAST[:12]}"
    assert parse_ref(kept) == kept
