"""What GitHub answered, apart from how it came: a status, headers, and a body, strictly read.

A body is read into records that name every field they need. One that is missing, of another type or
null where GitHub never says null is BAD_ANSWER, which names the request and the field; nothing is
read as zero, false or an empty list because it was not there (issue 5, Bad input).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from pydantic import ConfigDict

from mergequeue.documents.reading import checked, parse_json
from mergequeue.documents.record import Record
from mergequeue.vocabulary.errors import BAD_ANSWER, PROVIDER_FAILED, MergequeueError, QueueError
from mergequeue.vocabulary.text import cut, one_line

Model = TypeVar("Model", bound=Record)

_SHOWN = 400


class GitHubRecord(Record):
    """What we read of an object of GitHub's; what else it holds is GitHub's business."""

    model_config = ConfigDict(extra="ignore")


@dataclass(frozen=True)
class Body:
    """What a request's answer holds at one place of it, as JSON has it."""

    value: object
    what: str
    """The request, for errors."""
    where: str = "$"

    def read(self, model: type[Model]) -> Model:
        """Return it as a record; raise BAD_ANSWER naming the request and the field."""
        place = self.what if self.where == "$" else f"{self.what}: in {self.where}"
        return checked(self.value, model, place, BAD_ANSWER)

    def at(self, *keys: str | int) -> "Body":
        """Return what is further inside; raise BAD_ANSWER where there is nothing under a key."""
        found = self
        for key in keys:
            found = found._inside(key)
        return found

    def each(self) -> "tuple[Body, ...]":
        """Return what a list holds, one by one; raise BAD_ANSWER where it is none."""
        if not isinstance(self.value, list):
            raise BAD_ANSWER(f"{self.what}: {self.where}: a list is wanted")
        return tuple(
            Body(value, self.what, f"{self.where}[{number}]")
            for number, value in enumerate(self.value)
        )

    def _inside(self, key: str | int) -> "Body":
        value = self.value
        if isinstance(key, str):
            if isinstance(value, dict) and key in value:
                return Body(value[key], self.what, f"{self.where}.{key}")
        elif isinstance(value, list) and key < len(value):
            return Body(value[key], self.what, f"{self.where}[{key}]")
        raise BAD_ANSWER(f"{self.what}: {self.where}: {key} is missing")


@dataclass(frozen=True)
class Answer:
    """A whole answer that was understood."""

    status: int
    headers: Mapping[str, str]
    """Their names in small letters."""
    body: Body

    @property
    def message(self) -> str:
        """What GitHub says went wrong, in its own words on one line; empty where it says nothing.

        That covers the list of errors which a 422 carries.
        """
        return words_of(self.body.value)


class RefusedError(QueueError):
    """GitHub answered, and not as the caller expected: nothing was done."""

    def __init__(self, answer: Answer, *, errors: tuple[Mapping[str, object], ...] = ()) -> None:
        """Keep the answer; `errors` are those of a GraphQL answer."""
        said = words_of({"errors": list(errors)}) if errors else answer.message
        self.status = answer.status
        self.message = said
        self.answer = answer
        self.errors = errors
        problem = f"{answer.body.what} was answered with {answer.status}: {said or 'no words'}"
        super().__init__(PROVIDER_FAILED.code, problem, PROVIDER_FAILED.remedy)


class UnclearError(QueueError):
    """Nobody knows whether a write was carried out: what is true has to be read before another."""

    def __init__(self, what: str, why: str) -> None:
        """Name the request and what became of its answer."""
        self.what = what
        problem = f"{what} may or may not have been carried out: {why}"
        super().__init__(PROVIDER_FAILED.code, problem, PROVIDER_FAILED.remedy)


def body_of(raw: bytes, what: str) -> Body:
    """Return the body that `raw` holds as JSON, null where it is empty.

    Raises BAD_ANSWER where it is no JSON, or names a key twice.
    """
    if not raw.strip():
        return Body(None, what)
    try:
        return Body(parse_json(raw, what), what)
    except MergequeueError as error:
        raise BAD_ANSWER(error.problem) from error


def words_of(value: object) -> str:
    """Return GitHub's own words in the body of an error, on one line and cut."""
    if not isinstance(value, dict):
        return ""
    listed = value.get("errors")
    parts = [value.get("message"), *(listed if isinstance(listed, list) else [])]
    said = [text for part in parts if (text := _said(part))]
    return one_line(cut("; ".join(dict.fromkeys(said)), _SHOWN))


def _said(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    if isinstance(part.get("message"), str) and part["message"]:
        return str(part["message"])
    known = [part.get(key) for key in ("resource", "field", "code")]
    return " ".join(word for word in known if isinstance(word, str))
