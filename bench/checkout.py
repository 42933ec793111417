"""A candidate's checkout, from its commit to the gate's first line.

    python -m bench.checkout [--files 20000] [--candidates 6] [--gate-seconds 5] [--rounds 3]

Prints medians of seconds for a plain `git clone --shared` and `git checkout` with the same first
line, for the first candidate of a run, for those after it, and for those after it where gates take
no time, so that nothing can be made ready while they run.
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
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.hooks.gates import CommandGates
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.host.clock import SystemClock
from mergequeue.ports import GateResult, GateRun, Wanted
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
class Seen:
    """Seconds to the first line, and those that removing a box takes."""

    plain: list[float] = field(default_factory=list)
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
    seen = Seen()
    with tempfile.TemporaryDirectory(prefix="mq-bench-") as folder:
        queue = write_queue(Path(folder), files=files, changes=candidates)
        git(queue.clone, "fetch", "--quiet", "origin", "+refs/heads/mq/*:refs/mq/*")
        for _ in range(rounds):
            seen.plain.append(plain_checkout(queue, Path(folder) / "plain"))
            with candidates_of(queue, candidates) as (shop, chain):
                first, *later = gated(shop, chain, gate_seconds, seen)
                seen.first.append(first)
                seen.later += later
            with candidates_of(queue, candidates) as (shop, chain):
                _, *later = gated(shop, chain, 0, seen)
                seen.at_once += later
    show(seen, f"{files} files, {rounds} rounds", gate_seconds)


def show(seen: Seen, title: str, gate_seconds: float) -> None:
    """Print the table."""
    first = median(seen.first)
    say(title)
    say(f"{'from the commit to the first line':<50}{'seconds':>9}{'of the first':>14}")
    for what, figures in (
        ("git clone --shared and git checkout", seen.plain),
        ("the first candidate", seen.first),
        (f"those after it, with gates of {gate_seconds:g} seconds", seen.later),
        ("those after it, with gates of no time", seen.at_once),
        ("removing a box, after its gate", seen.removal),
    ):
        say(f"{what:<50}{median(figures):>9.2f}{median(figures) / first:>14.2f}")


@contextmanager
def candidates_of(queue: GeneratedQueue, length: int) -> Iterator[tuple[Workshop, list[CommitId]]]:
    """Give a new workshop with a chain of candidates in it."""
    with open_workshop(queue.clone, "origin") as shop:
        shop.reads.fetch_commits([Wanted(change.head) for change in queue.changes])
        yield shop, build_chain(shop, queue, length)


def gated(
    shop: Workshop, chain: list[CommitId], gate_seconds: float, seen: Seen
) -> Iterator[float]:
    """Open a box for each candidate, gate it, and give the seconds to the gate's first line."""
    boxes = shop.boxes()
    for number, commit in enumerate(chain, 1):
        line = FirstLine()
        around = Surroundings(dict(os.environ), line.write)
        words = ("sh", "-c", f"echo started; exec sleep {gate_seconds}")
        started = time.perf_counter()
        box = boxes.open(commit, more=number < len(chain))
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
