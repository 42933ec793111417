"""The whole of the fake in one object: records, ids, time, log. What handlers and verbs work on."""

import threading
from itertools import count
from pathlib import Path

from tests.fakes.github.clock import Clock
from tests.fakes.github.faults import Faults
from tests.fakes.github.githost import GitHost, Person
from tests.fakes.github.knobs import Knobs
from tests.fakes.github.limits import Limits
from tests.fakes.github.log import Log
from tests.fakes.github.records import App, Event, Json, Pull, Repository, Token, User
from tests.fakes.github.runrecords import Upload


class World(Knobs):
    """GitHub: what there is, and the small questions that every part asks."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.lock = threading.RLock()
        self.clock = Clock()
        self.log = Log()
        self.faults = Faults()
        self.limits = Limits()
        self.users: dict[str, User] = {}
        self.apps: dict[str, App] = {}
        self.tokens: dict[str, Token] = {}
        self.repositories: dict[str, Repository] = {}
        self.teams: dict[str, list[str]] = {}
        """The members of each team, by `organization/team` in lower case."""
        self.url = ""
        self.merges: dict[tuple[str, str], str | None] = {}
        """The tree of a merge of two commits, None of a conflict, as far as anybody asked."""
        self.uploads: dict[str, Upload] = {}
        """Artifacts on their way to the results service, by the signature of their address."""
        self.blobs: dict[str, bytes] = {}
        """What can be had at the host of the blobs, by the signature of its address."""
        self._ids = count(1001)

    # --- addresses -------------------------------------------------------------------------------

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/v3" if self.enterprise else self.url

    @property
    def graphql_url(self) -> str:
        return f"{self.url}/api/graphql" if self.enterprise else f"{self.url}/graphql"

    def clone_url(self, repository: Repository) -> str:
        return f"{self.url}/{repository.full_name}.git"

    # --- things ----------------------------------------------------------------------------------

    def new_id(self) -> int:
        return next(self._ids)

    def user(self, login: str) -> User:
        return self.users[login]

    def find_user(self, login: str) -> User | None:
        return next(
            (one for one in self.users.values() if one.login.lower() == login.lower()), None
        )

    def find_repository(self, owner: str, name: str) -> Repository | None:
        wanted = f"{owner}/{name}".lower()
        every = self.repositories.values()
        return next((one for one in every if one.full_name.lower() == wanted), None)

    def app_of(self, login: str) -> App | None:
        """Return the app behind a bot's login."""
        return self.apps.get(login.removesuffix("[bot]")) if login.endswith("[bot]") else None

    def is_installed(self, number: int, repository: Repository) -> bool:
        """Whether an app may be named in a rule of a repository."""
        del repository
        known = any(one.id == number for one in self.apps.values())
        return known and number not in self.not_installed

    def new_repository(
        self, owner: str, name: str, *, private: bool = False, fork_of: str | None = None
    ) -> Repository:
        git = GitHost(self.folder / f"{owner}/{name}.git")
        made = Repository(owner, name, self.new_id(), git, private=private, fork_of=fork_of)
        self.repositories[made.full_name] = made
        return made

    def person(self, login: str) -> Person:
        """Return the name and address with which GitHub writes somebody's commits."""
        user = self.users.get(login, User("ghost", 10137))  # as GitHub calls a deleted account
        login = user.login
        return Person(user.name or login, f"{user.id}+{login}@users.noreply.github.com")

    def is_expired(self, token: Token) -> bool:
        return token.expires_at is not None and self.clock.now.timestamp() >= token.expires_at

    # --- happenings ------------------------------------------------------------------------------

    def happen(self, pull: Pull, event: str, actor: str, **details: object) -> Event:
        """Add a line to a timeline."""
        moment = self.clock.tick()
        made: Json = dict(details)
        line = Event(self.new_id(), event, actor, moment, made)
        pull.timeline.append(line)
        pull.updated_at = moment
        return line

    def name_of(self, repository: Repository, sha: str) -> str:
        """Return a commit as a test wants to read it: by its pull request or branch."""
        pulls = sorted(repository.pulls.values(), key=lambda one: (one.state != "open", one.number))
        for pull in pulls:
            if pull.head_sha == sha:
                return f"#{pull.number}"
        for branch in repository.git.branches():
            if repository.git.tip(branch) == sha:
                return branch
        return sha[:7]
