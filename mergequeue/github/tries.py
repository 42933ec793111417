"""Telling what a try run came to: a comment, then the label that asked for it goes."""

from dataclasses import dataclass

from mergequeue.documents.trying import TryReport
from mergequeue.github.addresses import RepoName
from mergequeue.github.client import Client
from mergequeue.github.comments import Comments
from mergequeue.github.labels import TRY
from mergequeue.github.marks import Marks
from mergequeue.github.pulls import number_of
from mergequeue.report.github_try import try_comment


@dataclass(frozen=True)
class TryReports:
    """Reports the try runs of one repository's pull requests."""

    client: Client
    repo: RepoName
    marks: Marks
    comments: Comments

    def report(self, report: TryReport) -> None:
        """Comment, and take the label off: a run that is killed in between is asked for again."""
        number = number_of(report.change)
        body = try_comment(report, self.client.addresses.web)
        before = {one.id for one in self.comments.own(number)}

        def posted() -> str | None:
            own = self.comments.own(number)
            return next((one.id for one in own if one.id not in before and one.body == body), None)

        self.comments.post_unless(number, body, posted)
        self.marks.remove(number, TRY)
