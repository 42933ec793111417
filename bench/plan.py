"""Planning, and building a chain of candidates, against the bare `git merge-tree` calls they need.

    bench/plan.py [--files 5000] [--changes 100 --changes 1000] [--chain 100]

Prints a table: seconds, the ratio to the floor measured in the same run, and the processes started.
The floor of planning is one `git merge-tree --stdin` process that merges each head into the base's
tip; that of a chain is a `git merge-tree` and a `git commit-tree` for each candidate, one process
each, as a script would do it.
"""

import os
import resource
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shutil import which

import click

from bench.worlds import GeneratedQueue, write_queue
from mergequeue.candidates.builder import CandidateBuilder
from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Changes, Listing
from mergequeue.documents.event import Happening
from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import (
    Approval,
    ApprovalQuestion,
    Check,
    CheckQuestion,
    DescribeQuestion,
    GreenChange,
    GreenQuestion,
    Repository,
)
from mergequeue.facts.configuration import load_configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.plan.planner import Planner
from mergequeue.ports import CandidateRequest, Wanted
from mergequeue.vocabulary.ids import BranchName, ChangeId
from mergequeue.vocabulary.words import Method, ProviderMerges, StackMerge

DATE = datetime(2026, 1, 1, tzinfo=UTC)


class Listed:
    """A provider that approves everything at once, so that only planning is measured."""

    def describe(self, question: DescribeQuestion) -> Capabilities:
        """Return the capabilities of plain git."""
        del question
        return Capabilities(
            merges=ProviderMerges.EXACT,
            stack_merge=StackMerge.SEQUENTIAL,
            linear_stacks=False,
            methods=tuple(Method),
            required_approvals=0,
        )

    def list_changes(self, question: Repository) -> Listing:
        """Return nothing: the listing is handed to the planner."""
        del question
        return Listing(changes=())

    def approvals_at(
        self, questions: Sequence[ApprovalQuestion]
    ) -> Mapping[ChangeId, Approval | str]:
        """Approve each change as it is listed."""
        return {
            question.change.id: Approval(
                approved=True,
                head=question.change.head,
                base=question.change.base,
                method=question.change.method,
                queued=True,
                shared_with=(),
            )
            for question in questions
        }

    def list_green(self, question: GreenQuestion) -> tuple[GreenChange, ...]:
        """Return none."""
        del question
        return ()

    def required_checks(self, question: CheckQuestion) -> tuple[Check, ...]:
        """Return none."""
        del question
        return ()


class Unheard:
    """Drops events."""

    def emit(self, happening: Happening) -> None:
        """Drop it."""
        del happening


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    seconds: float
    floor: float
    processes: int


@click.command()
@click.option("--files", default=5_000, show_default=True)
@click.option(
    "--changes", "sizes", multiple=True, type=int, default=(100, 1_000), show_default=True
)
@click.option("--chain", default=100, show_default=True)
def main(files: int, sizes: tuple[int, ...], chain: int) -> None:
    """Measure planning and candidates on a generated repository."""
    rows: list[Row] = []
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="mq-bench-") as folder:
            queue = write_queue(Path(folder), files=files, changes=size)
            rows += measure_planning(queue, Path(folder))
            if size == max(sizes):
                rows.append(measure_chain(queue, chain, Path(folder)))
    say(f"{files} files")
    say(f"{'what':<44}{'seconds':>9}{'floor':>9}{'ratio':>8}{'processes':>11}")
    for row in rows:
        ratio = row.seconds / row.floor
        say(f"{row.what:<44}{row.seconds:>9.2f}{row.floor:>9.2f}{ratio:>8.2f}{row.processes:>11}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    say(f"peak memory of this process: {peak} MiB")


def measure_planning(queue: GeneratedQueue, folder: Path) -> list[Row]:
    """Return planning with the heads still to fetch, and with them in the checkout already."""
    size = len(queue.changes)
    cold = timed(lambda: plan(queue))
    git(queue.clone, "fetch", "--quiet", "origin", "+refs/heads/mq/*:refs/mq/*")
    floor = timed(lambda: bare_merges(queue))
    warm = timed(lambda: plan(queue))
    with counted_processes(folder) as count:
        plan(queue)
    return [
        Row(f"plan {size} changes, heads fetched already", warm, floor, count()),
        Row(f"plan {size} changes, heads to fetch", cold, floor, count()),
    ]


def measure_chain(queue: GeneratedQueue, length: int, folder: Path) -> Row:
    """Return a chain of candidates, each on the one before it."""
    floor = timed(lambda: bare_chain(queue, length))
    spent: list[float] = []
    with counted_processes(folder) as count:
        with open_workshop(queue.clone, "origin") as shop:
            builder = CandidateBuilder(shop.reads, merging_on(shop, queue), shop.builds)
            shop.reads.fetch_commits([Wanted(change.head) for change in queue.changes[:length]])
            before = count()
            spent.append(timed(lambda: build_chain(builder, queue, length)))
        started = count() - before
    return Row(f"a chain of {length} candidates", spent[0], floor, started)


def build_chain(builder: CandidateBuilder, queue: GeneratedQueue, length: int) -> None:
    """Build each change's candidate on the one before; those that conflict are built past."""
    onto = queue.tip
    for change in queue.changes[:length]:
        made = builder.build(CandidateRequest(change, None, onto, DATE))
        onto = made.commit or onto


def plan(queue: GeneratedQueue) -> Plan:
    """Plan the queue as `mergequeue plan` does, in a workshop of its own."""
    with open_workshop(queue.clone, "origin") as shop:
        merging = merging_on(shop, queue)
        listing = Changes(
            base=BranchName("main"), remote_url=shop.reads.remote_url(), changes=queue.changes
        )
        facts = UnitFacts(load_configuration(shop.reads, queue.tip))
        planner = Planner(shop.reads, GitMerges(shop), merging, facts, Listed(), Unheard())
        return planner.plan(listing, depth=8, batch=1)


def merging_on(shop: Workshop, queue: GeneratedQueue) -> TwoRuleMerging:
    """Return the merge function, with the facts of the base."""
    facts = UnitFacts(load_configuration(shop.reads, queue.tip))
    return TwoRuleMerging(GitMerges(shop), shop.reads, facts)


def bare_merges(queue: GeneratedQueue) -> None:
    """Merge each head into the tip, in one git process."""
    lines = "".join(f"{queue.tip} {change.head}\n" for change in queue.changes)
    git(queue.clone, "merge-tree", "--write-tree", "--stdin", given=lines)


def bare_chain(queue: GeneratedQueue, length: int) -> None:
    """Merge and commit each head onto the one before, two processes each."""
    onto = str(queue.tip)
    for change in queue.changes[:length]:
        merged = git(queue.clone, "merge-tree", "--write-tree", onto, change.head, expect=(0, 1))
        tree = merged.split("\n", 1)[0]
        onto = git(
            queue.clone, "commit-tree", tree, "-p", onto, "-p", change.head, "-m", "m"
        ).strip()


def git(folder: Path, *words: str, given: str = "", expect: Sequence[int] = (0,)) -> str:
    """Run git and return what it prints."""
    ran = subprocess.run(
        ["git", "-C", str(folder), *words], input=given, capture_output=True, text=True, check=False
    )
    if ran.returncode not in expect:
        raise click.ClickException(ran.stderr)
    return ran.stdout


@contextmanager
def counted_processes(folder: Path) -> Iterator[Callable[[], int]]:
    """Count the git processes that the block starts, with a `git` of ours first on PATH."""
    log = folder / "started"
    log.write_text("")
    shims = folder / "shims"
    shims.mkdir(exist_ok=True)
    shim = shims / "git"
    shim.write_text(f'#!/bin/sh\necho x >>"{log}"\nexec "{which("git")}" "$@"\n')
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    path = os.environ["PATH"]
    os.environ["PATH"] = f"{shims}:{path}"
    try:
        yield lambda: len(log.read_text().splitlines())
    finally:
        os.environ["PATH"] = path


def timed(work: Callable[[], object]) -> float:
    """Return how many seconds the work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
