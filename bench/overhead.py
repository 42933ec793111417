"""What an action adds of its own, from a job's start to the gate's first line.

    python -m bench.overhead [--files 5000] [--rounds 3]

- setting up: the first start of `bin/mergequeue` in a job, which installs its locked packages;
- starting: every later start, to the first line of its own;
- planning: `mergequeue plan` of one queued change, started and ended;
- to the gate: `mergequeue validate --only` of that change, started, to the gate's first line.

The floor beside the last two is git's: what fetching the heads and checking the candidate out takes
by hand. Packages come from wherever pip is told to find them.
"""

import os
import subprocess
import tempfile
import time
from pathlib import Path

import click

from bench.harness import git, median, say, timed
from bench.worlds import GeneratedQueue, write_queue

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "bin" / "mergequeue"


@click.command()
@click.option("--files", default=5_000, show_default=True)
@click.option("--rounds", default=3, show_default=True)
def main(files: int, rounds: int) -> None:
    """Measure what starting, planning and validating cost a job."""
    took: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        queue = write_queue(folder / "queue", files=files, changes=1)
        for number in range(rounds):
            here = folder / f"job-{number}"
            here.mkdir()
            for what, seconds in job(queue, here).items():
                took.setdefault(what, []).append(seconds)
    say(f"{'':<52} median      most")
    for what, figures in took.items():
        say(f"{what:<52} {median(figures):6.2f}    {max(figures):6.2f}")


def job(queue: GeneratedQueue, folder: Path) -> dict[str, float]:
    """Return the seconds of each part of one job, on a machine that has set nothing up."""
    environ = {**os.environ, "MERGEQUEUE_ENVIRONMENTS": str(folder / "environments")}

    def start(*words: str) -> subprocess.CompletedProcess[bytes]:
        command = [str(PROGRAM), "-C", str(queue.clone), *words]
        return subprocess.run(command, env=environ, check=True, capture_output=True)

    took = {
        "setting up: the first start": timed(lambda: start("--version")),
        "every later start": timed(lambda: start("--version")),
    }
    listing = start("ls").stdout
    (folder / "changes.json").write_bytes(listing)
    plan = folder / "verdicts" / "plan.json"
    plan.parent.mkdir()
    words = ("plan", "--changes", str(folder / "changes.json"), "--out", str(plan))
    took["planning one change"] = timed(lambda: start(*words))
    took["validating it, to the gate's first line"] = to_first_line(queue, plan.parent, environ)
    took["the same by hand: clone --shared, fetch, checkout"] = timed(
        lambda: by_hand(queue, folder / "hand")
    )
    return took


def to_first_line(queue: GeneratedQueue, verdicts: Path, environ: dict[str, str]) -> float:
    """Return the seconds from the start of `validate` to the first line of its gate."""
    command = [str(PROGRAM), "-C", str(queue.clone), "validate", "--verdicts", str(verdicts)]
    command += ["--gate", "echo here"]
    started = time.perf_counter()
    with subprocess.Popen(
        command, env=environ, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as run:
        assert run.stderr is not None
        for line in run.stderr:
            if b"] here" in line:
                seconds = time.perf_counter() - started
                run.stderr.read()
                return seconds
    message = "the gate printed nothing"
    raise RuntimeError(message)


def by_hand(queue: GeneratedQueue, folder: Path) -> None:
    """Do with git alone what a candidate needs of it."""
    git(queue.clone, "clone", "--quiet", "--shared", "--no-checkout", ".", str(folder))
    git(folder, "fetch", "--quiet", f"file://{queue.origin}", str(queue.changes[0].ref))
    git(folder, "checkout", "--quiet", "--detach", "FETCH_HEAD")


if __name__ == "__main__":
    main()
