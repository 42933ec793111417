"""The results service, which jobs keep artifacts with, as GitHub's own client speaks to it.

No description of it is published. What is here was read off `@actions/artifact`, which runs against
it unchanged (tests/actions).
"""

import hashlib
import json
import secrets
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import jwt
from werkzeug.wrappers import Request, Response

from tests.fakes.github import blobs
from tests.fakes.github.log import Seen
from tests.fakes.github.runrecords import Artifact, Run, Upload

if TYPE_CHECKING:
    from tests.fakes.github.world import World

PREFIX = "/twirp/github.actions.results.api.v1.ArtifactService/"
UPLOADS = "/_uploads/"


def token_for(run: Run, job: str = "job") -> str:
    """Return what a runner gives the actions of a job; nobody checks its signature."""
    return jwt.encode(
        {"scp": f"Actions.Results:{run.id}:{job}"}, "a key that nobody is going to check"
    )


def answer(world: "World", request: Request, seen: Seen, told: list[str]) -> Response:
    """Answer a call of the service; only what ends an upload is told as a write."""
    method = seen.path.removeprefix(PREFIX)
    seen.operation = "query" if method != "FinalizeArtifact" else "upload"
    raw = request.get_data()
    with world.lock:
        found = _run_of(world, request)
        if found is None:
            return _told({"code": "unauthenticated", "msg": "no such run"}, 401)
        handler = _METHODS.get(method)
        if handler is None:
            return _told({"code": "bad_route", "msg": method}, 404)
        body = json.loads(raw)
        told.append(f"artifact {body.get('name')} of run {found.id}")
        return handler(world, found, body)


def uploaded(world: "World", request: Request, seen: Seen) -> Response:
    """Take bytes that are put at a signed address, whole or in blocks."""
    seen.operation = "query"  # it changes nothing until it is ended
    raw = request.get_data()
    with world.lock:
        if "authorization" in {name.lower() for name in request.headers.keys()}:  # noqa: SIM118  no dict
            world.log.broken.append("a credential came to the host of the blobs")
        upload = world.uploads.get(request.args.get("sig", ""))
        if upload is None:
            return Response("AuthenticationFailed", 403)
        match request.args.get("comp"):
            case "block":
                upload.blocks[request.args["blockid"]] = raw
            case "blocklist":
                named = [block.text or "" for block in ET.fromstring(raw)]  # noqa: S314 (a client's of this test)
                upload.raw = b"".join(upload.blocks[name] for name in named)
            case _:
                if request.headers.get("x-ms-blob-type") != "BlockBlob":
                    return Response("MissingRequiredHeader", 400)
                upload.raw = raw
    return Response(status=201, headers={"ETag": '"0x1"', "x-ms-request-id": "1"})


def _create(world: "World", run: Run, body: dict[str, Any]) -> Response:
    name = body["name"]
    if any(artifact.name == name for artifact in run.artifacts):
        return _told({"code": "already_exists", "msg": "an artifact with this name exists"}, 409)
    if set('":<>|*?\r\n\\/') & set(name):
        return _told({"code": "invalid_argument", "msg": "the name is not allowed"}, 400)
    signature = secrets.token_hex(16)
    world.uploads[signature] = Upload(run, name)
    port = world.url.rpartition(":")[2]
    address = f"http://localhost:{port}{UPLOADS}{secrets.token_hex(4)}.zip?sig={signature}"
    return _told({"ok": True, "signed_upload_url": address})


def _finalize(world: "World", run: Run, body: dict[str, Any]) -> Response:
    ended = [one for one in world.uploads.values() if (one.run, one.name) == (run, body["name"])]
    if not ended:
        return _told({"code": "not_found", "msg": "no such artifact"}, 404)
    raw = ended[-1].raw
    digest = body.get("hash", "")
    if int(body["size"]) != len(raw) or digest != f"sha256:{hashlib.sha256(raw).hexdigest()}":
        return _told({"code": "invalid_argument", "msg": "its size or digest is another"}, 400)
    artifact = Artifact(world.new_id(), body["name"], raw, world.clock.tick())
    run.artifacts.append(artifact)
    return _told({"ok": True, "artifact_id": str(artifact.id)})


def _list(_world: "World", run: Run, body: dict[str, Any]) -> Response:
    wanted = [
        artifact
        for artifact in run.artifacts
        if body.get("name_filter") in {None, artifact.name}
        and body.get("id_filter") in {None, str(artifact.id)}
    ]
    return _told(
        {
            "artifacts": [
                {
                    "workflow_run_backend_id": str(run.id),
                    "workflow_job_run_backend_id": "job",
                    "database_id": str(artifact.id),
                    "name": artifact.name,
                    "size": str(len(artifact.raw)),
                    "created_at": artifact.created_at,
                    "digest": f"sha256:{hashlib.sha256(artifact.raw).hexdigest()}",
                }
                for artifact in wanted
            ]
        }
    )


def _signed(world: "World", run: Run, body: dict[str, Any]) -> Response:
    for artifact in run.artifacts:
        if artifact.name == body["name"]:
            address = blobs.address_of(world, artifact.raw)
            return _told({"name": artifact.name, "signed_url": address})
    return _told({"code": "not_found", "msg": "no such artifact"}, 404)


_METHODS = {
    "CreateArtifact": _create,
    "FinalizeArtifact": _finalize,
    "ListArtifacts": _list,
    "GetSignedArtifactURL": _signed,
}


def _run_of(world: "World", request: Request) -> Run | None:
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
    try:
        scopes = jwt.decode(bearer, options={"verify_signature": False})["scp"]
    except (jwt.InvalidTokenError, KeyError):
        return None
    number = scopes.partition(":")[2].partition(":")[0]
    for repository in world.repositories.values():
        if number.isdecimal() and int(number) in repository.runs:
            return repository.runs[int(number)]
    return None


def _told(body: dict[str, Any], status: int = 200) -> Response:
    return Response(json.dumps(body), status, content_type="application/json")
