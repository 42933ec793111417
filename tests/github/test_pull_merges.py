"""Merging, alone and in a stack, over the fake GitHub (facts 1.9, 1.11; CASES C, D, F, G)."""

from collections.abc import Callable

import pytest

from mergequeue.documents.changes import Change
from mergequeue.documents.provider import MergeAnswer, MergeMember, MergeRequest
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, TreeId
from mergequeue.vocabulary.words import Method
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider

SQUASH = "merge-queue: squash"
MESSAGE = "* One\n\n* Two\n"


def opened(github: GitHub, name: str = "a", **more: object) -> Pull:
    return github.open_pull(name, {f"{name}.txt": f"{name}\n"}, **more)  # type: ignore[arg-type]  # the story's own words


def change_of(pull: Pull, method: Method = Method.SQUASH) -> Change:
    return Change(
        id=ChangeId(str(pull.number)),
        head=CommitId(pull.head_sha),
        base=BranchName("main"),
        method=method,
        repo="acme/acme",
    )


def request(
    github: GitHub,
    pull: Pull,
    method: Method = Method.SQUASH,
    through: tuple[Pull, ...] = (),
    message: str = MESSAGE,
) -> MergeRequest:
    change = change_of(pull, method)
    tree = TreeId("0" * 40)
    return MergeRequest(
        change=change,
        commit=change.head,
        onto=CommitId(github.tip()),
        tree=tree,
        message=message,
        app="acme-queue",
        through=tuple(
            MergeMember(
                change=change_of(one), commit=CommitId(one.head_sha), tree=tree, message=message
            )
            for one in through
        ),
    )


def said(github: GitHub, commit: str = "") -> str:
    return github.repository.git.object(commit or github.tip()).message


def test_a_merge_is_pinned_and_says_its_own_words(github: GitHub, provider: Provider) -> None:
    pull = opened(github)
    assert provider.writes.merge_change(request(github, pull)) == MergeAnswer(merged=True)
    assert said(github).rstrip("\n") == "A (#1)\n\n* One\n\n* Two"
    assert github.wrote() == ["acme-queue[bot]: merge of #1 by squash"]


def test_a_merge_commit_says_githubs_usual_words_whatever_the_settings(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github)
    provider.writes.merge_change(request(github, pull, Method.MERGE))
    assert said(github).rstrip("\n") == "Merge pull request #1 from acme/a\n\nA"
    github.wrote()


def test_no_word_in_a_message_keeps_workflows_from_running(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github, title="[skip ci] now")
    provider.writes.merge_change(request(github, pull, message="* [no ci] x\n"))
    assert "[skip ci]" not in said(github)
    assert "[no ci]" in said(github) or "(no ci)" in said(github)
    assert said(github).startswith("(skip ci) now (#1)")
    github.wrote()


def test_what_was_typed_with_auto_merge_wins(github: GitHub, provider: Provider) -> None:
    github.require_checks("never", app=github.app)
    pull = opened(github)
    github.enable_auto_merge(pull, "squash", title="My title", message="My words")
    github.repository.rulesets.clear()
    provider.writes.merge_change(request(github, pull))
    assert said(github).rstrip("\n") == "My title\n\nMy words"
    github.wrote()


def test_auto_merge_is_waited_for_and_reads_as_githubs_own(
    github: GitHub, provider: Provider
) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = opened(github)
    github.enable_auto_merge(pull)
    polls = provider.when_asked(
        "GET", f"/pulls/{pull.number}", 4, lambda: github.status(pull, "merge-queue")
    )
    answer = provider.writes.merge_change(request(github, pull))
    assert answer == MergeAnswer(merged=True, by_provider=True)
    assert provider.clock.slept == [5.0] * (len(polls) - 1)
    github.wrote()


def test_when_auto_merge_does_not_come_the_queue_merges_it_itself(
    github: GitHub, provider: Provider
) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = opened(github)
    github.enable_auto_merge(pull)
    github.auto_merge_waits = True
    github.status(pull, "merge-queue")
    assert provider.writes.merge_change(request(github, pull)) == MergeAnswer(merged=True)
    assert provider.clock.slept == [5.0] * 12
    github.wrote()


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (lambda github, pull: github.close(pull), "it is closed"),
        (lambda github, pull: github.disable_auto_merge(pull), "neither auto-merge nor a label"),
        (lambda github, pull: github.push(pull, {"x": "x\n"}), "its head is "),
    ],
)
def test_the_wait_for_auto_merge_ends_with_the_pull_request(
    github: GitHub,
    provider: Provider,
    happens: Callable[[GitHub, Pull], object],
    reason: str,
) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = opened(github)
    github.enable_auto_merge(pull)
    asked = request(github, pull)
    provider.when_asked("GET", f"/pulls/{pull.number}", 3, lambda: happens(github, pull))
    answer = provider.writes.merge_change(asked)
    assert not answer.merged
    assert answer.reason.startswith(reason)
    assert len(provider.clock.slept) < 12
    github.wrote()


def test_another_head_is_not_merged(github: GitHub, provider: Provider) -> None:
    pull = opened(github)
    asked = request(github, pull)
    github.push(pull, {"more.txt": "more\n"})
    assert not provider.writes.merge_change(asked).merged
    assert github.wrote() == []


def test_a_refusal_is_given_in_githubs_words(github: GitHub, provider: Provider) -> None:
    github.require_checks("build")
    pull = opened(github)
    answer = provider.writes.merge_change(request(github, pull))
    assert not answer.merged
    assert "build" in answer.reason
    github.wrote()


def test_one_that_somebody_merged_meanwhile_is_merged_and_not_by_the_queue(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github)
    asked = request(github, pull)
    github.merge(pull, "squash")
    assert provider.writes.merge_change(asked) == MergeAnswer(merged=True, by_provider=True)
    assert github.wrote() == []


def test_one_that_targets_another_branch_is_not_merged(github: GitHub, provider: Provider) -> None:
    github.commit("release", {"r": "r\n"})
    pull = opened(github, base="release")
    answer = provider.writes.merge_change(request(github, pull))
    assert answer.reason == "it targets release, and not main"


# --- stacks --------------------------------------------------------------------------------------


def stack(github: GitHub, size: int = 3) -> list[Pull]:
    names = "abcdefg"[:size]
    bases = ("main", *names)
    pulls = [opened(github, name, base=base) for name, base in zip(names, bases, strict=False)]
    github.stack(*pulls)
    github.label(pulls[-1], SQUASH)
    return pulls


def test_a_stack_merges_in_one_call_through_its_top(github: GitHub, provider: Provider) -> None:
    lower, middle, top = stack(github)
    answer = provider.writes.merge_change(request(github, top, through=(lower, middle)))
    assert answer == MergeAnswer(merged=True)
    assert all(pull.merged for pull in (lower, middle, top))
    github.wrote()


def test_a_member_that_moved_keeps_the_stack_from_merging(
    github: GitHub, provider: Provider
) -> None:
    lower, top = stack(github, 2)
    asked = request(github, top, through=(lower,))
    github.push(lower, {"more.txt": "more\n"})
    answer = provider.writes.merge_change(asked)
    assert answer.reason.startswith("the head of #1, beneath it, is ")
    assert github.wrote() == []


def test_no_member_merges_that_nobody_asked_for(github: GitHub, provider: Provider) -> None:
    _, _, top = stack(github)
    answer = provider.writes.merge_change(request(github, top))
    assert answer.reason == "merging it would merge #1, #2 beneath it, too"
    assert github.wrote() == []


def test_the_bottom_of_a_stack_merges_alone(github: GitHub, provider: Provider) -> None:
    lower, _, top = stack(github)
    assert provider.writes.merge_change(request(github, lower)).merged
    assert not top.merged
    github.wrote()


@pytest.mark.parametrize("status", [200, 400])
def test_a_stack_merge_that_fails_at_once_is_told_in_githubs_words(
    github: GitHub, provider: Provider, status: int
) -> None:
    lower, top = stack(github, 2)
    github.async_merge_refusal = (status, "Required status check expected")
    answer = provider.writes.merge_change(request(github, top, through=(lower,)))
    assert answer == MergeAnswer(merged=False, reason="Required status check expected")
    github.wrote()


def test_a_stack_merge_that_fails_later_is_told_in_githubs_words(
    github: GitHub, provider: Provider
) -> None:
    github.require_checks("build")
    lower, top = stack(github, 2)
    answer = provider.writes.merge_change(request(github, top, through=(lower,)))
    assert not answer.merged
    assert "build" in answer.reason
    github.wrote()


def test_a_stack_merge_that_is_running_already_is_followed(
    github: GitHub, provider: Provider
) -> None:
    lower, top = stack(github, 2)
    asked = request(github, top, through=(lower,))
    github.async_merge_waits = True
    first = provider.writes.merge_change(asked)
    assert first.reason == "GitHub did not end the merge of its stack in five minutes"
    provider.when_asked("GET", "/merge-async/", 3, github.run_async_merges)
    assert provider.writes.merge_change(asked) == MergeAnswer(merged=True)
    github.wrote()


def test_a_stack_merge_is_not_followed_once_its_top_closed(
    github: GitHub, provider: Provider
) -> None:
    lower, top = stack(github, 2)
    asked = request(github, top, through=(lower,))
    github.async_merge_waits = True
    provider.when_asked("GET", "/merge-async/", 2, lambda: github.close(top))
    answer = provider.writes.merge_change(asked)
    assert answer.reason == "it is closed"
    assert len(provider.clock.slept) < 10
    github.wrote()
