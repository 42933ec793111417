"""The client over the fake GitHub, with every fault and every limit that the fake knows."""

from collections.abc import Iterator
from threading import Thread

import pytest

from mergequeue.github.addresses import RepoName, addresses_of
from mergequeue.github.answers import RefusedError, UnclearError
from mergequeue.github.client import Client
from mergequeue.github.credentials import FixedToken
from mergequeue.github.transport import Transport
from tests.fakes.github.faults import Fault
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.support.answering import PassingClock

ACME = RepoName("acme", "acme")
COMMENT = {"body": "hello"}


@pytest.fixture
def clock(github: GitHub) -> PassingClock:
    return PassingClock(github.clock.now)


@pytest.fixture
def client(github: GitHub, clock: PassingClock) -> Client:
    addresses = addresses_of({"GITHUB_API_URL": github.api_url, "GITHUB_SERVER_URL": github.url})
    return Client(Transport(clock), addresses, FixedToken(github.writer.text), clock)


@pytest.fixture
def pull(github: GitHub) -> Iterator[Pull]:
    yield github.open_pull("fix", {"a": "1"})
    github.wrote()


def comment(client: Client, pull: Pull) -> None:
    client.write("POST", ACME.path("issues", pull.number, "comments"), COMMENT)


def title(client: Client, pull: Pull) -> object:
    return client.get(ACME.path("pulls", pull.number)).body.at("title").value


@pytest.mark.parametrize(
    "fault",
    [
        Fault.REFUSED,
        Fault.LOST,
        Fault.CUT,
        Fault.DONE_AND_BROKEN,
        Fault.DONE_AND_LOST,
        Fault.TWICE,
    ],
)
def test_a_read_gets_its_answer_whatever_befalls_it(
    github: GitHub, client: Client, pull: Pull, fault: Fault
) -> None:
    github.faults.add("GET .*/pulls/1", fault)
    assert title(client, pull) == "Fix"
    assert github.faults.met == [f"{fault}: GET /repos/acme/acme/pulls/1"]


@pytest.mark.parametrize(
    ("fault", "comments"),
    [
        (Fault.REFUSED, 0),
        (Fault.LOST, 0),
        (Fault.CUT, 1),
        (Fault.DONE_AND_BROKEN, 1),
        (Fault.DONE_AND_LOST, 1),
    ],
)
def test_a_write_is_unclear_whether_it_was_done_or_not_and_is_sent_once(
    github: GitHub, client: Client, pull: Pull, fault: Fault, comments: int
) -> None:
    github.faults.add("POST .*/comments", fault)
    with pytest.raises(UnclearError):
        comment(client, pull)
    assert len(pull.comments) == comments
    assert len([seen for seen in github.log.requests if seen.method == "POST"]) == 1


def test_a_write_that_is_done_twice_on_its_way_is_answered_once(
    github: GitHub, client: Client, pull: Pull
) -> None:
    github.faults.add("POST .*/comments", Fault.TWICE)
    comment(client, pull)
    assert len(pull.comments) == 2


def test_a_call_that_is_held_back_is_answered_when_it_is_let_go(
    github: GitHub, client: Client, pull: Pull
) -> None:
    github.faults.add("POST .*/comments", Fault.DELAYED)
    sending = Thread(target=comment, args=(client, pull))
    sending.start()
    assert title(client, pull) == "Fix"
    assert pull.comments == []
    github.faults.release()
    sending.join()
    assert len(pull.comments) == 1


def test_one_request_of_many_fails_by_its_number(
    github: GitHub, client: Client, pull: Pull
) -> None:
    github.faults.at(2, Fault.REFUSED, status=404)
    assert title(client, pull) == "Fix"
    with pytest.raises(RefusedError):
        title(client, pull)
    assert title(client, pull) == "Fix"


def test_a_query_fails_by_its_name(github: GitHub, client: Client) -> None:
    github.faults.add("POST /graphql Viewer", Fault.REFUSED)
    assert client.graphql("query Viewer { viewer { login } }", {}).at("viewer", "login").value
    assert len(github.faults.met) == 1


# --- limits --------------------------------------------------------------------------------------


def test_the_secondary_limit_is_waited_for_as_long_as_it_says(
    github: GitHub, client: Client, clock: PassingClock, pull: Pull
) -> None:
    github.limits.secondary_after, github.limits.retry_after = 1, 72
    comment(client, pull)
    comment(client, pull)
    assert clock.slept == [72.0]
    assert len(pull.comments) == 2


def test_a_limit_in_words_that_nobody_knows_is_waited_for_once(
    github: GitHub, client: Client, clock: PassingClock, pull: Pull
) -> None:
    github.limits.secondary_after, github.limits.odd_words = 0, "Whoa there"
    comment(client, pull)
    assert clock.slept == [60.0]
    assert len(pull.comments) == 1


def test_the_hourly_limit_is_over_by_githubs_clock(
    github: GitHub, client: Client, clock: PassingClock, pull: Pull
) -> None:
    github.limits.primary = 1
    github.limits.reset = int(github.clock.now.timestamp()) + 300
    assert title(client, pull) == "Fix"

    def over(seconds: float, sleep: object = clock.sleep) -> None:
        assert callable(sleep)
        sleep(seconds)
        github.limits.primary = None

    clock.sleep = over  # type: ignore[method-assign]  # the limit is over once it was waited for
    assert title(client, pull) == "Fix"
    assert clock.slept == [301.0]


def test_what_did_not_change_counts_nothing(github: GitHub, client: Client, pull: Pull) -> None:
    title(client, pull)
    spent = github.limits.spent
    assert [title(client, pull) for _ in range(3)] == ["Fix"] * 3
    assert github.limits.spent == spent
    github.label(pull, "new")
    title(client, pull)
    assert github.limits.spent == spent + 1
