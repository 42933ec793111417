"""What the benches share: planning a generated queue, running git, and keeping time."""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from bench.provider import Listed
from bench.worlds import GeneratedQueue
from mergequeue.candidates.builder import CandidateBuilder
from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.changes import Changes
from mergequeue.documents.event import Happening
from mergequeue.documents.plan import Plan
from mergequeue.facts.configuration import load_configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.plan.planner import Planner
from mergequeue.ports import CandidateRequest
from mergequeue.vocabulary.ids import BranchName, CommitId

DATE = datetime(2026, 1, 1, tzinfo=UTC)


class Unheard:
    """Drops events."""

    def emit(self, happening: Happening) -> None:
        """Drop it."""
        del happening


def plan_queue(queue: GeneratedQueue) -> Plan:
    """Plan the queue as `mergequeue plan` does, in a workshop of its own."""
    with open_workshop(queue.clone, "origin") as shop:
        facts = UnitFacts(load_configuration(shop.reads, queue.tip))
        merging = TwoRuleMerging(GitMerges(shop), shop.reads, facts)
        listing = Changes(
            base=BranchName("main"), remote_url=shop.reads.remote_url(), changes=queue.changes
        )
        planner = Planner(shop.reads, GitMerges(shop), merging, facts, Listed(), Unheard())
        return planner.plan(listing, depth=8, batch=1)


def merging_on(shop: Workshop, queue: GeneratedQueue) -> TwoRuleMerging:
    """Return the merge function, with the facts of the base."""
    facts = UnitFacts(load_configuration(shop.reads, queue.tip))
    return TwoRuleMerging(GitMerges(shop), shop.reads, facts)


def build_chain(shop: Workshop, queue: GeneratedQueue, length: int) -> list[CommitId]:
    """Build each change's candidate on the one before; those that conflict are built past."""
    builder = CandidateBuilder(shop.reads, merging_on(shop, queue), shop.builds)
    chain = [queue.tip]
    for change in queue.changes[:length]:
        made = builder.build(CandidateRequest(change, None, chain[-1], DATE))
        if made.commit is not None:
            chain.append(made.commit)
    return chain[1:]


@contextmanager
def fresh_store(clone: Path) -> Iterator[Path]:
    """Give a bare repository that borrows a clone's objects, as a workshop does: nobody before
    wrote what is going to be written there.
    """
    with TemporaryDirectory(prefix="bench-") as name:
        store = Path(name)
        git(store, "init", "--quiet", "--bare", ".")
        (store / "objects" / "info").mkdir(exist_ok=True)
        (store / "objects" / "info" / "alternates").write_text(f"{clone / '.git' / 'objects'}\n")
        yield store


def git(folder: Path, *words: str, given: str = "", expect: Sequence[int] = (0,)) -> str:
    """Run git and return what it prints."""
    ran = subprocess.run(
        ["git", "-C", str(folder), *words], input=given, capture_output=True, text=True, check=False
    )
    if ran.returncode not in expect:
        raise click.ClickException(ran.stderr)
    return ran.stdout


def timed(work: Callable[[], object]) -> float:
    """Return how many seconds the work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


@dataclass(frozen=True)
class Spent:
    """What some work took."""

    seconds: float
    processor: float
    """Seconds of processors, those of the processes that it started and waited for among them."""


def spent(work: Callable[[], object]) -> Spent:
    """Return what the work takes."""
    before = _processor()
    seconds = timed(work)
    return Spent(seconds, _processor() - before)


def _processor() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def median(figures: Sequence[float]) -> float:
    """Return the median of some figures."""
    return statistics.median(figures)


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
