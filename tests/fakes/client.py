"""A plain client of the fake, for the tests of the fake itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import requests

from tests.fakes.github.records import Token
from tests.fakes.github.story import GitHub

REPOSITORY = "/repos/acme/acme"


class Client:
    """Somebody with a token, or without one."""

    def __init__(self, github: GitHub, token: Token | None) -> None:
        self.github = github
        self.session = requests.Session()
        if token is not None:
            self.session.headers["Authorization"] = f"Bearer {token.text}"

    def ask(self, method: str, path: str, **options: Any) -> requests.Response:
        """Ask for a path of the API, of the repository where it begins with no slash."""
        where = path if path.startswith("/") else f"{REPOSITORY}/{path}".rstrip("/")
        url = where if where.startswith("http") else f"{self.github.api_url}{where}"
        return self.session.request(method, url, timeout=60, **options)

    def get(self, path: str, **options: Any) -> requests.Response:
        return self.ask("GET", path, **options)

    def query(self, text: str, **variables: Any) -> Any:
        """Return the whole answer of GraphQL."""
        body = {"query": text, "variables": variables}
        return self.session.post(self.github.graphql_url, json=body, timeout=60).json()

    def every(self, path: str, inside: str | None = None, **query: Any) -> list[Any]:
        """Return every item of a list, following `Link`."""
        answer = self.get(path, params=query)
        found: list[Any] = []
        while True:
            assert answer.status_code == 200, answer.text
            body = answer.json()
            found += body if inside is None else body[inside]
            if "next" not in answer.links:
                return found
            answer = self.session.get(answer.links["next"]["url"], timeout=60)


@contextmanager
def client(github: GitHub, token: Token | None) -> Iterator[Client]:
    """Open a client, and close its connections at the end."""
    made = Client(github, token)
    with made.session:
        yield made
