"""Requests grow with pages, and not with pull requests (issue 5, Listing)."""

from mergequeue.documents.provider import ApprovalQuestion, DescribeQuestion, Repository
from mergequeue.vocabulary.ids import BranchName
from tests.fakes.github.story import GitHub
from tests.github.conftest import Provider

MAIN = BranchName("main")
OPEN, QUEUED = 500, 100


def test_planning_500_open_pull_requests_of_which_100_are_queued_takes_at_most_60_requests(
    github: GitHub, provider: Provider
) -> None:
    github.page_size = 100
    github.require_reviews(1)
    people = [github.add_user(f"person-{number}", "write").login for number in range(50)]
    for number in range(OPEN):
        pull = github.open_pull(f"topic-{number}", {f"{number}": "new\n"})
        if number < QUEUED:
            github.label(pull, "merge-queue: squash", by=people[number % len(people)])
            github.approve(pull)
    listing = provider.reads.list_changes(Repository(base=MAIN, remote_url="x"))
    provider.reads.describe(DescribeQuestion(base=MAIN, remote_url="x"))
    questions = [ApprovalQuestion(change=one, commit=one.head) for one in listing.changes]
    answers = provider.reads.approvals_at(questions)
    assert (len(listing.changes), len(listing.unqueued)) == (QUEUED, OPEN - QUEUED)
    assert all(not isinstance(one, str) and one.approved for one in answers.values())
    assert len(provider.reading.sent) <= 60
