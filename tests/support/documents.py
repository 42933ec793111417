"""Documents as JSON has them, and tables of what may be changed in them, one thing at a time."""

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import pytest

from mergequeue.documents.reading import read_document
from mergequeue.documents.record import Record
from mergequeue.vocabulary.errors import MergequeueError

Json = dict[str, Any]
Model = TypeVar("Model", bound=Record)

A, B, C, D = ("a" * 40, "b" * 40, "c" * 40, "d" * 40)
LONG: Final = "e" * 64
"""A commit id of a repository that uses SHA-256."""

GONE: Final = object()
"""In place of a value: the key is taken away."""


@dataclass(frozen=True)
class Row:
    """One line of a table of examples: a name, and what differs from the whole document."""

    name: str
    edits: Mapping[str, object] = field(default_factory=dict)
    """By path, such as `changes.0.head`."""
    path: str = ""
    """Where the error is, as in `$.changes[0].head`."""
    says: str = ""
    """Something that the error says besides."""
    code: str = "MQ1003"


def rows(table: list[Row]) -> pytest.MarkDecorator:
    """Return the decorator that runs a test once a row, under the row's name."""
    return pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in table])


def edited(document: Json, edits: Mapping[str, object]) -> Json:
    """Return a copy of a document with the values at some paths replaced, added or taken away."""
    copied = copy.deepcopy(document)
    for path, value in edits.items():
        *way, last = path.split(".")
        place: Any = copied
        for step in way:
            place = place[int(step) if isinstance(place, list) else step]
        if value is GONE:
            del place[last]
        elif isinstance(place, list):
            place[int(last) : int(last) + 1] = [value]
        else:
            place[last] = value
    return copied


def read(document: object, model: type[Model]) -> Model:
    """Return a document as it is read from its bytes."""
    return read_document(json.dumps(document).encode(), model, "the file")


def refusal(reading: Callable[[], object]) -> MergequeueError:
    """Return the error that reading ends in."""
    with pytest.raises(MergequeueError) as caught:
        reading()
    return caught.value


def assert_refused(document: Json, model: type[Record], row: Row) -> None:
    """See that a document with the row's edits is refused as the row says."""
    error = refusal(lambda: read(edited(document, row.edits), model))
    assert (error.code, error.exit_status) == (row.code, 2)
    assert error.problem.startswith(f"the file: {row.path}")
    following = error.problem.removeprefix(f"the file: {row.path}")
    assert following[:1] in {":", " "}, error.problem
    assert row.says in following
