"""A validation run on the fake GitHub, and apply's source that follows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mergequeue.apply.origin import decide_run
from mergequeue.documents.plan import Plan
from mergequeue.documents.reading import write_document
from mergequeue.documents.verdict import Verdict
from mergequeue.github.addresses import RepoName, addresses_of
from mergequeue.github.client import Client
from mergequeue.github.credentials import FixedToken
from mergequeue.github.downloads import PatientDownloads
from mergequeue.github.runs import RunArtifacts
from mergequeue.github.transport import Downloader, Transport
from mergequeue.sources.following import RunSource
from mergequeue.vocabulary.ids import BranchName
from tests.fakes.github.runrecords import Run
from tests.fakes.github.runverbs import QUEUE, upload
from tests.fakes.github.story import GitHub
from tests.support.answering import PassingClock

MAIN = BranchName("main")
ACME = RepoName("acme", "acme")


@dataclass
class Following:
    """The source, and what it waited for and said."""

    source: RunSource
    folder: Path
    clock: PassingClock
    said: list[str] = field(default_factory=list)


def follow(
    github: GitHub,
    run: Run | str,
    folder: Path,
    *,
    base: BranchName = MAIN,
    workflow: str = QUEUE,
    repo: RepoName = ACME,
    token: str = "",
) -> Following:
    folder.mkdir(exist_ok=True)
    clock, said = PassingClock(github.clock.now), list[str]()
    addresses = addresses_of({"GITHUB_API_URL": github.api_url, "GITHUB_SERVER_URL": github.url})
    credential = FixedToken(token or github.writer.text)
    client = Client(Transport(clock), addresses, credential, clock, said.append)
    source = RunSource(
        run if isinstance(run, str) else f"acme/acme/runs/{run.id}",
        folder,
        RunArtifacts(client, repo),
        PatientDownloads(Downloader(clock), clock, said.append),
        lambda origin: decide_run(origin, base, workflow),
    )
    return Following(source, folder, clock, said)


def upload_plan(github: GitHub, run: Run, plan: Plan, name: str = "mergequeue-plan") -> None:
    upload(github, run, name, {"plan.json": write_document(plan)})


def upload_verdict(
    github: GitHub,
    run: Run,
    verdict: Verdict,
    name: str = "",
    more: Mapping[str, bytes] | None = None,
) -> None:
    files = {"verdict.json": write_document(verdict), **(more or {})}
    upload(github, run, name or f"mergequeue-verdict-{verdict.change.id}", files)


def asked_for(github: GitHub, kind: str) -> list[str]:
    """Return the paths of the requests for `blob`s, or of one operation."""
    return [seen.path for seen in github.log.requests if kind in seen.operation]
