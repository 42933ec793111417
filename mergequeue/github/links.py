"""The `Link` header, which alone says whether a listing goes on (DESIGN, Rulings 8)."""

import re
from collections.abc import Mapping

_LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w-]+\s*=\s*(?:\"[^\"]*\"|[^\",;\s]+))*)")
_RELATION = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\",;\s]+))", re.IGNORECASE)


def next_page(headers: Mapping[str, str]) -> str:
    """Return the address of the page after this one; empty on the last."""
    for address, parameters in _LINK.findall(headers.get("link", "")):
        for quoted, bare in _RELATION.findall(parameters):
            if "next" in (quoted or bare).lower().split():
                return str(address)
    return ""
