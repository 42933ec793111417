"""What an answer calls for, by its status and headers first (CASES D)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.github.patience import (
    Again,
    Came,
    Done,
    GiveUp,
    Renew,
    Tries,
    Turns,
    Unclear,
    decide_next,
)
from mergequeue.vocabulary import limits

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
DATE = "Mon, 30 Nov 2026 12:00:00 GMT"
RESET = str(int(NOW.timestamp()) + 90)


def next_of(
    status: int,
    *,
    write: bool = False,
    message: str = "",
    tries: Tries | None = None,
    **headers: str,
) -> object:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return decide_next(Came(status, named, message), tries or Tries(), NOW, is_write=write)


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("status", [403, 429])
def test_a_limit_is_told_by_its_headers_whatever_its_words(status: int, *, write: bool) -> None:
    words = "You have done something odd"
    assert next_of(status, write=write, message=words, retry_after="72") == Again(
        72.0, "its rate limit"
    )
    assert next_of(
        status, write=write, message=words, x_ratelimit_remaining="0", x_ratelimit_reset=RESET
    ) == Again(91.0, "its rate limit")


def test_a_limit_ends_by_githubs_clock_and_not_by_ours() -> None:
    ahead = "Mon, 30 Nov 2026 12:01:00 GMT"
    assert next_of(403, x_ratelimit_remaining="0", x_ratelimit_reset=RESET, date=ahead) == Again(
        31.0, "its rate limit"
    )
    assert next_of(429, retry_after="Mon, 30 Nov 2026 12:00:40 GMT", date=DATE) == Again(
        40.0, "its rate limit"
    )


def test_a_429_without_any_header_waits_a_minute() -> None:
    assert next_of(429) == Again(60.0, "its rate limit")


def test_a_limit_that_lasts_too_long_is_told_with_its_end() -> None:
    hour = str(int(NOW.timestamp()) + 3600)
    given_up = next_of(403, x_ratelimit_remaining="0", x_ratelimit_reset=hour)
    assert given_up == GiveUp("its rate limit is not over before 13:00:01 UTC", is_limit=True)


def test_a_limit_met_again_and_again_is_given_up() -> None:
    tries = Tries()
    seen = [next_of(429, retry_after="1", tries=tries) for _ in range(limits.LIMIT_TRIES + 1)]
    assert seen[:-1] == [Again(1.0, "its rate limit")] * limits.LIMIT_TRIES
    assert isinstance(seen[-1], GiveUp)


def test_an_unknown_403_on_a_write_waits_a_minute_once() -> None:
    tries = Tries()
    first = next_of(403, write=True, message="Slow down, friend", tries=tries)
    assert first == Again(60.0, "an unknown 403 (Slow down, friend)")
    assert next_of(403, write=True, message="Slow down, friend", tries=tries) == Done()


def test_a_403_that_names_a_permission_is_no_limit() -> None:
    words = "Resource not accessible by integration"
    assert next_of(403, write=True, message=words) == Done()
    assert next_of(403, message="Must have admin rights") == Done()


@pytest.mark.parametrize("remaining", ["1", "59", "", "none"])
def test_requests_that_are_left_are_no_limit(remaining: str) -> None:
    assert next_of(403, x_ratelimit_remaining=remaining, x_ratelimit_reset=RESET) == Done()


@pytest.mark.parametrize("write", [False, True])
def test_a_401_asks_for_a_new_credential_once(*, write: bool) -> None:
    tries = Tries()
    assert next_of(401, write=write, tries=tries) == Renew()
    assert next_of(401, write=write, tries=tries) == Done()


@pytest.mark.parametrize("status", [500, 502, 503, 504, 0, 408, 304])
def test_a_read_without_an_answer_is_asked_again_a_few_times(status: int) -> None:
    tries = Tries()
    seen = [next_of(status, tries=tries) for _ in range(limits.READ_TRIES)]
    assert [it.seconds for it in seen if isinstance(it, Again)] == [1.0, 2.0, 4.0]
    assert isinstance(seen[-1], GiveUp)


@pytest.mark.parametrize("status", [500, 502, 503, 504, 0, 408])
def test_a_write_without_an_answer_is_unclear_and_never_repeated(status: int) -> None:
    assert isinstance(next_of(status, write=True), Unclear)


def test_a_write_that_never_reached_github_may_be_repeated() -> None:
    came = Came(0, {}, "the connection broke", reached=False)
    assert decide_next(came, Tries(), NOW, is_write=True) == Again(1.0, "the connection broke")


@pytest.mark.parametrize("status", [200, 201, 204, 404, 405, 409, 410, 422])
@pytest.mark.parametrize("write", [False, True])
def test_every_other_status_is_the_callers(status: int, *, write: bool) -> None:
    assert next_of(status, write=write) == Done()


@given(
    status=st.integers(0, 599),
    headers=st.dictionaries(
        st.sampled_from(["retry-after", "x-ratelimit-remaining", "x-ratelimit-reset", "date"]),
        st.one_of(st.text(max_size=30), st.integers(-(10**12), 10**12).map(str), st.just("0")),
    ),
    write=st.booleans(),
)
def test_any_answer_is_settled_after_a_bounded_wait(
    status: int, headers: dict[str, str], *, write: bool
) -> None:
    tries = Tries()
    for _ in range(12):
        decided = decide_next(Came(status, headers), tries, NOW, is_write=write)
        if not isinstance(decided, Again | Renew):
            return
        if isinstance(decided, Again):
            assert 0 <= decided.seconds <= limits.LIMIT_WAIT_SECONDS
    raise AssertionError


def test_the_501st_write_waits_until_the_first_is_an_hour_old() -> None:
    turns = Turns()
    for number in range(500):
        assert turns.wait(NOW + timedelta(seconds=4 * number)) <= 0
        turns.sent(NOW + timedelta(seconds=4 * number))
    assert turns.wait(NOW + timedelta(seconds=2000)) == 1600.0


@given(st.lists(st.floats(0, 40), min_size=1, max_size=700))
def test_no_minute_has_more_than_80_writes_and_no_hour_more_than_500(gaps: list[float]) -> None:
    turns, now, sent = Turns(), NOW, []
    for gap in gaps:
        now += timedelta(seconds=gap)
        now += timedelta(seconds=turns.wait(now))
        assert turns.wait(now) <= 0.000001
        turns.sent(now)
        sent.append(now)
    for number, one in enumerate(sent):
        assert sum(one <= it < one + timedelta(seconds=59.99) for it in sent[number:]) <= 80
        assert sum(one <= it < one + timedelta(seconds=3599.99) for it in sent[number:]) <= 500
