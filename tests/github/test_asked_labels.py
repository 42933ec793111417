"""The labels that ask for more than queueing: to go first, and for a try run."""

import pytest

from mergequeue.github.labels import FIRST, TRY, moves_to
from mergequeue.vocabulary.words import Mark
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider
from tests.github.test_listing import SQUASH, listing, opened

PEOPLE = ["maintainer", "reader", "outsider", "admin"]


def test_a_queued_pull_request_goes_first_where_a_writer_labelled_it_so(
    github: GitHub, provider: Provider
) -> None:
    for by in PEOPLE:
        pull = opened(github, by)
        github.label(pull, SQUASH)
        github.label(pull, FIRST, by=by)
    found = listing(provider)
    assert [change.priority for change in found.changes] == [True, False, False, True]
    assert any("has no write access" in line for line in provider.said)


def test_a_try_run_is_of_what_a_writer_labelled_so_and_is_not_queued_itself(
    github: GitHub, provider: Provider
) -> None:
    for by in PEOPLE:
        github.label(opened(github, by, draft=by == "admin"), TRY, by=by)
    queued = opened(github, "queued")
    github.label(queued, SQUASH)
    github.label(queued, TRY)
    github.commit("release", {"r": "r\n"})
    github.label(opened(github, "elsewhere", base="release"), TRY)
    found = listing(provider)
    assert [change.id for change in found.changes] == ["5"]
    assert [(one.id, one.tried) for one in found.unqueued] == [
        ("1", True),
        ("2", False),
        ("3", False),
        ("4", True),
        ("6", False),
    ]


def test_a_forks_pull_request_is_not_tried_whoever_asks(github: GitHub, provider: Provider) -> None:
    github.label(opened(github, "a", fork=github.fork("outsider")), TRY, by="admin")
    assert [one.tried for one in listing(provider).unqueued] == [False]


@pytest.mark.parametrize(
    ("mark", "gone"), [(Mark.NONE, (SQUASH, FIRST)), (Mark.KICKED_BACK, ()), (Mark.QUEUED, ())]
)
def test_what_left_the_queue_goes_first_no_more_and_a_kick_back_leaves_the_mark(
    mark: Mark, gone: tuple[str, ...]
) -> None:
    assert moves_to(mark, [SQUASH, FIRST, TRY]).remove == gone
