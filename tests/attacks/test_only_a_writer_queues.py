"""Only a writer queues: on GitHub, a label is intent where somebody with write access set it."""

from mergequeue.documents.provider import ApprovalQuestion, Repository
from mergequeue.vocabulary.ids import BranchName, ChangeId
from tests.fakes.github.records import Pull
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider, provider_of
from tests.github.test_writing import kick_of

MAIN = Repository(base=BranchName("main"), remote_url="x")
SQUASH = "merge-queue: squash"


def queued(provider: Provider) -> list[str]:
    return [change.id for change in provider.reads.list_changes(MAIN).changes]


def opened(github: GitHub, name: str = "a") -> Pull:
    return github.open_pull(name, {name: "x\n"}, author="outsider")


def test_a_label_of_somebody_without_write_access_queues_nothing(github: GitHub) -> None:
    provider = provider_of(github)
    for name, by in [("a", "outsider"), ("b", "reader")]:
        github.label(opened(github, name), SQUASH, by=by)
    assert queued(provider) == []


def test_a_label_that_was_set_again_by_somebody_else_after_planning_counts_no_more(
    github: GitHub,
) -> None:
    provider = provider_of(github)
    pull = opened(github)
    github.label(pull, SQUASH, by="maintainer")
    (change,) = provider.reads.list_changes(MAIN).changes
    github.unlabel(pull, SQUASH, by="maintainer")
    github.label(pull, SQUASH, by="outsider")
    question = ApprovalQuestion(change=change, commit=change.head)
    answer = provider.reads.approvals_at([question])[ChangeId("1")]
    assert not isinstance(answer, str)
    assert not answer.queued


def test_an_app_is_not_the_person_whose_name_it_bears(github: GitHub) -> None:
    provider = provider_of(github)
    github.add_app("maintainer", {"pull_requests": "write"})
    github.label(opened(github), SQUASH, by="maintainer[bot]")
    assert queued(provider) == []


def test_a_label_whose_setter_cannot_be_told_queues_nothing_and_loses_nothing(
    github: GitHub,
) -> None:
    provider = provider_of(github)
    pull = opened(github)
    github.label(pull, "merge-queue: queued", by="maintainer")
    github.label(pull, SQUASH, by="maintainer")
    github.delete_account("maintainer")
    listing = provider.reads.list_changes(MAIN)
    assert listing.changes == ()
    assert [(one.id, one.mark) for one in listing.unqueued] == [("1", "")]


def test_nobody_elses_comment_stands_for_the_queues(github: GitHub) -> None:
    provider = provider_of(github)
    pull = opened(github)
    github.label(pull, SQUASH, by="maintainer")
    provider.writes.kick_back(kick_of(pull))
    github.comment(pull, pull.comments[0].body, by="outsider")
    pull.comments.pop(0)
    github.label(pull, SQUASH, by="maintainer")
    provider.writes.kick_back(kick_of(pull))
    assert [one.author for one in pull.comments] == ["outsider", "acme-queue[bot]"]
    assert pull.comments[0].minimized is None
    github.wrote()


def test_a_label_of_the_app_that_the_base_requires_the_status_from_queues(github: GitHub) -> None:
    provider = provider_of(github)
    github.add_app("other", {"pull_requests": "write"})
    github.label(opened(github, "a"), SQUASH, by="acme-queue[bot]")
    github.label(opened(github, "b"), SQUASH, by="other[bot]")
    assert queued(provider) == []
    github.require_checks("merge-queue", app=github.app)
    assert queued(provider) == ["1"]
    pull = github.repository.pulls[1]
    github.unlabel(pull, SQUASH)
    github.label(pull, SQUASH, by="other[bot]")
    assert queued(provider) == []


def test_an_app_is_the_queues_own_for_no_rule_that_takes_the_status_from_anybody(
    github: GitHub,
) -> None:
    provider = provider_of(github)
    github.label(opened(github), SQUASH, by="acme-queue[bot]")
    github.require_checks("test", app=github.app, name="another")
    assert queued(provider) == []
    github.require_checks("merge-queue", app=github.app, name="pinned")
    github.require_checks("merge-queue", name="open")
    assert queued(provider) == []
