"""Seed 1, Input; facts P8 and P14; DESIGN, Rulings 7."""

import pytest

from mergequeue.changes.acceptable import decide_alone, decide_method, decide_units
from mergequeue.changes.decided import MERGED, Decided
from mergequeue.changes.history import History
from mergequeue.documents.changes import Change
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import ChangeId
from mergequeue.vocabulary.words import Method
from tests.support.graphs import Commits, commit_id
from tests.support.listings import TIP, queued


@pytest.fixture
def history() -> History:
    """A base with a tip, and the changes `a` and `b` on it."""
    commits = Commits()
    commits.line("root", "tip")
    commits.line("root", "a", "b")
    heads = [commit_id("a"), commit_id("b")]
    return History(commits.graph(heads, TIP.commit), heads)


def alone(history: History, *changes: Change) -> dict[ChangeId, Decided]:
    """Return what is decided of changes whose heads could all be read but `gone`."""
    return decide_alone(changes, history, {commit_id("gone")}, TIP)


def test_nothing_is_decided_of_an_ordinary_change(history: History) -> None:
    assert alone(history, queued("1", "a"), queued("2", "b")) == {}


def test_a_fork_is_refused_naming_the_repository_to_push_to(history: History) -> None:
    found = alone(history, queued("1", "a", fork=True, repo="acme/acme"))

    assert found[ChangeId("1")].code is Code.KICK_REFUSED
    assert found[ChangeId("1")].reason == (
        "Its branch is in a fork, which the queue cannot push to: push the branch to `acme/acme` "
        "and open the change from there."
    )


def test_a_head_on_the_base_has_merged_whatever_else_holds(history: History) -> None:
    found = alone(history, queued("1", "root", refused="a draft"), queued("2", "root"))

    assert found == {"1": MERGED, "2": MERGED}


def test_a_fork_is_refused_before_anything_else(history: History) -> None:
    assert alone(history, queued("1", "root", fork=True))[ChangeId("1")].code is Code.KICK_REFUSED


def test_a_head_that_could_not_be_read_has_not_merged(history: History) -> None:
    assert alone(history, queued("1", "gone")) == {}


def test_what_the_provider_can_never_merge_is_refused_in_its_words_as_text(
    history: History,
) -> None:
    found = alone(history, queued("1", "a", refused="two `heads`\nmeet"))

    assert found[ChangeId("1")].reason == (
        'The provider can never merge it, and says: `"two heads\\x0ameet"`.'
    )


def test_two_changes_at_one_head_for_one_base_are_both_refused(history: History) -> None:
    found = alone(history, queued("1", "a"), queued("2", "b"), queued("3", "a"))

    assert set(found) == {"1", "3"}
    assert "change `3`" in found[ChangeId("1")].reason
    assert "change `1`" in found[ChangeId("3")].reason


def test_one_head_queued_for_two_bases_is_not_told_here(history: History) -> None:
    assert alone(history, queued("1", "a"), queued("2", "a", base="release")) == {}


def test_a_method_outside_those_the_base_allows_is_refused() -> None:
    merge = queued("1", "a", method=Method.MERGE)

    assert decide_method(merge, (Method.MERGE,), TIP) is None
    refused = decide_method(merge, (Method.SQUASH, Method.REBASE), TIP)
    assert refused is not None
    assert refused.reason == (
        "The base does not allow the merge method `merge`: queue it with one of `squash`, `rebase`."
    )


@pytest.mark.parametrize("unit", ["", "-x", "--gate=x", "-"])
def test_a_unit_that_a_gate_would_not_read_as_one_is_refused(unit: str) -> None:
    refused = decide_units(queued("1", "a"), ["good", unit], TIP)

    assert refused is not None
    assert refused.code is Code.KICK_REFUSED


@pytest.mark.parametrize("unit", ["/", "a-b", "libs/parser", "ü"])
def test_any_other_unit_is_fine(unit: str) -> None:
    assert decide_units(queued("1", "a"), [unit], TIP) is None
