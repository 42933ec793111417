"""Lists a page at a time, small ones always: who reads only the first one is found out."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from tests.fakes.github.calls import Answer, Call


def paged(call: Call, items: Sequence[Any], *, inside: str | None = None) -> Answer:
    """Return the page that a call asks for, with `Link`; `inside` an object with `total_count`."""
    size = min(call.query.get("per_page", 30), call.world.page_size)
    page = max(call.query.get("page", 1), 1)
    shown = list(items[(page - 1) * size : page * size])
    last = max(1, -(-len(items) // size))
    headers = links(call, page, last)
    if page == last and inside in call.world.short_lists:
        shown = shown[:-1]
    if inside is None:
        return Answer(200, shown, headers)
    return Answer(200, {"total_count": len(items), inside: shown}, headers)


def links(call: Call, page: int, last: int) -> dict[str, str]:
    """Return the `Link` header; GitHub's addresses name a repository by its id."""
    path = call.url
    if call.found is not None:
        named = f"/repos/{call.path['owner']}/{call.path['repo']}"
        path = path.replace(named, f"/repositories/{call.found.id}", 1)
    wanted = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
    shown = {
        rel: number
        for rel, number in wanted.items()
        if (number > page if rel in {"next", "last"} else number < page) and 1 <= number <= last
    }
    if not shown:
        return {}
    kept = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in call.query.items()
    }
    return {
        "Link": ", ".join(
            f'<{path}?{urlencode({**kept, "page": number})}>; rel="{rel}"'
            for rel, number in shown.items()
        )
    }
