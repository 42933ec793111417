"""What our own upload sends is what GitHub's own client sends."""

import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.wrappers import Request, Response

from mergequeue.github.transport import Transport, Uploader
from mergequeue.github.uploads import RunUploads, runtime_of
from tests.actions.acting import stand_ins
from tests.fakes.github.results import PREFIX
from tests.fakes.needs import NPM
from tests.github.test_uploads import token_of
from tests.support.answering import Answers, PassingClock, answering, told

pytestmark = [pytest.mark.network, NPM]

CONTENT = b'{"schema": "mergequeue.verdict/v1"}'
NAME = "mergequeue-verdict-482"


@pytest.fixture
def service() -> Iterator[Answers]:
    with answering() as answers:

        def answer(request: Request) -> Response:
            if request.path == f"{PREFIX}CreateArtifact":
                port = answers.root.rpartition(":")[2].strip("/")
                address = f"http://localhost:{port}/kept/blob.zip?sig=a%3D%3D"
                return told({"ok": True, "signed_upload_url": address})
            if request.path == f"{PREFIX}FinalizeArtifact":
                return told({"ok": True, "artifact_id": "7"})
            return Response(status=201, headers={"ETag": '"1"', "x-ms-request-id": "1"})

        answers.handler = answer
        yield answers


def calls(service: Answers) -> dict[str, dict[str, Any]]:
    """Return the body of each call of the service, and forget them."""
    found = {
        request.path.removeprefix(PREFIX): json.loads(request.get_data())
        for request in service.asked
        if request.path.startswith(PREFIX)
    }
    blob = b"".join(
        request.get_data()
        for request in service.asked
        if request.method == "PUT" and request.args.get("comp") != "blocklist"
    )
    ended = found["FinalizeArtifact"]
    assert ended["size"] == str(len(blob))
    assert ended["hash"] == f"sha256:{hashlib.sha256(blob).hexdigest()}"
    service.asked.clear()
    return found


def test_the_calls_are_those_of_githubs_own_client(
    service: Answers, tmp_path: Path, real_home: str
) -> None:
    environment = {
        "ACTIONS_RESULTS_URL": service.root,
        "ACTIONS_RUNTIME_TOKEN": token_of("Actions.Results:run-1:job-2"),
    }
    (tmp_path / "verdict.json").write_bytes(CONTENT)
    subprocess.run(
        ["node", stand_ins(real_home) / "upload-artifact" / "index.cjs"],
        check=True,
        capture_output=True,
        env={
            "PATH": os.environ["PATH"],
            "GITHUB_SERVER_URL": "http://github.localhost",
            "GITHUB_WORKSPACE": str(tmp_path),
            "INPUT_NAME": NAME,
            "INPUT_PATH": str(tmp_path / "verdict.json"),
            "INPUT_RETENTION-DAYS": "7",
            **environment,
        },
    )
    theirs = calls(service)
    clock = PassingClock()
    uploads = RunUploads(runtime_of(environment), Transport(clock), Uploader(clock), clock, 7)
    uploads.upload(NAME, {"verdict.json": CONTENT})
    ours = calls(service)

    assert ours.keys() == theirs.keys()
    for method, body in ours.items():
        assert body.keys() <= theirs[method].keys(), method
        varying = {"expires_at", "size", "hash"}
        same = {key: value for key, value in body.items() if key not in varying}
        assert same == {key: theirs[method][key] for key in same}, method
