"""A write whose answer is lost: what is true is read before it is done again, so that whatever was
lost the end is the same, and nothing is done twice (issue 5, Writing; CASES D).
"""

import pytest

from mergequeue.github.answers import UnclearError
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.words import Mark, Method
from tests.fakes.github.faults import Fault
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider
from tests.github.test_pull_merges import request
from tests.github.test_writing import kick_of, mark, post

SQUASH, REBASE = "merge-queue: squash", "merge-queue: rebase"
KICKED = "merge-queue: kicked back"


WAYS = {
    Fault.REFUSED: False,
    Fault.LOST: False,
    Fault.CUT: True,
    Fault.DONE_AND_BROKEN: True,
    Fault.DONE_AND_LOST: True,
}
"""How a write is lost, and whether it was carried out all the same."""


def opened(github: GitHub, **more: object) -> Pull:
    return github.open_pull("a", {"a.txt": "a\n"}, **more)  # type: ignore[arg-type]  # the story's own words


@pytest.mark.parametrize("way", list(WAYS))
def test_a_lost_status_is_posted_and_not_twice(
    github: GitHub, provider: Provider, way: Fault
) -> None:
    pull = opened(github)
    github.faults.add("POST .*/statuses/", way, status=502)
    provider.writes.post_status([post(pull)])
    assert len(github.repository.statuses[pull.head_sha]) == 1
    github.wrote()


@pytest.mark.parametrize("way", list(WAYS))
def test_a_lost_mark_is_shown_whichever_of_its_writes_was_lost(
    github: GitHub, provider: Provider, way: Fault
) -> None:
    pull = opened(github, labels=("merge-queue: kicked back", REBASE))
    for call in ("POST .*/acme/labels", "POST .*/1/labels", "DELETE .*/1/labels"):
        github.faults.add(call, way, status=502)
    assert provider.writes.mark([mark(pull, Mark.QUEUED)]) == ()
    assert pull.labels == [REBASE, "merge-queue: queued"]
    github.faults.add("DELETE .*/1/labels", way, status=502)
    assert provider.writes.mark([mark(pull, Mark.NONE)]) == ()
    assert pull.labels == []
    assert len(github.faults.met) == 4
    github.wrote()


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("call", ["POST .*/comments", "/graphql DisableAutoMerge", "DELETE "])
def test_a_lost_kick_back_is_one_comment_and_no_intent(
    github: GitHub, provider: Provider, way: Fault, call: str
) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = opened(github, labels=(SQUASH,))
    github.enable_auto_merge(pull)
    github.faults.add(call, way, status=502)
    provider.writes.kick_back(kick_of(pull))
    assert len(pull.comments) == len(github.faults.met) == 1
    assert pull.auto_merge is None
    assert pull.labels == [KICKED]
    github.wrote()


@pytest.mark.parametrize("way", list(WAYS))
def test_a_lost_change_of_target_is_made_once(
    github: GitHub, provider: Provider, way: Fault
) -> None:
    github.commit("release", {"r": "r\n"})
    pull = opened(github, base="release")
    github.faults.add("PATCH ", way, status=502)
    provider.retarget(pull, "main")
    assert pull.base == "main"
    assert len(github.wrote()) == 1


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("is_stack", [False, True])
def test_a_lost_merge_is_told_by_reading_the_pull_request(
    github: GitHub, provider: Provider, way: Fault, *, is_stack: bool
) -> None:
    pulls = [opened(github)]
    if is_stack:
        pulls.append(github.open_pull("b", {"b.txt": "b\n"}, base="a"))
        github.stack(*pulls)
    asked = request(github, pulls[-1], Method.SQUASH, tuple(pulls[:-1]))
    github.faults.add("PUT .*/merge", way, status=502)
    if WAYS[way]:
        assert provider.writes.merge_change(asked).merged
    else:
        with pytest.raises(UnclearError):
            provider.writes.merge_change(asked)
    assert pulls[-1].merged is WAYS[way]
    assert len(provider.asked("PUT")) == 1
    github.wrote()


def test_what_is_lost_twice_is_an_error_that_says_so(github: GitHub, provider: Provider) -> None:
    pull = opened(github)
    github.faults.add("POST .*/statuses/", Fault.LOST, times=2)
    with pytest.raises(MergequeueError, match="may or may not have been carried out"):
        provider.writes.post_status([post(pull)])


def test_a_comment_that_cannot_be_hidden_fails_no_kick_back(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github, labels=(SQUASH,))
    provider.writes.kick_back(kick_of(pull))
    github.label(pull, SQUASH)
    github.faults.add("/graphql Minimize", Fault.REFUSED, status=502)
    provider.writes.kick_back(kick_of(pull))
    assert len(pull.comments) == 2
    assert pull.labels == [KICKED]
    (line,) = provider.said
    assert line.startswith("an older comment on #1 could not be hidden: ")
    github.wrote()


def test_what_a_proxy_repeats_shows_once(github: GitHub, provider: Provider) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = opened(github, labels=(SQUASH,))
    github.enable_auto_merge(pull)
    github.faults.add("(POST|PUT|DELETE) .*/repos/", Fault.TWICE, times=50)
    github.faults.add("/graphql (DisableAutoMerge|Minimize)", Fault.TWICE, times=50)
    assert provider.writes.mark([mark(pull, Mark.QUEUED)]) == ()
    provider.writes.kick_back(kick_of(pull))
    assert len([one for one in pull.comments if one.minimized is None]) == 1
    assert pull.labels == [KICKED]
    assert pull.auto_merge is None
    github.repository.rulesets.clear()
    assert provider.writes.merge_change(request(github, pull, Method.SQUASH)).merged
    assert provider.writes.mark([mark(pull, Mark.NONE)]) == ()
    assert pull.labels == []
    github.wrote()
