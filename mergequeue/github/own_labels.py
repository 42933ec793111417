"""Labels that the queue's own app set: the app that the base requires the queue's status from.

Whoever may set that rule says by it which app may have a pull request merge. GitHub names the app
behind an event in REST alone, and keeps it from nobody.
"""

from typing import Annotated

from pydantic import Field

from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord
from mergequeue.github.client import Client
from mergequeue.github.intent import Labelled
from mergequeue.github.rules import Base
from mergequeue.github.shapes import Named
from mergequeue.vocabulary.ids import BranchName, parse_branch
from mergequeue.vocabulary.words import STATUS_CONTEXT

_BOT = "[bot]"
_LABELED = "labeled"


class _Kind(GitHubRecord):
    event: str = ""
    """Some entries of a timeline, such as commits by hand, have no name."""


class _App(GitHubRecord):
    id: int


class _Labeled(GitHubRecord):
    label: Named
    app: Annotated[_App | None, Field(alias="performed_via_github_app")] = None


def is_app(login: str) -> bool:
    """Whether a login is an app's."""
    return login.endswith(_BOT)


class OwnLabels:
    """Reads which app set a label, and which one is the queue's, in one repository."""

    def __init__(self, client: Client, repo: RepoName) -> None:
        self._client = client
        self._repo = repo
        self._trusted: dict[str, frozenset[str]] = {}

    def is_own(self, one: Labelled) -> bool:
        """Whether the app that set a label last is the queue's; raises what reading raises."""
        trusted = self._apps(one.base) if one.base else frozenset()
        return bool(trusted) and self._setter(one) in trusted

    def _apps(self, base: str) -> frozenset[str]:
        """Return the apps that the base requires the queue's status from; none where from any."""
        if base not in self._trusted:
            self._trusted[base] = self._required_from(parse_branch(base))
        return self._trusted[base]

    def _required_from(self, base: BranchName) -> frozenset[str]:
        reading = Base(self._client, self._repo, base)
        required = reading.required_checks(reading.rules())
        named = {one.integration for one in required if one.context == STATUS_CONTEXT}
        return frozenset() if "" in named else frozenset(named)

    def _setter(self, one: Labelled) -> str:
        """Return the app that set a label last, by its id; nothing where GitHub names none."""
        path = self._repo.path("issues", one.number, "timeline")
        labelings = [
            item.read(_Labeled)
            for item in self._client.pages(path)
            if item.read(_Kind).event == _LABELED
        ]
        last = next((each for each in reversed(labelings) if each.label.name == one.label), None)
        return str(last.app.id) if last is not None and last.app is not None else ""
