"""A whole validation on a real repository: real git, real gates, a real directory of verdicts."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mergequeue.candidates.builder import CandidateBuilder
from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.plan import Plan, PlannedChange
from mergequeue.documents.verdict import Verdict
from mergequeue.facts.configuration import load_configuration
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import open_workshop
from mergequeue.hooks.gates import CommandGates
from mergequeue.hooks.regenerations import CommandRegenerations
from mergequeue.hooks.retrying import NO_RETRY, Retrying
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.ports import RegenerationTools
from mergequeue.sources.directory import DirectorySink, DirectorySource
from mergequeue.verdicts.run import ValidationResult
from mergequeue.verdicts.validator import Validator
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RefName, Unit
from mergequeue.vocabulary.words import Decision, Method
from tests.support.heard import Heard
from tests.support.hooks import UNCONFINED, Shown, SteppingClock
from tests.support.repositories import Content, Playground
from tests.support.verdicts import ALL

DATE = datetime(2024, 1, 1, tzinfo=UTC)
MAIN = BranchName("main")

GATE = """\
#!/bin/sh
# Red where the checkout holds `bad-<unit>` for one of the units, or for any where the unit is `/`.
printf '%s' "$(git log -1 --format=%s)" >> "$LOG"
printf ' %s' "$@" >> "$LOG"
echo >> "$LOG"
for unit in "$@"; do
  if test "$unit" = /; then unit='*'; fi
  for bad in bad-$unit; do test ! -e "$bad" || exit 3; done
done
exit 0
"""


def every_file(_: Sequence[Unit]) -> None:
    """Name no files, so that every one is checked out."""


def never() -> bool:
    return False


@dataclass
class World:
    """An origin with a base and changes on it, and the folder where all of it lies."""

    playground: Playground
    base: CommitId
    folder: Path
    script: str = GATE
    told: Heard = field(default_factory=Heard)
    shown: Shown = field(default_factory=Shown)
    words: tuple[str, ...] = ("./gate",)
    sparse: bool = False
    preflights: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The words of each pre-flight's command."""
    limit: timedelta | None = None
    retrying: Retrying = NO_RETRY

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def directory(self) -> Path:
        return self.folder / "verdicts"

    @property
    def gated(self) -> list[str]:
        """What each gate ran on, as they started: the subject of its commit, and the units."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def change(
        self,
        name: str,
        files: dict[str | bytes, Content],
        *,
        units: Sequence[str] | None = ("u",),
        on: CommitId | None = None,
        stack_base: CommitId | None = None,
        below: str | None = None,
        method: Method = Method.SQUASH,
        unbounded_by: str = "",
        preflights: Sequence[str] = (),
        alone: bool = False,
    ) -> PlannedChange:
        head = self.playground.commit(files, parents=on or self.base, message=f"{name}\n")
        self.playground.branch(name, head)
        return PlannedChange(
            id=ChangeId(name),
            head=head,
            base=MAIN,
            method=method,
            ref=RefName(f"refs/heads/{name}"),
            affected=None if units is None else tuple(Unit(unit) for unit in units),
            unbounded_by=unbounded_by,
            stack_base=stack_base,
            below=ChangeId(below) if below is not None else None,
            preflights=tuple(preflights),
            alone=alone,
        )

    def plan(self, *partitions: Sequence[PlannedChange], depth: int = 4, batch: int = 1) -> Plan:
        lined = []
        for partition in partitions:
            ids = [change.id for change in partition]
            lined.append(
                tuple(
                    change.model_copy(update={"beneath": tuple(ids[:rank])})
                    for rank, change in enumerate(partition)
                )
            )
        return Plan(
            base=MAIN,
            remote_url=str(self.playground.origin),
            base_commit=self.base,
            commit_date=DATE,
            depth=depth,
            batch=batch,
            partitions=tuple(lined),
        )

    def validate(
        self,
        plan: Plan,
        *,
        depth: int | None = None,
        parallel: int = 2,
        only: str | None = None,
        stop: Callable[[], bool] = never,
    ) -> ValidationResult:
        with self.validator(plan) as validator:
            return validator.run(
                plan,
                depth=depth,
                parallel=parallel,
                only=ChangeId(only) if only is not None else None,
                stop=stop,
            )

    @contextmanager
    def validator(self, plan: Plan) -> Iterator[Validator]:
        clone = self.folder / "clone"
        if not clone.exists():
            self.playground.run("clone", "--quiet", str(self.playground.origin), str(clone))
        surroundings = Surroundings({"PATH": os.environ["PATH"]}, self.shown.write, UNCONFINED)
        with open_workshop(clone, "origin") as shop:
            configuration = load_configuration(shop.reads, plan.base_commit)
            words = tuple(configuration.queue.regenerate.split())
            facts = UnitFacts(configuration, words)
            merging = TwoRuleMerging(GitMerges(shop), shop.reads, facts)
            boxes = shop.boxes()
            hook = CommandRegenerations(words, surroundings, SteppingClock())
            tools = RegenerationTools(facts, boxes, shop.box_files, hook)
            yield Validator(
                builder=CandidateBuilder(
                    shop.reads, merging, shop.builds, tools if words else None
                ),
                reads=shop.reads,
                facts=facts,
                boxes=boxes,
                bundles=shop.bundles,
                needed=facts.needed if self.sparse else every_file,
                gates=CommandGates(
                    self.words, surroundings, SteppingClock(), self.limit, self.retrying
                ),
                sink=DirectorySink(self.directory),
                events=self.told,
                preflights={
                    name: CommandGates(words, surroundings, SteppingClock())
                    for name, words in self.preflights.items()
                },
            )

    def verdicts(self) -> dict[str, Verdict]:
        """Return what the directory holds, by change."""
        return {
            verdict.change.id: verdict
            for verdict in DirectorySource(self.directory).poll(ALL).verdicts
        }

    def codes(self) -> dict[str, str]:
        """Return each change's code, `merge` for a green one."""
        return {name: verdict.code or verdict.decision for name, verdict in self.verdicts().items()}


def world_of(
    playground: Playground,
    folder: Path,
    files: dict[str | bytes, Content] | None = None,
    *,
    script: str = GATE,
) -> World:
    """Return a world whose base holds the gate, and these files."""
    folder.mkdir(exist_ok=True)
    gate = script.replace("$LOG", str(folder / "log")).replace("$HERE", str(folder))
    base = playground.commit(
        {"gate": (0o100755, gate), "shared.txt": "one\n", **(files or {})}, message="base\n"
    )
    playground.branch("main", base)
    return World(playground, base, folder)


MERGE = Decision.MERGE
