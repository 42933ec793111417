"""Handing a change back: the comment, then the intent, then the older comments (facts 2.9)."""

from collections.abc import Callable
from dataclasses import dataclass

from mergequeue.documents.provider import KickBack, MarkRequest
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import RefusedError
from mergequeue.github.certain import write_surely
from mergequeue.github.client import Client
from mergequeue.github.comments import Comments
from mergequeue.github.labels import INTENT, intent_label
from mergequeue.github.listing import Lists
from mergequeue.github.marks import Marks
from mergequeue.github.pulls import Pull, WholePull, number_of
from mergequeue.report import github as words
from mergequeue.report.github_comment import Where, kick_comment
from mergequeue.vocabulary.errors import MergequeueError

_DISABLE = """\
mutation DisableAutoMerge($id: ID!) {
  disablePullRequestAutoMerge(input: {pullRequestId: $id}) { clientMutationId }
}
"""


@dataclass(frozen=True)
class Kicks:
    """Hands back pull requests of one repository."""

    client: Client
    repo: RepoName
    lists: Lists
    marks: Marks
    comments: Comments
    tell: Callable[[str], None]

    def kick_back(self, kick: KickBack) -> None:
        """Post the comment, remove every intent where it lives, then hide the older comments.

        Its mark is shown before the intent goes: a run that is killed in between finds the change
        queued and hands it back again, and one without intent is looked at by no later run.
        """
        number = number_of(kick.change.id)
        pull = self._read(number)
        top = self.lists.open_pulls().top_of(pull) if pull.stack is not None else None
        carriers = [pull, *([top] if top is not None and top.number != number else [])]
        since = max(self.comments.intent_since(one.number, _intents(one)) for one in carriers)
        body = kick_comment(kick, self._where(pull, top))
        newest = self.comments.post_once(number, body, since)
        self._mark(kick)
        if pull.auto_merge is not None:
            self._disable_auto_merge(pull)
        for one in carriers:
            for label in _intents(one):
                self.marks.remove(one.number, label)
        self._hide_older(number, newest)

    def _read(self, number: int) -> WholePull:
        return self.client.get(self.repo.path("pulls", number)).body.read(WholePull)

    def _where(self, pull: WholePull, top: Pull | None) -> Where:
        return Where(
            web=self.client.addresses.web,
            host=self.client.addresses.host,
            repo=str(self.repo),
            number=pull.number,
            top=top.number if top is not None else None,
            labelled=pull.auto_merge is None and intent_label(pull.label_names) is not None,
            fork=pull.is_fork,
        )

    def _mark(self, kick: KickBack) -> None:
        request = MarkRequest(change=kick.change.id, repo=kick.change.repo, mark=kick.mark)
        for problem in self.marks.mark([request]):
            self.tell(problem)

    def _disable_auto_merge(self, pull: WholePull) -> None:
        def is_off() -> bool:
            return self._read(pull.number).auto_merge is None

        try:
            write_surely(lambda: self.client.mutate(_DISABLE, {"id": pull.node_id}), is_off)
        except RefusedError:
            if not is_off():
                raise

    def _hide_older(self, number: int, newest: str) -> None:
        """Minimize the earlier kick-backs; what fails there is told, and fails no kick-back."""
        try:
            older = [one for one in self.comments.of_kicks(number) if one.id != newest]
        except MergequeueError as error:
            self.tell(words.not_minimized(number, error.problem))
            return
        for comment in older:
            try:
                self.comments.minimize(comment.id)
            except MergequeueError as error:
                self.tell(words.not_minimized(number, error.problem))


def _intents(pull: Pull) -> tuple[str, ...]:
    """Return every label that queues a pull request: one that is left would queue it still."""
    return tuple(label for label in pull.label_names if label in INTENT)
