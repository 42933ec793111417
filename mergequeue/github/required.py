"""Whose reviews are the required reviewers': people, bots, and the teams that they are in.

    required = ["octocat", "@acme/security", "reviewer[bot]"]

A team has its members' reviews, those of its child teams among them. Who they are GitHub tells only
a credential with the organization's permission to read members: where it does not, what is the
team's stays untold, with the reason.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from mergequeue.documents.review import Review as ToldReview
from mergequeue.github.addresses import api_path
from mergequeue.github.answers import GitHubRecord, RefusedError
from mergequeue.github.client import Client
from mergequeue.github.reviews import Review
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import BAD_ANSWER, MergequeueError
from mergequeue.vocabulary.text import quoted
from mergequeue.vocabulary.words import ReviewState

_STATES = {state.value.upper(): state for state in ReviewState}
_TEAM = re.compile(r"@?([A-Za-z0-9-]{1,39})/([A-Za-z0-9_.-]{1,100})\Z")
_HIDDEN = frozenset({403, 404})
_BOT = "[bot]"


class _Member(GitHubRecord):
    login: str


@dataclass(frozen=True)
class Told:
    """The reviews of one change."""

    reviews: tuple[ToldReview, ...]
    unread: Mapping[str, str]
    """Of which reviewers nobody here can tell whose reviews are theirs, and why."""


class RequiredReviewers:
    """Tells whose reviews are whose, for as long as one question is answered."""

    def __init__(self, client: Client) -> None:
        """Ask for the members of teams through `client`, which may be another than reviews are."""
        self._client = client
        self._members: dict[str, frozenset[str] | str] = {}

    def tell(self, reviewers: Sequence[str], reviews: Iterable[Review]) -> Told:
        """Return the reviews, each with the reviewers that it counts for.

        Raises BAD_ANSWER where the time of one does not read.
        """
        given = [one for one in reviews if one.author and one.submitted and one.state in _STATES]
        teams = [name for name in reviewers if "/" in name] if given else []
        members = {name: self._members_of(name) for name in teams}
        return Told(
            tuple(_told(one, reviewers, members) for one in given),
            {name: found for name, found in members.items() if isinstance(found, str)},
        )

    def _members_of(self, name: str) -> frozenset[str] | str:
        """Return a team's logins in lower case, or why they are not known."""
        if name not in self._members:
            self._members[name] = self._read(name)
        return self._members[name]

    def _read(self, name: str) -> frozenset[str] | str:
        team = _TEAM.match(name)
        if team is None:
            return words.no_team_name(name)
        path = api_path("orgs", team[1], "teams", team[2], "members")
        try:
            listed = self._client.pages(path)
            return frozenset(item.read(_Member).login.casefold() for item in listed)
        except RefusedError as error:
            return words.team_hidden(name) if error.status in _HIDDEN else error.problem
        except MergequeueError as error:
            return error.problem


def _told(
    review: Review, reviewers: Sequence[str], members: Mapping[str, frozenset[str] | str]
) -> ToldReview:
    login = review.author.login if review.author else ""
    return ToldReview(
        by=login,
        state=_STATES[review.state],
        commit=review.commit.oid if review.commit else None,
        at=_time_of(review.submitted or ""),
        stands_for=tuple(name for name in reviewers if _is_of(login, name, members)),
        collaborator=review.may_push and not login.endswith(_BOT),
    )


def _time_of(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except ValueError as error:
        raise BAD_ANSWER(f"a review has the time {quoted(text)}") from error


def _is_of(login: str, name: str, members: Mapping[str, frozenset[str] | str]) -> bool:
    if name in members:
        found = members[name]
        return not isinstance(found, str) and login.casefold() in found
    return name.removeprefix("@").casefold() == login.casefold()
