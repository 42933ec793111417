"""One request for one operation, and what it is answered."""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from tests.fakes.github.records import Json, Repository, Token

if TYPE_CHECKING:
    from tests.fakes.github.world import World

DOCUMENTATION = "https://docs.github.com/rest"


@dataclass
class Answer:
    """A status, a body (None for none, bytes for a file), and headers."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


class Refused(Exception):
    """GitHub's no, with its words."""

    def __init__(self, status: int, message: str, errors: list[Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors

    def answer(self) -> Answer:
        body: Json = {"message": self.message, "documentation_url": DOCUMENTATION}
        if self.errors is not None:
            body["errors"] = self.errors
        return Answer(self.status, body)


def not_found() -> Refused:
    """Return what GitHub says of what is not there, and of what is not to be seen."""
    return Refused(HTTPStatus.NOT_FOUND, "Not Found")


def not_for_integrations() -> Refused:
    """Return what GitHub says to an app's token that lacks the permission."""
    return Refused(HTTPStatus.FORBIDDEN, "Resource not accessible by integration")


def invalid(resource: str, name: str, code: str, message: str | None = None) -> Refused:
    """Return a failed validation of one field."""
    error = {"resource": resource, "field": name, "code": code}
    if message is not None:
        error["message"] = message
    return Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "Validation Failed", [error])


@dataclass
class Call:
    """A request for a described operation: its parameters are already of the described types."""

    world: "World"
    operation: str
    path: dict[str, Any]
    query: dict[str, Any]
    body: Any
    token: Token | None
    headers: dict[str, str]
    url: str
    told: list[str] = field(default_factory=list)
    found: Repository | None = None

    @property
    def repository(self) -> Repository:
        """The repository in the path, which the token may see."""
        assert self.found is not None, self.operation
        return self.found

    @property
    def login(self) -> str:
        """Who asks."""
        if self.token is None:
            raise Refused(HTTPStatus.UNAUTHORIZED, "Requires authentication")
        return self.token.login

    def tell(self, sentence: str) -> None:
        """Say what this write did, for the log that a test reads."""
        self.told.append(sentence)
