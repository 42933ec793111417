"""Uploading artifacts of the run that this process is a step of, while the step goes on.

GitHub offers no public call for it: its own upload action speaks to the runner's results service,
and so does this. Three requests an artifact: one makes it and names an address, one puts the bytes
there, one ends it with their digest; only then is it listed. What the service is called and takes
is in this module alone. It was held to GitHub's own client for it, `@actions/artifact`, and never
to the real service (docs/reference/github.md).
"""

import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol
from urllib.parse import urlsplit

import jwt

from mergequeue.github.addresses import is_safe
from mergequeue.github.answers import Body, GitHubRecord, body_of
from mergequeue.github.patience import Again, Came, Done, Tries, decide_next
from mergequeue.github.transport import LostError, Received, Sent, StrayError, TooLongError
from mergequeue.ports import Clock
from mergequeue.vocabulary.errors import NO_RUNTIME, UPLOAD_FAILED

RESULTS_URL = "ACTIONS_RESULTS_URL"
RUNTIME_TOKEN = "ACTIONS_RUNTIME_TOKEN"  # noqa: S105 (a variable's name)
_SERVICE = "twirp/github.actions.results.api.v1.ArtifactService"
_VERSION = 7
_ZIP = "application/zip"
_SCOPE = "Actions.Results:"


class Sends(Protocol):
    """What sends a request."""

    def send(self, sent: Sent, token: str) -> Received:
        """Return its whole answer."""


class Puts(Protocol):
    """What puts bytes at a signed address."""

    def put(self, url: str, headers: Mapping[str, str], content: bytes) -> Received:
        """Return the answer."""


class _Made(GitHubRecord):
    ok: bool
    signed_upload_url: str


class _Ended(GitHubRecord):
    ok: bool


@dataclass(frozen=True)
class Runtime:
    """What a runner gives the actions of a job to keep artifacts with."""

    url: str
    """Of the results service, with a slash at its end."""
    token: str = field(repr=False)
    run: str = ""
    job: str = ""


def runtime_of(environment: Mapping[str, str]) -> Runtime:
    """Return what the environment gives; raise NO_RUNTIME where it is missing or does not read."""
    url, token = environment.get(RESULTS_URL, ""), environment.get(RUNTIME_TOKEN, "")
    if not url or not token:
        raise NO_RUNTIME(f"{RESULTS_URL} and {RUNTIME_TOKEN} are not both set")
    if not is_safe(urlsplit(url)):
        raise NO_RUNTIME(f"{RESULTS_URL} is no https address")
    try:
        # Read for what it says of the job, and not trusted for anything: the service checks it.
        claims = jwt.decode(token, options={"verify_signature": False})
    except jwt.InvalidTokenError:
        raise NO_RUNTIME(f"{RUNTIME_TOKEN} is no token of a runner") from None
    scopes = claims.get("scp")
    for scope in scopes.split() if isinstance(scopes, str) else ():
        run, _, job = scope.removeprefix(_SCOPE).partition(":")
        if scope.startswith(_SCOPE) and run and job:
            return Runtime(url.rstrip("/") + "/", token, run, job)
    raise NO_RUNTIME(f"{RUNTIME_TOKEN} gives no right to keep artifacts")


@dataclass(frozen=True)
class RunUploads:
    """The `UploadsArtifacts` port over a runner's results service."""

    runtime: Runtime
    sender: Sends
    putter: Puts
    clock: Clock
    days: int
    """For how many days an artifact is kept."""

    def upload(self, name: str, files: Mapping[str, bytes]) -> None:
        """Upload an artifact that holds these files; raise UPLOAD_FAILED where that cannot be."""
        content = zip_of(files)
        whose = {
            "workflow_run_backend_id": self.runtime.run,
            "workflow_job_run_backend_id": self.runtime.job,
            "name": name,
        }
        until = self.clock.now() + timedelta(days=self.days)
        kept = {
            "version": _VERSION,
            "mime_type": _ZIP,
            "expires_at": f"{until:%Y-%m-%dT%H:%M:%SZ}",
        }
        made = self._called("CreateArtifact", {**whose, **kept}).read(_Made)
        self._asked(
            lambda: self.putter.put(made.signed_upload_url, _BLOB_HEADERS, content),
            f"the content of {name}",
        )
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        ended = {**whose, "size": str(len(content)), "hash": digest}
        if not self._called("FinalizeArtifact", ended).read(_Ended).ok:
            raise UPLOAD_FAILED(f"the results service did not take {name}")

    def _called(self, method: str, body: Mapping[str, object]) -> Body:
        sent = Sent("POST", f"{self.runtime.url}{_SERVICE}/{method}", (), dict(body))
        received = self._asked(
            lambda: self.sender.send(sent, self.runtime.token), f"{method} of {body['name']}"
        )
        return body_of(received.raw, f"{method} of {body['name']}")

    def _asked(self, send: Callable[[], Received], what: str) -> Received:
        """Return the answer once there is a good one; each of the three steps may be repeated."""
        tries = Tries()
        while True:
            try:
                received = send()
                came = Came(received.status, received.headers)
            except LostError as lost:
                received, came = _NONE, Came(0, {}, lost.why, reached=lost.reached)
            except (StrayError, TooLongError) as error:
                raise UPLOAD_FAILED(f"{what}: {error}") from None
            match decide_next(came, tries, self.clock.now(), is_write=False):
                case Done() if received.status in _GOOD:
                    return received
                case Again(seconds, _):
                    self.clock.sleep(seconds)
                case _:
                    said = f"status {received.status}" if received.status else "no answer"
                    raise UPLOAD_FAILED(f"{what}: {said}")


_NONE = Received(0, {}, b"")
_GOOD = frozenset({200, 201})
_BLOB_HEADERS = {"Content-Type": _ZIP, "x-ms-blob-type": "BlockBlob"}


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of these files, each a regular one under its own name."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()
