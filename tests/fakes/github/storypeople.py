"""Verbs about who there is: people, apps, tokens, repositories and forks."""

from collections.abc import Iterable, Mapping
from typing import Literal

from tests.fakes.github.records import App, Pull, Repository, Role, Token, User
from tests.fakes.github.world import World


class People(World):
    """What a test says of who there is; without `on` it means `repository`."""

    repository: Repository

    def add_user(
        self,
        login: str,
        role: Role | None = None,
        *,
        kind: Literal["User", "Organization", "Bot"] = "User",
        number: int | None = None,
        on: Repository | None = None,
    ) -> User:
        """Sign somebody up, with a role in the repository."""
        user = User(login, number or self.new_id(), kind, login.capitalize())
        self.users[login] = user
        if role is not None:
            (on or self.repository).roles[login] = role
        return user

    def add_team(self, name: str, *members: str) -> None:
        """Make a team of an organization, named as `organization/team`."""
        self.teams[name.lower()] = list(members)

    def add_app(
        self,
        slug: str,
        permissions: dict[str, str],
        *,
        number: int | None = None,
        private: bool = False,
        owner: str = "acme",
    ) -> App:
        """Register an app with its bot."""
        own = number or self.new_id()
        app = App(slug, own, f"Iv23li{own}", slug, owner, dict(permissions), private)
        self.apps[slug] = app
        self.add_user(f"{slug}[bot]", kind="Bot")
        return app

    def token(
        self,
        login: str,
        permissions: Mapping[str, str] | None = None,
        *,
        repositories: Iterable[str] | None = None,
    ) -> Token:
        """Return a new token: an app's with permissions, a person's without."""
        kind = "ghp" if permissions is None else "ghs"
        text = f"{kind}_{login.removesuffix('[bot]')}{self.new_id()}"
        held = None if permissions is None else dict(permissions)
        reach = None if repositories is None else set(repositories)
        made = Token(text, login, held, reach, self.app_of(login))
        self.tokens[text] = made
        return made

    def add_repository(self, owner: str, name: str, *, private: bool = False) -> Repository:
        """Make an empty repository."""
        return self.new_repository(owner, name, private=private)

    def fork(self, login: str, *, on: Repository | None = None) -> Repository:
        """Fork the repository, with its branches."""
        origin = on or self.repository
        made = self.new_repository(login, origin.name, fork_of=origin.full_name)
        for branch in origin.git.branches():
            tip = origin.git.tip(branch)
            if tip is not None:
                made.git.take(origin.git, tip, f"refs/heads/{branch}")
        return made

    def where(self, pull: Pull) -> Repository:
        """Return the repository that a pull request is in."""
        return next(one for one in self.repositories.values() if pull in one.pulls.values())

    def delete_account(self, login: str) -> None:
        """Delete somebody's account: what they did stays, without a name."""
        del self.users[login]

    def delete_fork(self, fork: Repository) -> None:
        """Delete a fork: its pull requests stay open without a head repository."""
        del self.repositories[fork.full_name]
        for repository in self.repositories.values():
            for pull in repository.pulls.values():
                if pull.head_repository == fork.full_name:
                    pull.head_repository = None
