"""Which open pull requests the queue handed back, and that nobody has queued since.

The queue's newest comment says why and at which head, the labels that it was handed back at all. A
pull request whose intent was set again after that comment was queued again, and taken out by
whoever did.
"""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from mergequeue.documents.changes import Change
from mergequeue.documents.keeping import TurnedAwayChange
from mergequeue.documents.provider import Repository
from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord
from mergequeue.github.client import Client
from mergequeue.github.comments import Comment, Comments, standing_kicks
from mergequeue.github.intent import target_of, wish_of
from mergequeue.github.labels import INTENT, mark_of
from mergequeue.github.listing import Lists
from mergequeue.github.pulls import Pull, Pulls, head_ref
from mergequeue.github.rules import Base
from mergequeue.github.shapes import Named
from mergequeue.ports import TurnedAway
from mergequeue.report.github_comment import kick_of
from mergequeue.report.keeping import note_of, says_off
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.ids import ChangeId, parse_branch
from mergequeue.vocabulary.words import Mark

_QUERY = """\
query TurnedAway($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      body
      timelineItems(
        itemTypes: [
          LABELED_EVENT, AUTO_MERGE_ENABLED_EVENT, AUTO_SQUASH_ENABLED_EVENT,
          AUTO_REBASE_ENABLED_EVENT
        ]
        last: 100
      ) {
        nodes {
          ... on LabeledEvent { createdAt label { name } }
          ... on AutoMergeEnabledEvent { createdAt }
          ... on AutoSquashEnabledEvent { createdAt }
          ... on AutoRebaseEnabledEvent { createdAt }
        }
      }
    }
  }
}
"""
_HANDED_BACK = frozenset({Mark.KICKED_BACK, Mark.NEEDS_REGENERATION})


class _Event(GitHubRecord):
    created: Annotated[str, Field(alias="createdAt")]
    label: Named | None = None
    """None for auto-merge that was enabled."""

    @property
    def is_intent(self) -> bool:
        return self.label is None or self.label.name in INTENT


class _Events(GitHubRecord):
    nodes: tuple[_Event, ...]


class _Text(GitHubRecord):
    body: str
    timeline: Annotated[_Events, Field(alias="timelineItems")]


class TurnedAwayPulls:
    """Reads the pull requests of one repository that the queue handed back."""

    def __init__(self, client: Client, repo: RepoName, lists: Lists) -> None:
        self._client = client
        self._repo = repo
        self._lists = lists
        self._comments = Comments(client, repo)

    def read(self, question: Repository) -> TurnedAway:
        """Return those of a base; one that does not read is named with why, and holds no other."""
        pulls = self._lists.open_pulls()
        found: list[TurnedAwayChange] = []
        unread: dict[ChangeId, str] = {}
        for pull in _handed_back(pulls, question.base):
            try:
                found += self._turned_away(pull, pulls)
            except MergequeueError as error:
                unread[pull.id] = error.problem
        return TurnedAway(tuple(found), unread)

    def _turned_away(self, pull: Pull, pulls: Pulls) -> Iterator[TurnedAwayChange]:
        own = self._comments.own(pull.number)
        newest = next(reversed(standing_kicks(own)), None)
        kick = kick_of(newest.body) if newest is not None else None
        if newest is None or kick is None or kick.method is None:
            return
        text = self._text(pull.number)
        if self._queued_since(text, newest):
            return
        yield TurnedAwayChange(
            change=Change(
                id=pull.id,
                head=pull.head.sha,
                base=parse_branch(target_of(pull)),
                method=kick.method,
                repo=str(self._repo),
                ref=head_ref(pull.number),
                branch=None if self._is_anothers(pull, pulls) else pull.branch,
                title=pull.title,
                fork=pull.is_fork,
            ),
            code=kick.code,
            commit=kick.head,
            off=says_off(text.body),
            in_stack=pull.stack is not None or _is_beneath(pull, pulls),
            notes=tuple(note for one in own if (note := note_of(one.body)) is not None),
        )

    def _is_anothers(self, pull: Pull, pulls: Pulls) -> bool:
        """Whether a branch is more than its pull request's own: a push would reach others, too."""
        if pull.is_fork or pull.branch is None:
            return True
        is_default = pull.head.ref == pull.base.repo.default_branch
        if is_default or pulls.sharing_branch_with(pull):
            return True
        return Base(self._client, self._repo, pull.branch).is_one()

    def _text(self, number: int) -> _Text:
        variables = {"owner": self._repo.owner, "name": self._repo.name, "number": number}
        return self._client.graphql(_QUERY, variables).at("repository", "pullRequest").read(_Text)

    @staticmethod
    def _queued_since(text: _Text, kick: Comment) -> bool:
        return any(one.is_intent and one.created > kick.created for one in text.timeline.nodes)


def _handed_back(pulls: Pulls, base: str) -> Iterator[Pull]:
    """Return the open pull requests of a base that show it, and ask for nothing now."""
    for pull in pulls.read.values():
        handed_back = mark_of(pull.label_names) in _HANDED_BACK
        of_base = not pull.draft and target_of(pull) == base
        if handed_back and of_base and wish_of(pull, pulls) is None:
            yield pull


def _is_beneath(pull: Pull, pulls: Pulls) -> bool:
    """Whether another open pull request merges into this one's branch."""
    return not pull.is_fork and any(
        other.base.ref == pull.head.ref for other in pulls.read.values()
    )
