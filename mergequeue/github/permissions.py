"""What accounts may do in a repository; many are asked for in one request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mergequeue.github.addresses import RepoName
from mergequeue.github.answers import GitHubRecord, RefusedError
from mergequeue.github.client import Client
from mergequeue.report import github as words
from mergequeue.vocabulary.errors import MergequeueError

_AT_ONCE = 50
_FEW = 3
"""As many as are asked for one by one."""
_NOT_FOUND = 404
_WRITES = frozenset({"admin", "maintain", "write"})


@dataclass(frozen=True)
class Role:
    """What an account may do, or why that is not known."""

    name: str = ""
    unread: str = ""

    @property
    def may_write(self) -> bool:
        """Whether it is known that the account may push."""
        return self.name in _WRITES


class _Role(GitHubRecord):
    role_name: str
    permission: str


class _Login(GitHubRecord):
    login: str


class _Edge(GitHubRecord):
    permission: str
    node: _Login


class _Edges(GitHubRecord):
    edges: tuple[_Edge, ...]


class Permissions:
    """Reads what accounts may do in one repository."""

    def __init__(self, client: Client, repo: RepoName) -> None:
        self._client = client
        self._repo = repo

    def roles(self, logins: Sequence[str]) -> Mapping[str, Role]:
        """Return the role of each; those that one request does not show are asked for alone."""
        known = self._at_once(logins) if len(logins) > _FEW else {}
        return {login: known.get(login) or self._alone(login) for login in logins}

    def _at_once(self, logins: Sequence[str]) -> dict[str, Role]:
        found: dict[str, Role] = {}
        for start in range(0, len(logins), _AT_ONCE):
            some = logins[start : start + _AT_ONCE]
            variables = {f"login{number}": login for number, login in enumerate(some)}
            repository = {"owner": self._repo.owner, "name": self._repo.name}
            try:
                data = self._client.graphql(_query(len(some)), {**repository, **variables})
                for number, login in enumerate(some):
                    edges = data.at("repository", f"c{number}").read(_Edges).edges
                    shown = {edge.node.login.casefold(): edge.permission for edge in edges}
                    permission = shown.get(login.casefold())
                    if permission is not None:
                        found[login] = Role(permission.lower())
            except MergequeueError:
                return found
        return found

    def _alone(self, login: str) -> Role:
        try:
            path = self._repo.path("collaborators", login, "permission")
            role = self._client.get(path).body.read(_Role)
        except RefusedError as error:
            gone = error.status == _NOT_FOUND
            return Role(unread=words.account_unknown(login) if gone else error.problem)
        except MergequeueError as error:
            return Role(unread=error.problem)
        return Role(role.role_name if role.role_name in _WRITES else role.permission)


def _query(count: int) -> str:
    places = "".join(f", $login{number}: String!" for number in range(count))
    parts = " ".join(
        f"c{number}: collaborators(login: $login{number}, first: 1) "
        "{ edges { permission node { login } } }"
        for number in range(count)
    )
    return (
        f"query Permissions($owner: String!, $name: String!{places}) "
        f"{{ repository(owner: $owner, name: $name) {{ {parts} }} }}"
    )
