"""Statuses, marks, kick-backs and targets, over the fake GitHub (facts 1.9, 2.9, 2.10)."""

import pytest

from mergequeue.documents.changes import Change
from mergequeue.documents.provider import KickBack, MarkRequest, RetargetRequest, StatusPost
from mergequeue.report.kicks import kick_report
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.errors import BAD_ANSWER, PROVIDER_FAILED, MergequeueError
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import STATUS_CONTEXT, Mark, Method, StatusState
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider

SQUASH, REBASE, MERGE = "merge-queue: squash", "merge-queue: rebase", "merge-queue: merge"
PENDING, SUCCESS = StatusState.PENDING, StatusState.SUCCESS
QUEUED, KICKED = "merge-queue: queued", "merge-queue: kicked back"


def opened(github: GitHub, name: str = "a", **more: object) -> Pull:
    return github.open_pull(name, {f"{name}.txt": f"{name}\n"}, **more)  # type: ignore[arg-type]  # the story's own words


def post(
    pull: Pull, state: StatusState = PENDING, said: str = "waiting: x", commit: str = ""
) -> StatusPost:
    return StatusPost(
        change=ChangeId(str(pull.number)),
        repo="acme/acme",
        commit=CommitId(commit or pull.head_sha),
        context=STATUS_CONTEXT,
        state=state,
        description=said,
    )


def mark(pull: Pull, wanted: Mark) -> MarkRequest:
    return MarkRequest(change=ChangeId(str(pull.number)), repo="acme/acme", mark=wanted)


def labels(pull: Pull) -> list[str]:
    return list(pull.labels)


def kick_of(pull: Pull, code: Code = Code.KICK_RED, paths: tuple[str, ...] = ()) -> KickBack:
    change = Change(
        id=ChangeId(str(pull.number)),
        head=CommitId(pull.head_sha),
        base=BranchName("main"),
        method=Method.SQUASH,
        repo="acme/acme",
    )
    report = kick_report(code, change=change, base=change.base, on=change.head, paths=paths)
    return KickBack(change=change, commit=change.head, code=code, report=report, paths=paths)


# --- statuses ------------------------------------------------------------------------------------


def test_a_status_is_posted_on_the_head(github: GitHub, provider: Provider) -> None:
    pull = opened(github)
    provider.writes.post_status([post(pull)])
    assert github.wrote() == ["acme-queue[bot]: status merge-queue is pending on #1"]


def test_no_status_is_posted_on_what_is_not_the_head(github: GitHub, provider: Provider) -> None:
    pull = opened(github)
    old = pull.head_sha
    github.push(pull, {"more.txt": "more\n"})
    with pytest.raises(MergequeueError, match="is not the head of #1") as caught:
        provider.writes.post_status([post(pull, SUCCESS, commit=old)])
    assert caught.value.code == PROVIDER_FAILED.code


def test_a_success_is_taken_back_where_it_stands_also_once_the_head_moved(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github)
    old = pull.head_sha
    provider.writes.post_status([post(pull, SUCCESS)])
    github.push(pull, {"more.txt": "more\n"})
    provider.writes.post_status([post(pull, PENDING, commit=old)])
    assert len(github.wrote("status merge-queue is")) == 2


def test_a_status_that_cannot_be_posted_keeps_no_other_from_it(
    github: GitHub, provider: Provider
) -> None:
    pulls = [opened(github, name) for name in "abc"]
    posts = [post(pulls[0]), post(pulls[1], commit="1" * 40), post(pulls[2])]
    with pytest.raises(MergequeueError):
        provider.writes.post_status(posts)
    assert [line[-2:] for line in github.wrote("status merge-queue is pending")] == ["#1", "#3"]


def test_a_status_says_its_end_however_long_it_is(github: GitHub, provider: Provider) -> None:
    pull = opened(github)
    said = "waiting: for " + "é" * 200 + "; it goes on once it is approved at its head"
    provider.writes.post_status([post(pull, said=said)])
    shown = github.repository.statuses[pull.head_sha][-1].description or ""
    assert len(shown.encode()) <= 140
    assert shown.startswith("waiting: for é")
    assert shown.endswith("; it goes on once it is approved at its head"[-40:])
    github.explain("status")


def test_a_change_of_another_repository_is_written_to_by_nobody(provider: Provider) -> None:
    request = RetargetRequest(change=ChangeId("1"), repo="acme/other", base=BranchName("main"))
    with pytest.raises(MergequeueError) as caught:
        provider.writes.retarget(request)
    assert caught.value.code == BAD_ANSWER.code


# --- marks ---------------------------------------------------------------------------------------


def test_a_mark_is_one_label_and_takes_the_place_of_the_other(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github, labels=("bug", "x", "y"))
    assert provider.writes.mark([mark(pull, Mark.QUEUED)]) == ()
    assert provider.writes.mark([mark(pull, Mark.KICKED_BACK)]) == ()
    assert labels(pull) == ["bug", "x", "y", "merge-queue: kicked back"]
    made = github.repository.labels["merge-queue: kicked back"]
    assert (made.color, made.description) == (
        "b60205",
        "The merge queue's newest comment says why",
    )
    github.wrote()


def test_a_mark_that_is_shown_is_not_written_again(github: GitHub, provider: Provider) -> None:
    pulls = [opened(github, name, labels=(QUEUED,)) for name in "abc"]
    assert provider.writes.mark([mark(pull, Mark.QUEUED) for pull in pulls]) == ()
    assert github.wrote() == []


def test_no_mark_takes_off_what_queued_it_and_leaves_other_labels(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github, labels=("bug", QUEUED, SQUASH, REBASE))
    assert provider.writes.mark([mark(pull, Mark.NONE)]) == ()
    assert labels(pull) == ["bug"]
    github.wrote()


def test_one_that_cannot_be_marked_is_said_and_keeps_no_other_from_it(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github)
    gone = Pull(**{**vars(pull), "number": 99})
    (problem,) = provider.writes.mark([mark(gone, Mark.QUEUED), mark(pull, Mark.QUEUED)])
    assert problem.startswith("#99 could not be labelled")
    assert labels(pull) == [QUEUED]
    github.wrote()


# --- kick-backs ----------------------------------------------------------------------------------


def test_a_kick_back_is_a_comment_and_takes_auto_merge_off(
    github: GitHub, provider: Provider
) -> None:
    github.require_checks("merge-queue", app=github.app)
    pull = opened(github)
    github.enable_auto_merge(pull)
    provider.writes.kick_back(kick_of(pull))
    (comment,) = pull.comments
    assert "gh pr merge 1 --auto --squash" in comment.body
    assert pull.auto_merge is None
    assert [line.partition(": ")[2] for line in github.wrote()][:1] == ["comment on #1"]


def test_a_kick_back_takes_every_label_off_that_queues_it(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github, labels=(SQUASH, "bug", REBASE, MERGE))
    provider.writes.kick_back(kick_of(pull))
    assert labels(pull) == ["bug", KICKED]
    github.wrote()


def test_a_kick_back_in_a_stack_takes_the_label_off_its_top(
    github: GitHub, provider: Provider
) -> None:
    lower, upper = opened(github, "a"), opened(github, "b", base="a")
    github.stack(lower, upper)
    github.label(upper, SQUASH)
    provider.writes.kick_back(kick_of(lower))
    assert labels(upper) == []
    (comment,) = lower.comments
    assert f"gh pr edit {upper.number} --add-label 'merge-queue: squash'" in comment.body
    github.wrote()


def test_older_kick_backs_are_minimized_and_nobody_elses_comment(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github, labels=(SQUASH,))
    provider.writes.kick_back(kick_of(pull))
    first = pull.comments[0]
    github.comment(pull, first.body, by="author")
    github.label(pull, SQUASH)
    provider.writes.kick_back(kick_of(pull, Code.KICK_CONFLICT, ("f",)))
    assert [one.minimized for one in pull.comments] == ["OUTDATED", None, None]
    github.wrote()


def test_a_kick_back_that_was_cut_off_after_its_comment_adds_no_second_one(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github, labels=(SQUASH,))
    provider.writes.kick_back(kick_of(pull))
    pull.labels.append(SQUASH)  # As if the run had been killed before it took the label off.
    provider.writes.kick_back(kick_of(pull))
    assert len(pull.comments) == 1
    assert labels(pull) == [KICKED]
    github.wrote()


def test_a_change_that_was_queued_again_gets_a_comment_of_its_own(
    github: GitHub, provider: Provider
) -> None:
    pull = opened(github, labels=(SQUASH,))
    provider.writes.kick_back(kick_of(pull))
    github.label(pull, SQUASH)
    provider.writes.kick_back(kick_of(pull))
    assert [one.minimized for one in pull.comments] == ["OUTDATED", None]
    github.wrote()


# --- targets -------------------------------------------------------------------------------------


def test_a_pull_request_is_pointed_at_another_base_and_no_more_than_once(
    github: GitHub, provider: Provider
) -> None:
    opened(github, "a")
    pull = opened(github, "b", base="a")
    request = RetargetRequest(
        change=ChangeId(str(pull.number)), repo="acme/acme", base=BranchName("main")
    )
    provider.writes.retarget(request)
    provider.writes.retarget(request)
    assert pull.base == "main"
    assert len(github.wrote()) == 1
