"""Bytes to documents and back: one error, with its code and the JSON path, for what is wrong."""

import json
import tomllib
from collections.abc import Mapping
from typing import TypeVar

from pydantic import ValidationError

from mergequeue.documents.record import Record
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import (
    BAD_CONFIGURATION,
    BAD_DOCUMENT,
    BAD_STATE,
    UNKNOWN_SCHEMA,
    UNREADABLE,
    ErrorKind,
    MergequeueError,
)
from mergequeue.vocabulary.text import cut, log_json, one_line

Model = TypeVar("Model", bound=Record)

_SHOWN = 300
_EMPTY: tuple[object, ...] = (None, "", [])


class _RepeatedKeyError(ValueError):
    """A JSON object that names one key twice."""


def read_document(raw: bytes, model: type[Model], what: str) -> Model:
    """Return the document of type `model` that `raw` holds.

    `what` names it for errors, such as a file. Raises UNREADABLE for what is no JSON, too large or
    names a key twice, UNKNOWN_SCHEMA, and BAD_DOCUMENT with the path of the first thing wrong.
    """
    data = parse_json(raw, what)
    if not isinstance(data, dict):
        raise BAD_DOCUMENT(f"{what}: $: an object is wanted")
    wanted = model.model_fields["schema_"].default
    named = data.get("schema")
    if named != wanted:
        shown = one_line(cut(json.dumps(named), _SHOWN))
        raise UNKNOWN_SCHEMA(f"{what}: $.schema is {shown} where {wanted} is wanted")
    return checked(data, model, what, BAD_DOCUMENT)


def read_kept(raw: bytes | None, model: type[Model], what: str) -> Model:
    """Return the record that a file of the queue's own records holds; None stands for no file.

    Raises BAD_STATE, naming the file, where it does not read.
    """
    if raw is None:
        raise BAD_STATE(f"{what} is no regular file")
    try:
        return read_document(raw, model, what)
    except MergequeueError as error:
        remedy = error.remedy if error.code == UNKNOWN_SCHEMA.code else None
        raise BAD_STATE(error.problem, remedy) from error


def parse_json(raw: bytes, what: str) -> object:
    """Return what the JSON in `raw` holds.

    Raises UNREADABLE where it is too large, no JSON, or names a key twice.
    """
    if len(raw) > limits.DOCUMENT_BYTES:
        raise UNREADABLE(f"{what} has more than {limits.DOCUMENT_BYTES} bytes")
    try:
        return json.loads(
            raw.decode("utf-8"), object_pairs_hook=_without_repeats, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError) as error:
        raise UNREADABLE(
            f"{what} cannot be read as JSON: {one_line(cut(str(error), _SHOWN))}"
        ) from error


def read_configuration(raw: bytes, what: str) -> Mapping[str, object]:
    """Return the tables that the TOML in `raw` holds.

    Raises UNREADABLE where it is too large, BAD_CONFIGURATION where it is no TOML.
    """
    if len(raw) > limits.DOCUMENT_BYTES:
        raise UNREADABLE(f"{what} has more than {limits.DOCUMENT_BYTES} bytes")
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BAD_CONFIGURATION(
            f"{what} cannot be read as TOML: {one_line(cut(str(error), _SHOWN))}"
        ) from error


def checked(data: object, model: type[Model], what: str, kind: ErrorKind) -> Model:
    """Return `data`, as JSON gives it, as a `model`.

    Raises `kind`, naming the path of the first thing wrong.
    """
    try:
        return _read(json.dumps(data), model)
    except (ValidationError, ValueError, RecursionError) as error:
        raise kind(f"{what}: {_first(error)}") from error


def write_document(document: Record) -> bytes:
    """Return the document as JSON, keys in the order of its fields.

    It is read back and compared first; raises ValueError where it differs.
    """
    raw = log_json(document.model_dump_json(by_alias=True, indent=2)).encode("utf-8") + b"\n"
    if _read(raw, type(document)) != document:
        msg = f"{type(document).__name__} does not read back as it was written"
        raise ValueError(msg)
    return raw


def write_line(document: Record) -> str:
    """Return the document as one line of ASCII JSON, empty fields left out (an event's form)."""
    fields = document.model_dump(mode="json", by_alias=True)
    kept = {key: value for key, value in fields.items() if value not in _EMPTY}
    return log_json(json.dumps(kept))


def _read(raw: str | bytes, model: type[Model]) -> Model:
    # A key is called as the schema calls it: what Python calls it is an unknown key.
    return model.model_validate_json(raw, by_alias=True, by_name=False)


def _first(error: ValidationError | ValueError | RecursionError) -> str:
    if not isinstance(error, ValidationError):
        return one_line(cut(str(error), _SHOWN))
    details = error.errors(include_url=False, include_input=False, include_context=False)[0]
    path = "$" + "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in details["loc"]
    )
    message = details["msg"].removeprefix("Value error, ")
    more = error.error_count() - 1
    rest = f" (and {more} more)" if more else ""
    return one_line(cut(f"{path}: {message}{rest}", _SHOWN))


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            msg = f"the key {key!r} stands twice"
            raise _RepeatedKeyError(msg)
        found[key] = value
    return found


def _refuse_constant(name: str) -> object:
    msg = f"{name} is no JSON number"
    raise ValueError(msg)
