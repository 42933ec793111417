"""What an answer must have by its description, and no test looks at: links, counters, empty texts.

A handler gives what means something. The rest of what the description requires is filled in with
values that nobody could mistake for data: `null` where that is allowed, links to `not-modelled`.
"""

from typing import Any

from tests.fakes.github.described import resolve
from tests.fakes.github.records import Json

_FILLERS: dict[str, Any] = {
    "string": "",
    "integer": 0,
    "number": 0,
    "boolean": False,
}
_FORMATS = {
    "uri": "https://example.invalid/not-modelled",
    "date-time": "2026-01-01T00:00:00Z",
}


def completed(given: Any, part: Json) -> Any:
    """Return an answer with everything that its schema requires."""
    schema = resolve(part)
    if given is None:
        return None
    if isinstance(given, list):
        items = resolve(schema.get("items", {})) if "items" in schema else {}
        return [completed(item, items) for item in given]
    if isinstance(given, dict):
        return _completed_object(given, schema)
    return given


def _completed_object(given: Json, schema: Json) -> Json:
    whole = dict(given)
    for part in schema.get("allOf", []):
        whole = completed(whole, part)
    if choices := schema.get("anyOf", []):
        whole = completed(whole, _chosen(whole, choices))
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in whole and name in properties:
            whole[name] = filler(name, properties[name])
    for name, value in whole.items():
        if name in properties:
            whole[name] = completed(value, properties[name])
    return whole


def _chosen(given: Json, choices: list[Json]) -> Json:
    """Return the alternative that knows the most of what was given, and asks for the least more."""

    def known(part: Json) -> tuple[int, int, int]:
        schema = resolve(part)
        properties = dict(schema.get("properties", {}))
        for one in schema.get("allOf", []):
            properties |= resolve(one).get("properties", {})
        fits = all(
            given.get(name) in resolve(one).get("enum", [given.get(name)])
            for name, one in properties.items()
            if name in given
        )
        missing = sum(name not in given for name in schema.get("required", []))
        return int(fits), sum(name in properties for name in given), -missing

    return max(choices, key=known)


def filler(name: str, part: Json) -> Any:
    """Return a value that a schema allows and that says nothing."""
    schema = resolve(part)
    if schema.get("nullable"):
        return None
    if "enum" in schema:
        return schema["enum"][0]
    for several in ("allOf", "anyOf"):
        if several in schema and "properties" not in schema:
            return filler(name, schema[several][0])
    kind = schema.get("type")
    if kind == "array":
        return []
    if kind == "object" or "properties" in schema:
        return _completed_object({}, schema)
    if kind == "string":
        return _FORMATS.get(schema.get("format", ""), "")
    return _FILLERS.get(str(kind))
