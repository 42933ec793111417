"""Which app the queue writes as, as far as GitHub says (facts 1.4).

GitHub hides a private app from every token but its own installation's. An organization's owner sees
it among the installations; anybody else has to give its App ID behind the slug.
"""

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from mergequeue.documents.capabilities import Refused
from mergequeue.github.addresses import RepoName, api_path
from mergequeue.github.answers import GitHubRecord, RefusedError
from mergequeue.github.apps import APPLY_PERMISSIONS
from mergequeue.github.client import Client
from mergequeue.report import github_setup as words
from mergequeue.vocabulary.errors import PROVIDER_FAILED, USAGE
from mergequeue.vocabulary.text import quoted

_APP_ID = re.compile(r"[1-9][0-9]{0,17}\Z")
_SLUG = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?\Z")
_HIDDEN = frozenset({403, 404})


class Owner(GitHubRecord):
    """Whose repository it is."""

    login: str
    type: str

    @property
    def is_organization(self) -> bool:
        """Whether it is an organization's, so that an owner may list what is installed."""
        return self.type == "Organization"


class _App(GitHubRecord):
    id: int
    slug: str
    client_id: str = ""


class _Installation(GitHubRecord):
    app_id: int
    app_slug: str


@dataclass(frozen=True)
class AppIdentity:
    """The app that the queue writes as."""

    slug: str
    id: str
    client_id: str = ""
    """What its tokens are asked for with; empty where GitHub hides it."""
    installed: bool = False
    """Whether it is known to be installed for the repository's owner."""


@dataclass(frozen=True)
class Pages:
    """Where an owner's apps are shown and made."""

    web: str
    owner: Owner

    @property
    def apps(self) -> str:
        """The page that lists the owner's apps."""
        if self.owner.is_organization:
            return f"{self.web}/organizations/{self.owner.login}/settings/apps"
        return f"{self.web}/settings/apps"

    def registration(self, repo: RepoName) -> str:
        """Return the page that registers the app, filled in (facts 1.4)."""
        wanted = {**dict.fromkeys(APPLY_PERMISSIONS, "write")}
        fields = {
            "name": f"{self.owner.login}-merge-queue",
            "url": f"{self.web}/{repo}",
            "public": "false",
            "webhook_active": "false",
            **wanted,
        }
        return f"{self.apps}/new?{urlencode(fields)}"

    def settings(self, slug: str) -> str:
        """Return the app's own page, for its owner."""
        return f"{self.apps}/{slug}"

    def installation(self, slug: str) -> str:
        """Return the page that installs the app."""
        return f"{self.web}/apps/{slug}/installations/new"


def identify(client: Client, repo: RepoName, pages: Pages, app: str) -> AppIdentity | Refused:
    """Return the app that `<slug>` or `<slug>:<App ID>` names, or what has to be given first.

    Raises USAGE for what is no such name, PROVIDER_FAILED where the id is another than GitHub's.
    """
    if not app:
        return Refused(reason=words.NO_APP, url=pages.registration(repo), app="<slug>")
    slug, given = _parsed(app)
    if client.get(api_path("users", f"{slug}[bot]"), expect=(200, 404)).status != 200:  # noqa: PLR2004 (HTTP's word for yes)
        return Refused(reason=words.no_such_app(slug), url=pages.apps, app="<slug>")
    shown, installed = _shown(client, slug), _installed(client, pages.owner, slug)
    known = str(shown.id) if shown else installed
    if known and given and known != given:
        raise PROVIDER_FAILED(words.other_app_id(slug, known, given))
    if not known and not given:
        page = pages.settings(slug)
        return Refused(reason=words.hidden_app(slug), url=page, app=f"{slug}:<App ID>")
    return AppIdentity(slug, known or given, shown.client_id if shown else "", bool(installed))


def _parsed(app: str) -> tuple[str, str]:
    slug, colon, number = app.partition(":")
    if not _SLUG.match(slug):
        raise USAGE(f"--app {quoted(app)} is no slug of a GitHub App", words.GIVE_THE_APP)
    if colon and not _APP_ID.match(number):
        raise USAGE(f"--app {quoted(app)} holds no App ID, which is a number", words.GIVE_THE_APP)
    return slug, number


def _shown(client: Client, slug: str) -> _App | None:
    answer = client.get(api_path("apps", slug), expect=(200, *_HIDDEN))
    return answer.body.read(_App) if answer.status not in _HIDDEN else None


def _installed(client: Client, owner: Owner, slug: str) -> str:
    """Return the App ID of an installed app; nothing where it is not, or the token may not see."""
    if not owner.is_organization:
        return ""
    path = api_path("orgs", owner.login, "installations")
    try:
        listed = client.pages(path, inside="installations")
    except RefusedError as error:
        if error.status not in _HIDDEN:
            raise
        return ""
    for item in listed:
        found = item.read(_Installation)
        if found.app_slug == slug:
            return str(found.app_id)
    return ""
