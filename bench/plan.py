"""Planning, and building a chain of candidates, against the bare git calls that they need.

    python -m bench.plan [--files 5000 --files 50000] [--changes 100 --changes 1000] [--rounds 5]

Prints a table for each number of files: medians of seconds over the rounds, the ratio to a floor
measured in the same rounds, the same ratio of processor times (which say more where other work
shares the machine), and the processes started.

- planning: its floor is one `git merge-tree --stdin` process that merges each head into the base's
  tip in a repository that nobody wrote to before, as planning does. Below it stands the same run
  once more, when every tree is written already and git leaves that out;
- fetching the heads: its floor is one `git fetch` of them;
- a chain of candidates: its floor is a `git merge-tree` and a `git commit-tree` for each, one
  process each, as a script would do it.

Each planning runs in a process of its own, whose peak memory is then planning's.
"""

import gc
import os
import resource
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from shutil import which

import click

from bench.harness import Spent, build_chain, fresh_store, git, median, plan_queue, say, spent
from bench.worlds import GeneratedQueue, write_queue
from mergequeue.git.workshop import open_workshop
from mergequeue.ports import Wanted
from mergequeue.vocabulary.limits import ALLOCATIONS_A_COLLECTION


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    spent: Sequence[Spent]
    floors: Sequence[Spent]
    processes: int
    peak: int = 0

    @property
    def seconds(self) -> float:
        """The median of its seconds."""
        return median([each.seconds for each in self.spent])


@dataclass(frozen=True)
class Planned:
    """What planning took in a process of its own."""

    spent: Spent
    peak: int
    """The most memory that the process held, in MiB."""


@click.command()
@click.option("--files", "sizes", multiple=True, default=(5_000, 50_000), show_default=True)
@click.option("--changes", "lengths", multiple=True, default=(100, 1_000), show_default=True)
@click.option("--chain", default=100, show_default=True)
@click.option("--rounds", default=5, show_default=True)
def main(sizes: tuple[int, ...], lengths: tuple[int, ...], chain: int, rounds: int) -> None:
    """Measure planning and candidates on generated repositories."""
    for files in sizes:
        say(f"{files} files, medians of {rounds} runs")
        heads = (
            f"{'seconds':>9}{'floor':>9}{'ratio':>7}{'processor':>11}{'processes':>11}{'MiB':>6}"
        )
        say(f"{'what':<42}{heads}")
        planned: dict[int, float] = {}
        for length in lengths:
            with tempfile.TemporaryDirectory(prefix="bench-") as folder:
                queue = write_queue(Path(folder), files=files, changes=length)
                show(measure_fetch(queue, Path(folder), rounds))
                refs = "+refs/heads/mq/*:refs/mq/*"
                git(queue.clone, "fetch", "--quiet", "origin", refs)
                for row in measure_planning(queue, Path(folder), rounds):
                    show(row)
                    planned[length] = row.seconds / length
                if length == max(lengths):
                    show(measure_chain(queue, chain, Path(folder), rounds))
        few, many = min(lengths), max(lengths)
        grown = planned[many] / planned[few]
        say(f"seconds a change at {many} against those at {few}: {grown:.2f}\n")


def show(row: Row) -> None:
    """Print a line of the table."""
    peak = f"{row.peak:>6}" if row.peak else ""
    floor = median([each.seconds for each in row.floors])
    processor, least = (
        median([each.processor for each in figures]) for figures in (row.spent, row.floors)
    )
    ratios = f"{row.seconds / floor:>7.2f}{processor / least:>11.2f}"
    say(f"{row.what:<42}{row.seconds:>9.2f}{floor:>9.2f}{ratios}{row.processes:>11}{peak}")


def measure_fetch(queue: GeneratedQueue, folder: Path, rounds: int) -> Row:
    """Return fetching every head into a workshop."""
    wanted = [Wanted(change.head, change.ref) for change in queue.changes]
    took, floors = [], []
    with counted_processes(folder) as count:
        fetch_heads(queue, wanted)
        started = count()
    for _ in range(rounds):
        floors.append(bare_fetch(queue))
        took.append(fetch_heads(queue, wanted))
    return Row(f"fetch {len(wanted)} heads", took, floors, started)


def fetch_heads(queue: GeneratedQueue, wanted: list[Wanted]) -> Spent:
    """Return what fetching takes in a new workshop."""
    with open_workshop(queue.clone, "origin") as shop:
        return spent(lambda: shop.reads.fetch_commits(wanted))


def bare_fetch(queue: GeneratedQueue) -> Spent:
    """Return what one `git fetch` of the heads takes."""
    lines = "".join(f"+{each.ref}:refs/mq/{each.id}\n" for each in queue.changes)
    words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--stdin")
    with fresh_store(queue.clone) as store:
        return spent(lambda: git(store, *words, str(queue.origin), given=lines))


def measure_planning(queue: GeneratedQueue, folder: Path, rounds: int) -> list[Row]:
    """Return planning with the heads in the checkout, against both floors."""
    size = len(queue.changes)
    first, again, planned = [], [], []
    with counted_processes(folder) as count:
        plan_queue(queue)
        started = count()
    for _ in range(rounds):
        with fresh_store(queue.clone) as store:
            first.append(spent(lambda: bare_merges(queue, store)))
            again.append(spent(lambda: bare_merges(queue, store)))
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
            planned.append(alone.submit(plan_alone, queue).result())
    took = [each.spent for each in planned]
    peak = max(each.peak for each in planned)
    return [
        Row(f"plan {size} changes", took, first, started, peak),
        Row("  against merges that write nothing", took, again, started),
    ]


def plan_alone(queue: GeneratedQueue) -> Planned:
    """Plan once, in a process that does nothing else, as the program does."""
    gc.set_threshold(ALLOCATIONS_A_COLLECTION)
    return Planned(spent(lambda: plan_queue(queue)), peak_memory())


def peak_memory() -> int:
    """Return the most memory that this process held, in MiB."""
    # What the system's own call says starts from what the process that started this one held.
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) >> 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def measure_chain(queue: GeneratedQueue, length: int, folder: Path, rounds: int) -> Row:
    """Return a chain of candidates, each on the one before it."""
    took, floors = [], []
    with counted_processes(folder) as count:
        chain_in_workshop(queue, length)
        started = count()
    for _ in range(rounds):
        with fresh_store(queue.clone) as store:
            floors.append(spent(lambda: bare_chain(queue, store, length)))
        took.append(chain_in_workshop(queue, length))
    return Row(f"a chain of {length} candidates", took, floors, started)


def chain_in_workshop(queue: GeneratedQueue, length: int) -> Spent:
    """Return what building a chain takes in a new workshop."""
    with open_workshop(queue.clone, "origin") as shop:
        return spent(lambda: build_chain(shop, queue, length))


def bare_merges(queue: GeneratedQueue, store: Path) -> None:
    """Merge each head into the tip, in one git process."""
    lines = "".join(f"{queue.tip} {change.head}\n" for change in queue.changes)
    git(store, "merge-tree", "--write-tree", "--stdin", given=lines)


def bare_chain(queue: GeneratedQueue, store: Path, length: int) -> None:
    """Merge and commit each head onto the one before, two processes each."""
    onto = str(queue.tip)
    who = ("-c", "user.name=Bench", "-c", "user.email=bench@example.invalid")
    for change in queue.changes[:length]:
        merged = git(store, "merge-tree", "--write-tree", onto, change.head, expect=(0, 1))
        tree = merged.split("\n", 1)[0]
        words = ("commit-tree", tree, "-p", onto, "-p", change.head, "-m", "m")
        onto = git(store, *who, *words).strip()


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


if __name__ == "__main__":
    main()
