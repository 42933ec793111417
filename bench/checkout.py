"""A candidate's checkout, from its commit to the gate's first line.

    python -m bench.checkout [--files 20000] [--candidates 6] [--gate 0 --gate 1] [--rounds 3]

Gates a chain of candidates, one after the other, with gates that take no time, that take as long as
a checkout, and that take longer: `--gate` is how many times the first checkout of the round. Prints
the least, the median and the most of seconds, and what part of its own chain's first candidate each
was, for the first candidates, for those after them, and for a plain `git clone --shared` and `git
checkout` with the same first line. Then the same of sparse checkouts, whose gates are given a tenth
of the units.

Chains of every kind take turns in a round, so that whatever else the machine does is shared.
"""

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import click

from bench.harness import build_chain, git, median, say, timed
from bench.worlds import GeneratedQueue, write_queue
from mergequeue.facts.configuration import load_configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.hooks.gates import CommandGates
from mergequeue.hooks.machine import make_sandbox
from mergequeue.hooks.policy import Asked
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.host.clock import SystemClock
from mergequeue.ports import Box, GateResult, GateRun, Keep, Wanted
from mergequeue.vocabulary.words import SandboxMode


@dataclass
class FirstLine:
    """Remembers when the first line of a gate was seen."""

    at: float = 0.0

    def write(self, line: str) -> None:
        """Take a line."""
        del line
        self.at = self.at or time.perf_counter()


@dataclass
class Figures:
    """Seconds, each with those of the first candidate that it is compared with."""

    pairs: list[tuple[float, float]] = field(default_factory=list)

    def add(self, seconds: float, first: float) -> None:
        """Take a figure."""
        self.pairs.append((seconds, first))

    def show(self, what: str) -> None:
        """Print a row: the least, median and most seconds, and parts of the first."""
        columns = [seconds for seconds, _ in self.pairs], [one / first for one, first in self.pairs]
        show_row(what, [f"{of(each):.2f}" for each in columns for of in (min, median, max)])


@dataclass(frozen=True)
class Chain:
    """What gating a chain of candidates took, to each gate's first line and to be closed."""

    seconds: tuple[float, ...]
    closing: tuple[float, ...]
    ending: float
    """What was left to be removed at the end."""


@dataclass
class Kind:
    """The figures of whole checkouts, or of sparse ones."""

    first: Figures = field(default_factory=Figures)
    later: dict[float, Figures] = field(default_factory=dict)
    closing: Figures = field(default_factory=Figures)
    ending: Figures = field(default_factory=Figures)

    def add(self, times: float, chain: Chain, whole: float) -> None:
        """Take a chain whose gates took so many times a checkout."""
        first, *later = chain.seconds
        self.first.add(first, whole)
        for seconds in later:
            self.later.setdefault(times, Figures()).add(seconds, first)
        for seconds in chain.closing:
            self.closing.add(seconds, first)
        self.ending.add(chain.ending, first)

    def show(self) -> None:
        """Print the rows."""
        self.first.show("the first candidate")
        for times, figures in self.later.items():
            long = f"{times:g} times a checkout" if times else "no time"
            figures.show(f"those after it, gates of {long}")
        self.closing.show("closing a box, after its gate")
        self.ending.show("removing what is left at the end")


@click.command()
@click.option("--files", default=20_000, show_default=True)
@click.option("--candidates", default=6, show_default=True)
@click.option("--gate", "gates", multiple=True, default=(0.0, 1.0, 3.0), show_default=True)
@click.option("--rounds", default=3, show_default=True)
def main(files: int, candidates: int, gates: tuple[float, ...], rounds: int) -> None:
    """Measure checkouts on a generated repository."""
    plain = Figures()
    whole, sparse = Kind(), Kind()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        queue = write_queue(Path(folder), files=files, changes=candidates)
        git(queue.clone, "fetch", "--quiet", "origin", "+refs/heads/mq/*:refs/mq/*")
        for _ in range(rounds):
            checkout = gate_chain(queue, 1, 0, is_sparse=False).seconds[0]
            plain.add(plain_checkout(queue, Path(folder) / "plain"), checkout)
            for times in gates:
                chain = gate_chain(queue, candidates, times * checkout, is_sparse=False)
                whole.add(times, chain, chain.seconds[0])
                tenth = gate_chain(queue, candidates, times * checkout, is_sparse=True)
                sparse.add(times, tenth, chain.seconds[0])
    say(f"{files} files, {rounds} rounds")
    show_row("seconds to the first line, and of the first", ["least", "median", "most"] * 2)
    plain.show("git clone --shared and git checkout")
    whole.show()
    say("sparse, a tenth of the units (the first: of the first whole one)")
    sparse.show()


def show_row(what: str, cells: list[str]) -> None:
    """Print a row."""
    say(f"{what:<46}" + "".join(f"{cell:>9}" for cell in cells))


def gate_chain(
    queue: GeneratedQueue, length: int, gate_seconds: float, *, is_sparse: bool
) -> Chain:
    """Gate candidates one after the other, in a new workshop."""
    with open_workshop(queue.clone, "origin") as shop:
        shop.reads.fetch_commits([Wanted(change.head) for change in queue.changes])
        keep = a_tenth(shop, queue) if is_sparse else None
        chain = build_chain(shop, queue, length)
        boxes = shop.boxes()
        seconds, closing = [], []
        for number, commit in enumerate(chain, 1):
            started = time.perf_counter()
            box = boxes.open(commit, keep=keep, more=number < len(chain))
            seconds.append(run_gate(box, gate_seconds) - started)
            closing.append(timed(partial(boxes.close, box)))
        return Chain(tuple(seconds), tuple(closing), timed(boxes.stop))


def run_gate(box: Box, seconds: float) -> float:
    """Run a gate of so many seconds, and return when its first line was seen."""
    line = FirstLine()
    sandbox = make_sandbox(Asked(), SandboxMode.BEST_EFFORT, os.environ, [], [])
    around = Surroundings(dict(os.environ), line.write, sandbox)
    words = ("sh", "-c", f"echo started; exec sleep {seconds:f}")
    ended = CommandGates(words, around, SystemClock()).run(GateRun(box, (), "bench"))
    if ended.result is not GateResult.GREEN:
        raise click.ClickException(ended.summary)
    return line.at


def a_tenth(shop: Workshop, queue: GeneratedQueue) -> Keep | None:
    """Return which files a gate of a tenth of the units needs; nothing is known of them yet."""
    facts = UnitFacts(load_configuration(shop.reads, queue.tip))
    units = facts.all_units()
    return facts.needed(units[: max(1, len(units) // 10)])


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
