from datetime import UTC, datetime, timedelta, timezone

from mergequeue.plan.dates import commit_date


def test_the_newest_date_is_taken_whatever_zone_each_is_written_in() -> None:
    early = datetime(2024, 1, 1, 12, 0, tzinfo=timezone(timedelta(hours=-8)))
    late = datetime(2024, 1, 1, 21, 30, tzinfo=timezone(timedelta(hours=2)))

    assert commit_date([late, early]) == datetime(2024, 1, 1, 20, 0, tzinfo=UTC)
    assert commit_date([early]).utcoffset() == timedelta(0)


def test_the_date_has_whole_seconds() -> None:
    assert commit_date([datetime(2024, 1, 1, microsecond=7, tzinfo=UTC)]).microsecond == 0
