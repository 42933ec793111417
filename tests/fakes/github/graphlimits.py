"""How GitHub pages and limits what one query asks for."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
)

if TYPE_CHECKING:
    from tests.fakes.github.world import World


def _error(kind: str, message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"type": kind})


def connection(
    world: "World",
    name: str,
    items: Sequence[Any],
    arguments: Mapping[str, Any],
    node: Callable[[Any], Any],
) -> dict[str, Any]:
    """Return a page of a connection, a small one always; raises GitHub's errors about its size."""
    first, last = arguments.get("first"), arguments.get("last")
    if first is None and last is None:
        return _only_counted(name, len(items))
    for word, number in (("first", first), ("last", last)):
        if number is not None and not 1 <= number <= 100:
            said = f"Requesting {number} records on the `{name}` connection exceeds the `{word}`"
            said += " limit of 100 records."
            raise _error("EXCESSIVE_PAGINATION", said)
    start, end = 0, len(items)
    if (after := arguments.get("after")) is not None:
        start = _place(after) + 1
    if (before := arguments.get("before")) is not None:
        end = _place(before)
    if first is not None:
        end = min(end, start + min(first, world.page_size))
    else:
        start = max(start, end - min(last or 0, world.page_size))
    shown = [node(one) for one in items[start:end]]
    cursors = [f"cursor:{place}" for place in range(start, start + len(shown))]
    return {
        "totalCount": len(items),
        "nodes": shown,
        "edges": [
            {"cursor": cursor, "node": one} for cursor, one in zip(cursors, shown, strict=True)
        ],
        "pageInfo": {
            "hasNextPage": end < len(items),
            "hasPreviousPage": start > 0,
            "startCursor": cursors[0] if cursors else None,
            "endCursor": cursors[-1] if cursors else None,
        },
    }


def _only_counted(name: str, total: int) -> dict[str, Any]:
    """Return a connection of which nothing but the count may be asked."""

    def refuse(_: object) -> None:
        said = "You must provide a `first` or `last` value to properly paginate the"
        raise _error("MISSING_PAGINATION_BOUNDARIES", f"{said} `{name}` connection.")

    return {"totalCount": total, "nodes": refuse, "edges": refuse, "pageInfo": refuse}


def _place(cursor: str) -> int:
    kind, _, number = cursor.partition(":")
    if kind != "cursor" or not number.isdigit():
        raise _error(
            "INVALID_CURSOR_ARGUMENTS", f"`{cursor}` does not appear to be a valid cursor."
        )
    return int(number)


def _asked(node: FieldNode, variables: Mapping[str, Any]) -> int | None:
    for argument in node.arguments or ():
        if argument.name.value in {"first", "last"}:
            if isinstance(argument.value, IntValueNode):
                return int(argument.value.value)
            if isinstance(argument.value, VariableNode):
                value = variables.get(argument.value.name.value)
                return value if isinstance(value, int) else None
    return None


def nodes_of(document: DocumentNode, variables: Mapping[str, Any]) -> int:
    """Return how many nodes a query asks for at most, as GitHub counts them."""
    fragments = {
        one.name.value: one.selection_set
        for one in document.definitions
        if isinstance(one, FragmentDefinitionNode)
    }

    def count(chosen: SelectionSetNode | None, times: int) -> int:
        total = 0
        for node in chosen.selections if chosen else ():
            if isinstance(node, FieldNode):
                size = _asked(node, variables)
                below = times if size is None else times * size
                total += (0 if size is None else below) + count(node.selection_set, below)
            elif isinstance(node, InlineFragmentNode):
                total += count(node.selection_set, times)
            elif isinstance(node, FragmentSpreadNode):
                total += count(fragments.get(node.name.value), times)
        return total

    return sum(
        count(one.selection_set, 1)
        for one in document.definitions
        if isinstance(one, OperationDefinitionNode)
    )
