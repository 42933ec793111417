"""The words that apply writes on the base, on branches and in statuses (facts 3.11; CASES, G)."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.ports import CommitFacts
from mergequeue.report import applying, messages
from mergequeue.report.waits import wait_reason
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import CommitId
from mergequeue.vocabulary.limits import STATUS_DESCRIPTION_BYTES
from tests.support.graphs import commit_id
from tests.support.planned import tree

DATE = datetime(2030, 1, 1, tzinfo=UTC)
ANN = Identity("Ann", "ann@example.invalid")
BEN = Identity("Ben", "Ben@Example.invalid")


def commit(
    message: str, author: Identity = ANN, parents: Sequence[str] = ("before",)
) -> CommitFacts:
    above: tuple[CommitId, ...] = tuple(commit_id(parent) for parent in parents)
    return CommitFacts(commit_id(message), tree("any"), above, author, DATE, author, DATE, message)


def test_a_squash_message_has_a_bullet_for_each_own_commit_and_none_for_a_merge() -> None:
    first, merge, last = (
        commit("fix: the parser\n\nAt length.\n"),
        commit("Merge branch 'main'\n", parents=("a", "b")),
        commit("test: the\nparser\n"),
    )
    message = messages.squash_message([first, merge, last], last)
    assert message == "* fix: the parser\n\n* test: the parser\n"


def test_the_people_of_its_commits_stand_once_each_at_the_end() -> None:
    commits = [
        commit("one\n\nCo-authored-by: Ben B <ben@example.invalid>\n"),
        commit("two\n", author=BEN),
        commit(
            "three\n\nReviewed-by: Cy <cy@example.invalid>\nCO-AUTHORED-BY: Dee <dee@x.invalid>\n"
        ),
        commit(
            "4\n\nco-authored-by: A <ANN@example.invalid>\nReviewed-By: Cy <cy@example.invalid>\n"
        ),
    ]
    assert messages.squash_message(commits, commits[-1]) == (
        "* one\n\n* two\n\n* three\n\n* 4\n\n"
        "Co-authored-by: Ben B <ben@example.invalid>\n"
        "Reviewed-by: Cy <cy@example.invalid>\n"
        "CO-AUTHORED-BY: Dee <dee@x.invalid>\n"
    )


def test_prose_that_ends_like_a_trailer_is_none() -> None:
    prose = commit("one\n\nThis is why\nNote: it matters\n")
    assert messages.squash_message([prose], prose) == "* one\n"


@pytest.mark.parametrize("marker", ["skip ci", "ci skip", "no ci", "skip actions", "actions skip"])
def test_no_word_in_a_message_keeps_workflows_from_running(marker: str) -> None:
    made = commit(f"docs: say what [{marker.upper()}] does\n\nskip-checks: true\n")
    message = messages.squash_message([made], made)
    assert f"[{marker.upper()}]" not in message
    assert f"({marker.upper()})" in message
    assert "skip-checks: true" not in message
    assert messages.holds_skip([made.message])
    assert not messages.holds_skip(["an honest change\n"])


@given(st.text())
def test_a_status_says_why_within_what_a_provider_shows(why: str) -> None:
    shown = applying.waiting(why)
    assert shown.startswith("waiting: ")
    assert len(shown.encode()) <= STATUS_DESCRIPTION_BYTES
    assert shown.isprintable()


@pytest.mark.parametrize("code", [code for code in Code if code.is_wait])
def test_a_status_that_is_cut_still_says_what_ends_the_wait(code: Code) -> None:
    why = wait_reason(code, detail="it waits for something with a very long name; " * 9)
    shown = applying.waiting(why)
    assert shown.startswith("waiting: it waits for something")
    assert shown.endswith(why.rpartition("; ")[2])
    assert len(shown.encode()) <= STATUS_DESCRIPTION_BYTES


@given(st.text())
def test_a_remotes_words_are_a_code_span(reason: str) -> None:
    detail = applying.push_refused(reason)
    assert detail.startswith("Its branch refused the update commit: `")
    assert "\n" not in detail
