"""GitHub's description of its REST interface, and what it says of one request or answer.

The description is sealed: where it names the properties of an object and does not say that there
may be others, another one is a fault, whoever sends it.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from jsonschema.exceptions import best_match
from openapi_schema_validator import OAS30Validator
from referencing import Registry
from referencing.jsonschema import DRAFT4

from tests.fakes.github.records import Json

_FILE = Path(__file__).parent / "descriptions/openapi.json"
_MANY_SEGMENTS = {"ref", "path", "basehead", "branch"}
"""Parameters of a path in which GitHub takes a bare slash."""
_ANY_ERROR = "validation-error"
"""What an error looks like whose status an operation does not describe."""


_NULL_AT_TIMES = (
    # Where GitHub answers null though its description does not say so.
    "auto-merge/properties/commit_title",
    "auto-merge/properties/commit_message",
    "pull-request/properties/head/properties/repo",  # of a fork that was deleted
    "pull-request-simple/properties/head/properties/repo",
    "pull-request-simple/properties/labels/items/properties/description",
    "issue-search-result-item/properties/body",
    "workflow-run/properties/head_repository",  # of a fork that was deleted
)


_LABELS = "/repos/{owner}/{repo}/issues/{issue_number}/labels"
"""GitHub takes the names of labels as a bare list too, as it once described."""


class NotDescribed(Exception):
    """There is no such operation in the slim copy."""


_NULL: Json = {"type": "object", "nullable": True, "enum": [None]}


def _mend(schema: Json) -> None:
    """Say what GitHub means where the letter of its description says less.

    What fits several of `oneOf` is taken too: GitHub's own answers do, as a user that is public and
    private. What is `nullable` is so whatever its other keywords say.
    """
    if "oneOf" in schema:
        schema["anyOf"] = schema.get("anyOf", []) + schema.pop("oneOf")
    if schema.get("nullable") is not True:
        return
    if "type" in schema:
        if None not in schema.get("enum", [None]):
            schema["enum"] = [*schema["enum"], None]
    elif "anyOf" in schema:
        schema["anyOf"].append(_NULL)
    elif "allOf" in schema:
        schema["anyOf"] = [{"allOf": schema.pop("allOf")}, _NULL]


def _seal(schema: Any, *, alone: bool = True) -> None:
    """Forbid other properties, except where several schemas speak of one object."""
    if isinstance(schema, list):
        for item in schema:
            _seal(item, alone=alone)
    elif isinstance(schema, dict):
        if alone and isinstance(schema.get("properties"), dict):
            schema.setdefault("additionalProperties", False)
        _mend(schema)
        for key, value in schema.items():
            if key == "properties":
                for part in value.values():
                    _seal(part)
            else:
                _seal(value, alone=key not in {"allOf", "anyOf"})


@cache
def document() -> Json:
    """Return the slim description, sealed. Parts that only others build on stay open."""
    whole: Json = json.loads(_FILE.read_text("utf-8"))
    for place in _NULL_AT_TIMES:
        *path, last = place.split("/")
        schemas: Any = whole["components"]["schemas"]
        part = schemas
        for step in path:
            part = part[step]
        referred = str(part[last].get("$ref", "")).rpartition("/")[2]
        part[last] = {**(schemas[referred] if referred else part[last]), "nullable": True}
    for method in ("post", "put"):
        media = whole["paths"][_LABELS][method]["requestBody"]["content"]["application/json"]
        bare = {"type": "array", "items": {"type": "string"}}
        media["schema"] = {"anyOf": [media["schema"], bare]}
    _seal(whole["paths"])
    combined = set(_combined(whole))
    for name, schema in whole["components"]["schemas"].items():
        _seal(schema, alone=name not in combined)
    _seal(whole["components"].get("responses", {}))
    return whole


def _combined(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            if key in {"allOf", "anyOf", "oneOf"} and isinstance(value, list):
                yield from (str(one["$ref"]).rpartition("/")[2] for one in value if "$ref" in one)
            yield from _combined(value)
    elif isinstance(part, list):
        for item in part:
            yield from _combined(item)


@cache
def _registry() -> Registry[Any]:
    registry: Registry[Any] = Registry()
    described: Registry[Any] = registry.with_resource(
        "urn:github", DRAFT4.create_resource(document())
    )
    return described


@cache
def _validator(pointer: str) -> OAS30Validator:
    return OAS30Validator(
        {"$ref": pointer},
        registry=_registry(),
        format_checker=OAS30Validator.FORMAT_CHECKER,
    )


_FOUND_GOOD: set[tuple[str, bytes]] = set()


def complaint_of_answer(pointer: str, value: object, url: str) -> str | None:
    """Return what a schema says against an answer, or None.

    The same answer is looked at once, wherever (at what url) a fake gave it: that is most of them.
    """
    text = json.dumps(value).replace(url, "").encode()
    mark = (pointer, hashlib.sha256(text).digest())
    if mark in _FOUND_GOOD:
        return None
    found = complaint(pointer, value)
    if found is None:
        _FOUND_GOOD.add(mark)
    return found


def complaint(pointer: str, value: object) -> str | None:
    """Return what a schema says against a value, or None."""
    error = best_match(_validator(pointer).iter_errors(value))
    return None if error is None else f"{error.json_path}: {error.message[:300]}"


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def resolve(part: Json) -> Json:
    """Return what a part is, following its reference."""
    while "$ref" in part:
        target: Any = document()
        for step in str(part["$ref"]).removeprefix("#/").split("/"):
            target = target[step]
        part = target
    return part


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    template: str

    @property
    def name(self) -> str:
        return f"{self.method} {self.template}"

    @cached_property
    def _described(self) -> Json:
        described: Json = document()["paths"][self.template][self.method.lower()]
        return described

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        def group(found: re.Match[str]) -> str:
            name = found[1]
            return f"(?P<{name}>{'.+' if name in _MANY_SEGMENTS else '[^/]+'})"

        return re.compile(re.sub(r"\\\{(\w+)\\\}", group, re.escape(self.template)))

    def parameters(self, place: str) -> dict[str, Json]:
        """Return the described parameters in `path` or `query`."""
        described = [resolve(one) for one in self._described.get("parameters", [])]
        return {one["name"]: one for one in described if one["in"] == place}

    def read_query(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Return a query's values in their described types; raises ValueError."""
        known = self.parameters("query")
        values = {}
        for name, text in given.items():
            if name not in known:
                raise ValueError(f"no query parameter {name!r}")
            values[name] = _typed(name, text, resolve(known[name]["schema"]))
        missing = [name for name, one in known.items() if one.get("required") and name not in given]
        if missing:
            raise ValueError(f"query parameters are missing: {missing}")
        return values

    def read_path(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Return a path's values in their described types; raises ValueError."""
        known = self.parameters("path")
        return {
            name: _typed(name, text, resolve(known[name]["schema"]) if name in known else {})
            for name, text in given.items()
        }

    def body_complaint(self, body: object, *, sent: bool) -> str | None:
        """Return what is wrong with a request's body."""
        described = self._described.get("requestBody")
        if not sent:
            return "a body is missing" if described and described.get("required") else None
        if described is None:
            return None if body == {} else "a body where none is described"
        return complaint(
            f"urn:github#/paths/{_escaped(self.template)}/{self.method.lower()}"
            "/requestBody/content/application~1json/schema",
            body,
        )

    def header_complaints(self, status: int, given: Mapping[str, str]) -> Iterator[str]:
        """Yield what is wrong with an answer's headers, as far as they are described."""
        answer = self._described["responses"].get(str(status), {})
        for name, part in resolve(answer).get("headers", {}).items():
            if name in given:
                try:
                    _typed(name, given[name], resolve(resolve(part).get("schema", {})))
                except ValueError as error:
                    yield str(error)

    def answer_schema(self, status: int) -> tuple[Json | None, str] | None:
        """Return the schema of an answer with where it is; None where the status is unknown."""
        answers = self._described["responses"]
        if str(status) not in answers:
            if status < 400:
                return None
            any_error = f"#/components/schemas/{_ANY_ERROR}"
            return {"$ref": any_error}, f"urn:github{any_error}"
        described = resolve(answers[str(status)])
        where = f"/paths/{_escaped(self.template)}/{self.method.lower()}/responses/{status}"
        if "$ref" in answers[str(status)]:
            where = answers[str(status)]["$ref"].removeprefix("#")
        content = described.get("content", {})
        if "application/json" not in content:
            return None, ""
        return content["application/json"][
            "schema"
        ], f"urn:github#{where}/content/application~1json/schema"


def _typed(name: str, text: str, schema: Json) -> Any:
    kind = schema.get("type")
    try:
        value: Any = _READERS.get(str(kind), str)(text)
    except ValueError:
        raise ValueError(f"{name}={text!r} is no {kind}") from None
    if "enum" in schema and value not in schema["enum"]:
        raise ValueError(f"{name}={text!r} is none of {schema['enum']}")
    return value


def _boolean(text: str) -> bool:
    if text not in {"true", "false"}:
        raise ValueError(text)
    return text == "true"


_READERS: dict[str, Callable[[str], object]] = {"integer": int, "boolean": _boolean}


@cache
def operations() -> tuple[Operation, ...]:
    """Return every described operation; a path with fewer parameters comes first."""
    every = [
        Operation(method.upper(), template)
        for template, methods in document()["paths"].items()
        for method in methods
    ]
    return tuple(sorted(every, key=lambda one: (one.template.count("{"), -len(one.template))))


def find(method: str, raw_path: str) -> tuple[Operation, dict[str, str]]:
    """Return the operation that a raw path asks for, and its parameters as text."""
    wanted = "GET" if method == "HEAD" else method
    for operation in operations():
        if operation.method == wanted and (found := operation.pattern.fullmatch(raw_path)):
            return operation, {name: unquote(text) for name, text in found.groupdict().items()}
    raise NotDescribed(f"{method} {raw_path}")
