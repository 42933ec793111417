"""Where GitHub keeps what jobs upload: another host, to which no credential of the API may come."""

import secrets

from werkzeug.wrappers import Request, Response

from tests.fakes.github.log import Seen
from tests.fakes.github.world import World

PREFIX = "/_blobs/"
_OF_THE_API = ("Authorization", "X-GitHub-Api-Version")


def address_of(world: World, raw: bytes) -> str:
    """Return a signed address at which these bytes can be had for now."""
    signature = secrets.token_hex(16)
    world.blobs[signature] = raw
    port = world.url.rpartition(":")[2]
    return f"http://localhost:{port}{PREFIX}artifact.zip?sig={signature}"


def answer(world: World, request: Request, seen: Seen) -> Response:
    """Answer a request for a blob."""
    seen.operation = "blob"
    came = [name for name in _OF_THE_API if name in request.headers]
    # GitHub's own command line takes its other headers along, which does no harm.
    if came and "GitHub CLI" not in request.headers.get("User-Agent", ""):
        world.log.broken.append(f"{', '.join(came)} came to the host of the blobs")
    if "Authorization" in came:
        return Response("AuthenticationFailed", 403)
    if request.host.partition(":")[0] != "localhost":
        world.log.broken.append("a blob was asked for at the host of the API")
    raw = world.blobs.get(request.args.get("sig", ""))
    if raw is None:
        return Response("AuthenticationFailed", 403)
    return Response(raw, 200, content_type="application/zip")
