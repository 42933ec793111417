"""The pinned issue that shows the queue: whose it is, when it is written, what stops nothing."""

from dataclasses import dataclass, field

import pytest

from mergequeue.github.addresses import addresses_of, repo_named
from mergequeue.github.client import Client
from mergequeue.github.credentials import FixedToken
from mergequeue.github.dashboards import PAGE_BYTES, Dashboard, marker_of
from mergequeue.github.transport import Transport
from mergequeue.vocabulary.ids import BranchName
from tests.fakes.github.faults import Fault
from tests.fakes.github.records import Issue
from tests.fakes.github.story import GitHub
from tests.support.answering import PassingClock

MAIN = BranchName("main")
OPENED = ["acme-queue[bot]: opened the issue #1", "acme-queue[bot]: pinned the issue #1"]


@dataclass
class Board:
    """A dashboard, and what it said."""

    dashboard: Dashboard
    said: list[str] = field(default_factory=list)


def board_of(github: GitHub, base: BranchName = MAIN, *, may: bool = True) -> Board:
    clock, said = PassingClock(), list[str]()
    permissions = {"issues": "write"} if may else {"contents": "write"}
    token = github.token("acme-queue[bot]", permissions, repositories=["acme/acme"])
    environment = {"GITHUB_API_URL": github.api_url, "GITHUB_SERVER_URL": github.url}
    client = Client(Transport(clock), addresses_of(environment), FixedToken(token.text), clock)
    return Board(Dashboard(client, repo_named("acme/acme"), base, said.append), said)


def issues(github: GitHub) -> list[Issue]:
    return list(github.repository.issues.values())


def add_issue(github: GitHub, author: str, body: str) -> Issue:
    number, own, moment = github.repository.next_number(), github.new_id(), github.clock.tick()
    made = Issue(number, own, f"I_{own}", author, "Merge queue", body, moment, moment)
    github.repository.issues[number] = made
    return made


def test_it_is_opened_and_pinned_once_and_written_only_when_it_changed(github: GitHub) -> None:
    board_of(github).dashboard.show("one")
    board_of(github).dashboard.show("one")
    assert github.wrote() == OPENED
    board_of(github).dashboard.show("two")
    assert github.wrote() == ["acme-queue[bot]: changed the issue #1: body, state"]
    (issue,) = issues(github)
    assert (issue.title, issue.pinned) == ("Merge queue", True)
    assert issue.body == f"two\n\n{marker_of(MAIN)}"


def test_somebody_elses_issue_is_never_taken_for_it(github: GitHub) -> None:
    github.open_pull("one", {"one": "1\n"}, author="acme-queue[bot]", body=marker_of(MAIN))
    github.creators_are_ignored = True
    theirs = add_issue(github, "outsider", f"mine\n\n{marker_of(MAIN)}")
    own = add_issue(github, "acme-queue[bot]", "another thing that the app wrote")
    board_of(github).dashboard.show("one")
    assert (theirs.body, own.body) == (
        f"mine\n\n{marker_of(MAIN)}",
        "another thing that the app wrote",
    )
    assert [issue.pinned for issue in issues(github)] == [False, False, True]
    github.explain("the issue")


def test_two_bases_have_two(github: GitHub) -> None:
    board_of(github).dashboard.show("one")
    board_of(github, BranchName("release/1.x")).dashboard.show("one")
    assert len(issues(github)) == 2
    github.explain("the issue")


def test_one_that_somebody_closed_is_opened_again(github: GitHub) -> None:
    board_of(github).dashboard.show("one")
    (issue,) = issues(github)
    issue.state = "closed"
    board_of(github).dashboard.show("one")
    assert [found.state for found in issues(github)] == ["open"]
    github.explain("the issue")


def test_a_place_that_is_not_free_to_pin_is_a_line_and_nothing_more(github: GitHub) -> None:
    for _ in range(3):
        add_issue(github, "maintainer", "pinned").pinned = True
    board = board_of(github)
    board.dashboard.show("one")
    assert [issue.pinned for issue in issues(github)] == [True, True, True, False]
    (line,) = board.said
    assert line.startswith("The dashboard #4 could not be pinned, pin it by hand: ")
    board.dashboard.show("two")
    assert board.said == [line]
    github.explain("the issue")


def test_without_the_permission_it_says_which_one_and_raises_nothing(github: GitHub) -> None:
    board = board_of(github, may=False)
    board.dashboard.show("one")
    (line,) = board.said
    assert "Issues: Read and write" in line
    assert issues(github) == []


@pytest.mark.parametrize("fault", [Fault.DONE_AND_LOST, Fault.LOST])
def test_an_answer_that_is_lost_makes_no_second_one(github: GitHub, fault: Fault) -> None:
    github.faults.add("POST .*/issues", fault, times=1)
    board = board_of(github)
    board.dashboard.show("one")
    assert [issue.pinned for issue in issues(github)] == [True]
    assert board.said == []
    github.explain(".")


def test_a_github_that_breaks_is_a_line_and_nothing_more(github: GitHub) -> None:
    github.faults.add(".*/issues", Fault.REFUSED, times=9, status=502)
    board = board_of(github)
    board.dashboard.show("one")
    assert len(board.said) == 1
    assert issues(github) == []


def test_a_page_of_its_full_length_fits(github: GitHub) -> None:
    board = board_of(github)
    board.dashboard.show("x" * PAGE_BYTES)
    assert board.said == []
    assert len(issues(github)[0].body or "") <= 65_536
    github.explain("the issue")
