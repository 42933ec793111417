"""What several answers of GraphQL hold alike: who did something, and where a list goes on."""

from typing import Annotated

from pydantic import Field

from mergequeue.github.answers import GitHubRecord

_BOT = "Bot"


class Actor(GitHubRecord):
    """Who did something; GraphQL leaves `[bot]` out of an app's login, which REST does not."""

    kind: Annotated[str, Field(alias="__typename")]
    bare_login: Annotated[str, Field(alias="login")]

    @property
    def login(self) -> str:
        """The login that no other account has: an app's is told apart from a person's."""
        return f"{self.bare_login}[bot]" if self.kind == _BOT else self.bare_login


class PageForward(GitHubRecord):
    """Where a list goes on."""

    has_more: Annotated[bool, Field(alias="hasNextPage")]
    cursor: Annotated[str | None, Field(alias="endCursor")]

    @property
    def after(self) -> str | None:
        """Where the next page starts; None on the last."""
        return self.cursor if self.has_more else None


class PageBack(GitHubRecord):
    """Where a list that is read from its end goes on."""

    has_more: Annotated[bool, Field(alias="hasPreviousPage")]
    cursor: Annotated[str | None, Field(alias="startCursor")]

    @property
    def after(self) -> str | None:
        """Where the page before starts; None on the first."""
        return self.cursor if self.has_more else None


class MoreOrNot(GitHubRecord):
    """Whether a list holds more than was asked for."""

    has_more: Annotated[bool, Field(alias="hasNextPage")]


class Named(GitHubRecord):
    """Something with a name."""

    name: str
