"""Artifacts are uploaded while a step goes on, and are whole or not there."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from datetime import timedelta

import jwt
import pytest
from werkzeug.wrappers import Request, Response

from mergequeue.github.transport import Transport, Uploader
from mergequeue.github.uploads import RESULTS_URL, RUNTIME_TOKEN, RunUploads, runtime_of
from mergequeue.vocabulary.errors import MergequeueError
from tests.support.answering import Answers, PassingClock, answering, told

SERVICE = "/twirp/github.actions.results.api.v1.ArtifactService/"
FILES = {"verdict.json": b'{"schema": "x"}', "candidate.bundle": bytes(range(256))}


def token_of(scopes: str) -> str:
    return jwt.encode({"scp": scopes}, "a key of 32 bytes, for the algorithm")


def runtime(root: str, scopes: str = "Actions.Results:run-1:job-2") -> dict[str, str]:
    return {RESULTS_URL: root, RUNTIME_TOKEN: token_of(scopes)}


@pytest.fixture
def server() -> Iterator[Answers]:
    with answering() as answers:
        yield answers


def uploads_to(server: Answers) -> RunUploads:
    clock = PassingClock()
    return RunUploads(runtime_of(runtime(server.root)), Transport(clock), Uploader(clock), clock, 7)


def results(server: Answers) -> None:
    """Answer as the results service does."""

    def answer(request: Request) -> Response:
        if request.path == SERVICE + "CreateArtifact":
            return told({"ok": True, "signed_upload_url": f"{server.root}/blob?sig=a%3D%3D"})
        if request.path == SERVICE + "FinalizeArtifact":
            return told({"ok": True, "artifact_id": "7"})
        return Response(status=201)

    server.handler = answer


def test_an_artifact_is_made_filled_and_ended_with_its_digest(server: Answers) -> None:
    results(server)
    uploads_to(server).upload("mergequeue-verdict-482", FILES)
    made, put, ended = server.asked
    whose = {
        "workflow_run_backend_id": "run-1",
        "workflow_job_run_backend_id": "job-2",
        "name": "mergequeue-verdict-482",
    }
    asked = json.loads(made.get_data())
    assert (
        asked.pop("expires_at") == f"{PassingClock().now() + timedelta(days=7):%Y-%m-%dT%H:%M:%SZ}"
    )
    assert asked == {**whose, "version": 7, "mime_type": "application/zip"}
    assert put.headers["x-ms-blob-type"] == "BlockBlob"
    content = put.get_data()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == FILES
    assert json.loads(ended.get_data()) == {
        **whose,
        "size": str(len(content)),
        "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
    }


def test_the_runtime_token_goes_to_the_service_and_never_to_where_the_bytes_are_kept(
    server: Answers,
) -> None:
    results(server)
    uploads_to(server).upload("mergequeue-verdict-482", FILES)
    made, put, ended = server.asked
    assert made.headers["Authorization"] == ended.headers["Authorization"]
    assert made.headers["Authorization"].startswith("Bearer ey")
    assert "Authorization" not in put.headers


def test_a_step_that_is_broken_off_is_made_again(server: Answers) -> None:
    results(server)
    whole = server.handler
    server.script(whole, Response(status=503), None, whole)
    uploads_to(server).upload("mergequeue-verdict-482", FILES)
    assert [request.method for request in server.asked] == ["POST", "PUT", "PUT", "PUT", "POST"]


@pytest.mark.parametrize(
    "answer",
    [
        told({"ok": False, "signed_upload_url": ""}),
        told({"msg": "an artifact with this name already exists"}, 409),
        told({"ok": True, "signed_upload_url": "http://elsewhere.example/blob"}),
        told({"ok": True}),
        Response(b"not JSON"),
    ],
)
def test_an_artifact_that_is_not_taken_is_an_error_that_names_it(
    server: Answers, answer: Response
) -> None:
    server.script(answer)
    with pytest.raises(MergequeueError, match="mergequeue-verdict-482") as caught:
        uploads_to(server).upload("mergequeue-verdict-482", FILES)
    assert caught.value.code in {"MQ3018", "MQ3003"}


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {RESULTS_URL: "https://results.example/"},
        {RESULTS_URL: "https://results.example/", RUNTIME_TOKEN: "eyNoToken"},
        runtime("http://results.example/"),
        runtime("https://results.example/", scopes="Actions.Results:only"),
    ],
)
def test_without_a_results_service_the_error_says_so_and_holds_no_token(
    environment: dict[str, str],
) -> None:
    with pytest.raises(MergequeueError) as caught:
        runtime_of(environment)
    assert caught.value.code == "MQ1021"
    assert environment.get(RUNTIME_TOKEN, "ey") not in str(caught.value)
