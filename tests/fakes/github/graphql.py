"""GraphQL: GitHub's own schema, executed by graphql-core.

A client is held to the schema strictly: what is not valid, and what the fake does not have, fails
the test. GitHub's command line asks for fields newer than the published schema and has lists of
fields for everything it might show, so for it nothing is validated and blanks are filled in.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSchema,
    OperationDefinitionNode,
    build_schema,
    default_field_resolver,
    execute_sync,
    parse,
    validate,
)
from werkzeug.wrappers import Request, Response

from tests.fakes.github import access
from tests.fakes.github.calls import Answer, Refused
from tests.fakes.github.graphblanks import blank
from tests.fakes.github.graphlimits import nodes_of
from tests.fakes.github.log import Seen
from tests.fakes.github.records import Token

if TYPE_CHECKING:
    from tests.fakes.github.world import World

_FILE = Path(__file__).parent / "descriptions/schema.graphql"
_MOST_NODES = 500_000


@dataclass
class Asking:
    """Who asks what of whom, for the resolvers."""

    world: "World"
    token: Token
    told: list[str]
    strict: bool


@cache
def schema() -> GraphQLSchema:
    """Return GitHub's schema."""
    return build_schema(_FILE.read_text("utf-8"), assume_valid=True, assume_valid_sdl=True)


def _resolve(source: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
    asking: Asking = info.context
    if isinstance(source, dict) and info.field_name not in source:
        name = f"{info.parent_type.name}.{info.field_name}"
        if asking.strict:
            asking.world.log.broken.append(f"GraphQL: the fake has no {name}")
        return blank(info.return_type)
    try:
        return default_field_resolver(source, info, **arguments)
    except Refused as no:
        kind = {403: "FORBIDDEN", 404: "NOT_FOUND"}.get(no.status, "UNPROCESSABLE")
        raise GraphQLError(no.message, extensions={"type": kind}) from None


def answer(world: "World", request: Request, seen: Seen, told: list[str]) -> Response:
    """Answer a POST of a query or a mutation."""
    seen.operation = "query"
    try:
        token = access.asking(world, dict(request.headers.items()))
    except Refused as no:
        return _response(no.answer(), {})
    seen.login = token.login
    asked = json.loads(request.get_data() or b"{}")
    seen.body = asked
    if refused := world.limits.refuse(seen):
        return _response(refused, world.limits.headers(seen))
    strict = "GitHub CLI" not in request.headers.get("User-Agent", "")
    with world.lock:
        asking = Asking(world, token, told, strict)
        body = _executed(asking, seen, asked)
    return _response(Answer(200, body), world.limits.headers(seen))


@cache
def _read(text: str, *, strict: bool) -> tuple[DocumentNode | None, list[GraphQLError]]:
    """Return a query read, and what is wrong with it; a client asks the same ones often."""
    try:
        document = parse(text)
    except GraphQLError as error:
        return None, [error]
    return document, validate(schema(), document) if strict else []


def _executed(asking: Asking, seen: Seen, asked: Mapping[str, Any]) -> dict[str, Any]:
    document, errors = _read(asked["query"], strict=asking.strict)
    if document is not None:
        seen.operation = kind_of(document, asked.get("operationName"))
    if errors:
        asking.world.log.broken += [f"GraphQL: {error.message}" for error in errors]
        return {"errors": [_shown(error) for error in errors]}
    assert document is not None
    variables = asked.get("variables") or {}
    nodes = nodes_of(document, variables)
    if nodes > _MOST_NODES:
        said = (
            f"This query requests up to {nodes:,} possible nodes which exceeds the maximum limit of"
            f" {_MOST_NODES:,}."
        )
        return {"errors": [{"type": "MAX_NODE_LIMIT_EXCEEDED", "message": said}]}
    from tests.fakes.github.resolvers import root  # noqa: PLC0415  resolvers ask for Asking

    result = execute_sync(
        schema(),
        document,
        root_value=root(asking),
        context_value=asking,
        variable_values=variables,
        operation_name=asked.get("operationName"),
        field_resolver=_resolve,
    )
    body: dict[str, Any] = {"data": result.data}
    if seen.operation == "mutation" and not asking.told:
        asking.told.extend(names_of(document))
    if result.errors:
        asking.told[:] = [f"refused: {one}" for one in asking.told]
        body["errors"] = [_shown(error) for error in result.errors]
        answers = (GraphQLError, type(None))
        unexpected = [one for one in result.errors if not isinstance(one.original_error, answers)]
        if asking.strict:
            asking.world.log.broken += [f"GraphQL: {one}" for one in unexpected]
    return body


def kind_of(document: DocumentNode, name: str | None) -> str:
    """Return `query` or `mutation`."""
    for definition in document.definitions:
        if not isinstance(definition, OperationDefinitionNode):
            continue
        if name is None or (definition.name and definition.name.value == name):
            return definition.operation.value
    return "query"


def names_of(document: DocumentNode) -> list[str]:
    """Return the fields at the root of what is asked."""
    return [
        node.name.value
        for definition in document.definitions
        if isinstance(definition, OperationDefinitionNode)
        for node in definition.selection_set.selections
        if isinstance(node, FieldNode)
    ]


def _shown(error: GraphQLError) -> dict[str, Any]:
    shape: dict[str, Any] = {"message": error.message}
    if error.extensions and "type" in error.extensions:
        shape["type"] = error.extensions["type"]
    if error.path:
        shape["path"] = list(error.path)
    if error.locations:
        shape["locations"] = [{"line": one.line, "column": one.column} for one in error.locations]
    return shape


def _response(answered: Answer, headers: dict[str, str]) -> Response:
    data = json.dumps(answered.body).encode()
    kind = "application/json; charset=utf-8"
    return Response(data, answered.status, {**headers, **answered.headers}, content_type=kind)
