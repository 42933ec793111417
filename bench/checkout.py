"""A candidate's checkout, from its commit to the gate's first line.

    python -m bench.checkout [--files 20000] [--candidates 6] [--gate-seconds 5] [--rounds 3]

Prints medians of seconds for a plain `git clone --shared` and `git checkout` with the same first
line, for the first candidate of a run, for those after it, and for those after it where gates take
no time, so that nothing can be made ready while they run. Then the same of sparse checkouts, whose
gates are given a tenth of the units.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click

from bench.harness import build_chain, git, median, say
from bench.worlds import GeneratedQueue, write_queue
from mergequeue.facts.configuration import load_configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.hooks.gates import CommandGates
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.host.clock import SystemClock
from mergequeue.ports import GateResult, GateRun, Keep, Wanted
from mergequeue.vocabulary.ids import CommitId


@dataclass
class FirstLine:
    """Remembers when the first line of a gate was seen."""

    at: float = 0.0

    def write(self, line: str) -> None:
        """Take a line."""
        del line
        self.at = self.at or time.perf_counter()


@dataclass
class Candidates:
    """Seconds to the first line of candidates, and those that removing their boxes takes."""

    first: list[float] = field(default_factory=list)
    later: list[float] = field(default_factory=list)
    at_once: list[float] = field(default_factory=list)
    removal: list[float] = field(default_factory=list)


@click.command()
@click.option("--files", default=20_000, show_default=True)
@click.option("--candidates", default=6, show_default=True)
@click.option("--gate-seconds", default=5.0, show_default=True)
@click.option("--rounds", default=3, show_default=True)
def main(files: int, candidates: int, gate_seconds: float, rounds: int) -> None:
    """Measure checkouts on a generated repository."""
    plain: list[float] = []
    whole, sparse = Candidates(), Candidates()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        queue = write_queue(Path(folder), files=files, changes=candidates)
        git(queue.clone, "fetch", "--quiet", "origin", "+refs/heads/mq/*:refs/mq/*")
        for _ in range(rounds):
            plain.append(plain_checkout(queue, Path(folder) / "plain"))
            measure(whole, queue, candidates, gate_seconds, is_sparse=False)
            measure(sparse, queue, candidates, gate_seconds, is_sparse=True)
    first = median(whole.first)
    say(f"{files} files, {rounds} rounds")
    say(f"{'from the commit to the first line':<50}{'seconds':>9}{'of the first':>14}")
    show("git clone --shared and git checkout", plain, first)
    show_candidates(whole, first, gate_seconds)
    say("sparse, a tenth of the units")
    show_candidates(sparse, first, gate_seconds)


def measure(
    seen: Candidates, queue: GeneratedQueue, candidates: int, seconds: float, *, is_sparse: bool
) -> None:
    """Gate a chain of candidates with gates of so many seconds, and one with gates of no time."""
    with candidates_of(queue, candidates) as (shop, chain):
        keep = a_tenth(shop, queue) if is_sparse else None
        first, *later = gated(shop, chain, seconds, seen, keep)
        seen.first.append(first)
        seen.later += later
    with candidates_of(queue, candidates) as (shop, chain):
        keep = a_tenth(shop, queue) if is_sparse else None
        _, *later = gated(shop, chain, 0, seen, keep)
        seen.at_once += later


def a_tenth(shop: Workshop, queue: GeneratedQueue) -> Keep | None:
    """Return which files a gate of a tenth of the units needs; nothing is known of them yet."""
    facts = UnitFacts(load_configuration(shop.reads, queue.tip))
    units = facts.all_units()
    return facts.needed(units[: max(1, len(units) // 10)])


def show(what: str, figures: list[float], first: float) -> None:
    """Print a row."""
    say(f"{what:<50}{median(figures):>9.2f}{median(figures) / first:>14.2f}")


def show_candidates(seen: Candidates, first: float, gate_seconds: float) -> None:
    """Print the rows of candidates whose checkouts are of one kind."""
    show("the first candidate", seen.first, first)
    show(f"those after it, with gates of {gate_seconds:g} seconds", seen.later, first)
    show("those after it, with gates of no time", seen.at_once, first)
    show("removing a box, after its gate", seen.removal, first)


@contextmanager
def candidates_of(queue: GeneratedQueue, length: int) -> Iterator[tuple[Workshop, list[CommitId]]]:
    """Give a new workshop with a chain of candidates in it."""
    with open_workshop(queue.clone, "origin") as shop:
        shop.reads.fetch_commits([Wanted(change.head) for change in queue.changes])
        yield shop, build_chain(shop, queue, length)


def gated(
    shop: Workshop,
    chain: list[CommitId],
    gate_seconds: float,
    seen: Candidates,
    keep: Keep | None,
) -> Iterator[float]:
    """Open a box for each candidate, gate it, and give the seconds to the gate's first line."""
    boxes = shop.boxes()
    for number, commit in enumerate(chain, 1):
        line = FirstLine()
        around = Surroundings(dict(os.environ), line.write)
        words = ("sh", "-c", f"echo started; exec sleep {gate_seconds}")
        started = time.perf_counter()
        box = boxes.open(commit, keep=keep, more=number < len(chain))
        ended = CommandGates(words, around, SystemClock()).run(GateRun(box, (), "bench"))
        if ended.result is not GateResult.GREEN:
            raise click.ClickException(ended.summary)
        closing = time.perf_counter()
        boxes.close(box)
        seen.removal.append(time.perf_counter() - closing)
        yield line.at - started


def plain_checkout(queue: GeneratedQueue, folder: Path) -> float:
    """Clone, check a head out and run a first command in it, as a script would."""
    started = time.perf_counter()
    words = ("clone", "--quiet", "--shared", "--no-checkout")
    git(queue.clone, *words, str(queue.clone), str(folder))
    git(folder, "checkout", "--quiet", "--detach", queue.changes[0].head)
    subprocess.run(["sh", "-c", "echo started"], cwd=folder, check=True, capture_output=True)
    spent = time.perf_counter() - started
    subprocess.run(["rm", "-r", str(folder)], check=True)
    return spent


if __name__ == "__main__":
    main()
