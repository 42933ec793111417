"""Runs, jobs and artifacts, and the apps that ask for them."""

import io
import zipfile

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.fakes.client import Client, client
from tests.fakes.github.apps import installation_id
from tests.fakes.github.runverbs import finish, report_job, rerun, start_run, upload
from tests.fakes.github.story import GitHub


def test_a_run_is_listed_by_the_commit_it_ran(github: GitHub, job: Client) -> None:
    pull = github.open_pull("fix-it", {"a": "1\n"})
    run = start_run(github, event="pull_request", branch="fix-it")
    start_run(github)
    (shown,) = job.every("actions/runs", inside="workflow_runs", head_sha=pull.head_sha)
    assert (shown["id"], shown["event"], shown["status"]) == (
        run.id,
        "pull_request",
        "in_progress",
    )
    finish(github, None, run, "failure")
    shown = job.get(f"actions/runs/{run.id}").json()
    assert (shown["status"], shown["conclusion"]) == ("completed", "failure")
    assert shown["path"] == ".github/workflows/queue.yaml"
    assert shown["repository"]["full_name"] == "acme/acme"


def test_jobs_are_those_of_the_last_attempt_unless_asked(github: GitHub, job: Client) -> None:
    run = start_run(github)
    report_job(github, run, "build", "failure")
    report_job(github, run, "docs", "success")
    rerun(github, None, run, only_failed=True)
    jobs = job.every(f"actions/runs/{run.id}/jobs", inside="jobs", filter="latest")
    assert {one["name"]: one["status"] for one in jobs}["build"] == "queued"
    first = job.every(f"actions/runs/{run.id}/attempts/1/jobs", inside="jobs")
    assert {one["name"]: one["conclusion"] for one in first} == {
        "build": "failure",
        "docs": "success",
    }
    assert job.get(f"actions/runs/{run.id}").json()["run_attempt"] == 2


def test_an_artifact_is_had_at_another_host_that_wants_no_token(
    github: GitHub, job: Client
) -> None:
    run = start_run(github)
    for name in ("one", "two", "mergequeue-plan"):
        upload(github, run, name, {"file.txt": name})
    every = job.every(f"actions/runs/{run.id}/artifacts", inside="artifacts")
    assert sorted(one["name"] for one in every) == ["mergequeue-plan", "one", "two"]
    (plan,) = (one for one in every if one["name"] == "mergequeue-plan")
    answer = job.get(f"actions/artifacts/{plan['id']}/zip", allow_redirects=False)
    assert answer.status_code == 302
    place = answer.headers["Location"]
    assert place.startswith("http://localhost:")
    assert github.api_url.startswith("http://127.0.0.1:")
    with client(github, None) as nobody:
        raw = nobody.session.get(place, timeout=60).content
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.read("file.txt") == b"mergequeue-plan"
    assert job.session.get(place, timeout=60).status_code == 403  # it carries the API's token
    assert github.complaints() == ["Authorization came to the host of the blobs"]


def test_an_expired_artifact_is_gone(github: GitHub, job: Client) -> None:
    artifact = upload(github, start_run(github), "one", {"file.txt": "1"})
    artifact.expired = True
    assert job.get(f"actions/artifacts/{artifact.id}/zip").status_code == 410


# --- apps ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def proof(github: GitHub, key: rsa.RSAPrivateKey, **claims: int) -> str:
    now = int(github.clock.now.timestamp())
    whole = {"iss": github.app.client_id, "iat": now - 60, "exp": now + 540, **claims}
    return jwt.encode(whole, key, algorithm="RS256")


def test_an_app_lends_itself_a_token_with_less_than_it_may(
    github: GitHub, anybody: Client, key: rsa.RSAPrivateKey
) -> None:
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    github.app.public_key = public.decode()
    anybody.session.headers["Authorization"] = f"Bearer {proof(github, key)}"
    number = anybody.get("installation").json()["id"]
    assert number == installation_id(github.app, "acme")
    path = f"/app/installations/{number}/access_tokens"
    body = {"repositories": ["acme"], "permissions": {"statuses": "write"}}
    lent = anybody.ask("POST", path, json=body).json()
    assert lent["permissions"]["statuses"] == "write"
    with client(github, github.tokens[lent["token"]]) as narrow:
        status = {"state": "pending"}
        assert narrow.ask("POST", f"statuses/{github.tip()}", json=status).status_code == 201
        assert narrow.get("pulls").status_code == 403
        github.clock.advance(minutes=61)
        assert narrow.get("").status_code == 401
    too_much = {"permissions": {"administration": "write"}}
    anybody.session.headers["Authorization"] = f"Bearer {proof(github, key)}"
    assert anybody.ask("POST", path, json=too_much).status_code == 422
    github.explain("lent a token|refused 422")
    github.explain("status default is pending")


@pytest.mark.parametrize("off", [{"iat": 120}, {"exp": -1}, {"exp": 1200}])
def test_a_proof_by_a_clock_that_is_off_is_refused(
    github: GitHub, anybody: Client, key: rsa.RSAPrivateKey, off: dict[str, int]
) -> None:
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    github.app.public_key = public.decode()
    now = int(github.clock.now.timestamp())
    claims = {name: now + seconds for name, seconds in off.items()}
    anybody.session.headers["Authorization"] = f"Bearer {proof(github, key, **claims)}"
    assert anybody.get("/app").status_code == 401


def test_a_private_app_is_there_for_its_own_installation_alone(
    github: GitHub, app: Client, job: Client
) -> None:
    assert job.get("/apps/acme-queue").json()["id"] == github.app.id
    github.app.private = True
    assert job.get("/apps/acme-queue").status_code == 404
    assert app.get("/apps/acme-queue").json()["slug"] == "acme-queue"
