"""The calls: a read, a listing to its last page, a query, a write.

A read is repeated where GitHub does not answer; a write never is, unless GitHub said that nothing
was done. Where nobody knows, UnclearError is raised, and the caller reads what is true. Writes wait
for their turn under GitHub's secondary limits. What each answer calls for, `patience` decides.
"""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, assert_never
from urllib.parse import urlsplit

from mergequeue.github.addresses import Addresses, ApiPath
from mergequeue.github.answers import Answer, Body, RefusedError, UnclearError, body_of, words_of
from mergequeue.github.credentials import Credential
from mergequeue.github.links import next_page
from mergequeue.github.patience import (
    Again,
    Came,
    Done,
    GiveUp,
    Renew,
    Tries,
    Turns,
    Unclear,
    date_of,
    decide_next,
)
from mergequeue.github.transport import ACCEPT, LostError, Received, Sent, StrayError, TooLongError
from mergequeue.ports import Clock
from mergequeue.vocabulary.errors import (
    BAD_ANSWER,
    CREDENTIAL_REFUSED,
    PROVIDER_FAILED,
    RATE_LIMITED,
    MergequeueError,
)
from mergequeue.vocabulary.text import one_line

Query = Mapping[str, str | int]

_A_PAGE = 100
_LISTINGS = 3
"""How often a listing that changed while it was read is made."""
_UNAUTHORIZED = 401


class Sends(Protocol):
    """What sends a request."""

    def send(self, sent: Sent, token: str) -> Received:
        """Return its whole answer."""


def _say_nothing(_: str) -> None:
    """Stand for telling a person that something is waited for, where nobody listens."""


@dataclass
class Client:
    """Calls to one GitHub with one credential."""

    transport: Sends
    addresses: Addresses
    credential: Credential
    clock: Clock
    tell: Callable[[str], None] = _say_nothing
    """Told, in words, what is waited for."""
    _turns: Turns = field(default_factory=Turns)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(
        self, path: ApiPath, query: Query | None = None, *, expect: Collection[int] = (200,)
    ) -> Answer:
        """Return the answer to a GET; raise RefusedError for a status that is not expected."""
        sent = Sent("GET", self.addresses.rest + path, _pairs(query or {}))
        return _expected(self._asked(sent, f"GET {path}"), expect)

    def pages(
        self, path: ApiPath, query: Query | None = None, *, inside: str = ""
    ) -> tuple[Body, ...]:
        """Return everything that a listing holds, over all of its pages (DESIGN, Rulings 8).

        `inside` names the key that the items are under, where each page is an object. Where a page
        has a `total_count` that is more than was listed, the listing changed meanwhile and is made
        again; raises PROVIDER_FAILED where it stays short, or says itself that it is not whole.
        """
        what = f"GET {path}"
        first = Sent(
            "GET", self.addresses.rest + path, _pairs({"per_page": _A_PAGE, **(query or {})})
        )
        listed: list[Body] = []
        total: int | None = None
        for _ in range(_LISTINGS):
            listed, total = self._listed(first, what, inside)
            if total is None or _distinct(listed) >= total:
                return tuple(listed)
        raise PROVIDER_FAILED(f"{what} lists {_distinct(listed)} of {total}, time and again")

    def graphql(self, query: str, variables: Mapping[str, object]) -> Body:
        """Return the data that a query gives; raise RefusedError where the answer names errors."""
        return self._graphql(query, variables, is_write=False)

    def mutate(self, mutation: str, variables: Mapping[str, object]) -> Body:
        """Carry out a mutation and return its data.

        Raises RefusedError where nothing was done, UnclearError where nobody knows.
        """
        return self._graphql(mutation, variables, is_write=True)

    def write(
        self,
        method: str,
        path: ApiPath,
        body: Mapping[str, object] | None = None,
        *,
        expect: Collection[int] = (200, 201, 204),
    ) -> Answer:
        """Carry out a write, once it has its turn, and return the answer.

        Raises RefusedError for a status that is not expected, UnclearError where nobody knows
        whether it was done.
        """
        sent = Sent(method, self.addresses.rest + path, (), body)
        return _expected(self._asked(sent, f"{method} {path}", is_write=True), expect)

    def headers(self) -> Mapping[str, str]:
        """Return what a download from this API is asked with, the credential among it."""
        return {"Accept": ACCEPT, "Authorization": f"Bearer {self.credential.token()}"}

    def _graphql(self, query: str, variables: Mapping[str, object], *, is_write: bool) -> Body:
        what = f"GraphQL {_operation(query)}"
        body = {"query": query, "variables": dict(variables)}
        answer = _expected(
            self._asked(Sent("POST", self.addresses.graphql, (), body), what, is_write=is_write),
            (200,),
        )
        errors = answer.body.value.get("errors") if isinstance(answer.body.value, dict) else None
        if errors:
            listed = errors if isinstance(errors, list) else [errors]
            raise RefusedError(answer, errors=tuple(it for it in listed if isinstance(it, dict)))
        return answer.body.at("data")

    def _listed(self, sent: Sent, what: str, inside: str) -> tuple[list[Body], int | None]:
        listed: list[Body] = []
        total: int | None = None
        seen = {sent.address}
        while True:
            answer = _expected(self._asked(sent, what), (200,))
            body = answer.body
            if isinstance(body.value, dict):
                if body.value.get("incomplete_results") is True:
                    raise PROVIDER_FAILED(f"{what} says that its results are incomplete")
                total = _total(body)
            listed += (body.at(inside) if inside else body).each()
            following = next_page(answer.headers)
            if not following:
                return listed, total
            if following in seen or not self._is_ours(following):
                raise BAD_ANSWER(f"{what}: its Link leads elsewhere than to another page")
            seen.add(following)
            sent = Sent("GET", following)

    def _is_ours(self, address: str) -> bool:
        root, page = urlsplit(self.addresses.rest), urlsplit(address)
        return (root.scheme, root.netloc) == (page.scheme, page.netloc)

    def _asked(self, sent: Sent, what: str, *, is_write: bool = False) -> Answer:
        """Send a request until there is an answer to act on."""
        tries = Tries()
        while True:
            if is_write:
                self._take_turn()
            came, received = self._sent(sent, what, is_write=is_write)
            match decide_next(came, tries, self.clock.now(), is_write=is_write):
                case Done():
                    return self._answer(received, what, is_write=is_write)
                case Again(seconds, why):
                    self._pause(seconds, why)
                case Renew():
                    if not self.credential.renew(date_of(came.headers)):
                        return self._answer(received, what, is_write=is_write)
                case Unclear(why):
                    raise UnclearError(what, why)
                case GiveUp(why, is_limit=True):
                    raise RATE_LIMITED(f"{what}: {why}")
                case GiveUp(why):
                    raise PROVIDER_FAILED(f"{what}: {why}")
                case strange:
                    assert_never(strange)

    def _sent(self, sent: Sent, what: str, *, is_write: bool) -> tuple[Came, Received]:
        """Send a request once, and return what came of it."""
        token = self.credential.token()
        try:
            received = self.transport.send(sent, token)
        except LostError as lost:
            return Came(0, {}, lost.why, reached=lost.reached), _NONE
        except TooLongError as error:
            if is_write:
                raise UnclearError(what, str(error)) from None
            raise BAD_ANSWER(f"{what}: $: {error}") from None
        except StrayError as error:
            raise PROVIDER_FAILED(f"{what}: {error}") from None
        if token.encode() in received.raw:
            received = replace(received, raw=received.raw.replace(token.encode(), b"***"))
        message, is_limit = _message(received)
        return Came(received.status, received.headers, message, is_limit), received

    def _answer(self, received: Received, what: str, *, is_write: bool) -> Answer:
        if received.status == _UNAUTHORIZED:
            raise CREDENTIAL_REFUSED(
                f"{what}: GitHub does not accept the credential, or not any more"
            )
        is_error = received.status >= 400  # noqa: PLR2004 (where HTTP's errors begin)
        try:
            body = body_of(received.raw, what)
        except MergequeueError as error:
            if is_error:
                body = Body(None, what)
            elif is_write:
                raise UnclearError(what, error.problem) from None
            else:
                raise
        return Answer(received.status, received.headers, body)

    def _take_turn(self) -> None:
        with self._lock:
            seconds = self._turns.wait(self.clock.now())
            if seconds > 0:
                self._pause(seconds, "a turn to write, since GitHub limits how many there may be")
            self._turns.sent(self.clock.now())

    def _pause(self, seconds: float, why: str) -> None:
        if seconds >= 5:  # noqa: PLR2004 (nobody needs to be told of less)
            self.tell(f"waiting {seconds:.0f} seconds for GitHub: {one_line(why)}")
        self.clock.sleep(seconds)


_NONE = Received(0, {}, b"")


def _expected(answer: Answer, expect: Collection[int]) -> Answer:
    if answer.status not in expect:
        raise RefusedError(answer)
    return answer


def _message(received: Received) -> tuple[str, bool]:
    """Return GitHub's words in an error, and whether GraphQL says there that a limit was met."""
    if received.status == 200 and b'"RATE_LIMIT' not in received.raw[:65536]:  # noqa: PLR2004 (HTTP's word for yes)
        return "", False
    try:
        value = body_of(received.raw, "").value
    except MergequeueError:
        return "", False
    errors = value.get("errors") if isinstance(value, dict) else None
    kinds = (
        [it.get("type") for it in errors if isinstance(it, dict)]
        if isinstance(errors, list)
        else []
    )
    return words_of(value), any(kind in {"RATE_LIMITED", "RATE_LIMIT"} for kind in kinds)


def _pairs(query: Query) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in query.items())


def _distinct(listed: Iterable[Body]) -> int:
    """Return how many things were listed; one that moved to a later page meanwhile counts once."""
    values = [item.value for item in listed]
    ids = [value.get("id") for value in values if isinstance(value, dict)]
    return len(set(ids)) if ids and all(isinstance(it, int) for it in ids) else len(values)


def _total(body: Body) -> int | None:
    value = body.value.get("total_count") if isinstance(body.value, dict) else None
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise BAD_ANSWER(f"{body.what}: $.total_count: a number is wanted")
    return value


def _operation(query: str) -> str:
    """Return the name of a query, as it stands in front of its variables."""
    words = query.replace("(", " ").replace("{", " ").split()
    return words[1] if len(words) > 1 else "query"
