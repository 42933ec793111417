"""What a field of GraphQL that the fake does not have is, for a client that asks for everything."""

from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    is_abstract_type,
)

_SCALARS: dict[str, Any] = {"Int": 0, "Float": 0.0, "Boolean": False}


def blank(kind: GraphQLOutputType) -> Any:
    """Return null where it may be, and nothing in particular otherwise."""
    if not isinstance(kind, GraphQLNonNull):
        return None
    inner = kind.of_type
    if isinstance(inner, GraphQLList):
        return []
    if isinstance(inner, GraphQLEnumType):
        return next(iter(inner.values))
    if isinstance(inner, GraphQLObjectType):
        if inner.name.endswith("Connection"):
            page = {"hasNextPage": False, "hasPreviousPage": False}
            return {"nodes": [], "edges": [], "totalCount": 0, "pageInfo": page}
        return {}
    if is_abstract_type(inner):
        return None
    return _SCALARS.get(inner.name, "")
