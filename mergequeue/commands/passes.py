"""One pass of the whole queue in one process: list, plan, then validate and apply side by side."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from mergequeue.apply.run import ApplyResult, BaseTools, Settings
from mergequeue.cache.service import Service
from mergequeue.changes.lister import Lister
from mergequeue.commands.apply import make_applier
from mergequeue.commands.building import make_builder
from mergequeue.commands.cache import cache_given
from mergequeue.commands.plan import make_plan
from mergequeue.commands.providers import WritingDoor
from mergequeue.commands.tools import Bench, Hooks, Standing, configuration_at, open_bench, slots
from mergequeue.commands.validate import make_gates, make_validator
from mergequeue.documents.plan import Plan
from mergequeue.documents.provider import Reproduction
from mergequeue.hooks.environment import parse_scratch_env
from mergequeue.hooks.gates import CommandGates
from mergequeue.hooks.words import join_words
from mergequeue.host.files import passing_folder
from mergequeue.ports import NOTHING_MOVED, Events, Moved, Stop
from mergequeue.sources.directory import DirectorySink, DirectorySource
from mergequeue.verdicts.run import ValidationResult
from mergequeue.vocabulary.errors import MergequeueError
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import BranchName, CommitId
from mergequeue.vocabulary.limits import POLL_SECONDS
from mergequeue.vocabulary.words import SandboxMode

_FOLLOW_SECONDS = 0.1
"""How often the pass's own verdicts are looked for: they are in a folder on this machine."""


@dataclass(frozen=True)
class Wishes:
    """What the command line says of a pass."""

    base: BranchName
    remote: str
    door: WritingDoor
    """The way to the provider: one for all passes, so that it remembers what did not change."""
    committer: Identity | None = None
    facts: str | None = None
    gate: str | None = None
    scratch_env: tuple[str, ...] = ()
    depth: int | None = None
    batch: int | None = None
    parallel: int = 0
    sparse: bool | None = None
    sandbox: SandboxMode | None = None
    regenerate: str | None = None
    review_wait: timedelta | None = None
    look_interval: float = POLL_SECONDS
    """How often what moved is looked for while gates run."""
    cache: Service | None = None
    """The runner's cache, for the hooks that run the changes' code."""

    def hooks(self, *private: Path) -> Hooks:
        """Return what is said of hooks; `private` are folders that none may reach."""
        scratch = parse_scratch_env(self.scratch_env)
        return Hooks(self.facts, self.regenerate, self.sandbox, private, scratch, self.review_wait)


@dataclass
class Cancelling:
    """What a signal cancels: the hooks of the pass that runs just then."""

    hooks: list[Callable[[], None]] = field(default_factory=list)

    def cancel(self) -> None:
        """Cancel them."""
        for cancel in tuple(self.hooks):
            cancel()


@dataclass
class _Validation:
    """The half of a pass that runs the changes' code, on a thread of its own."""

    standing: Standing
    wishes: Wishes
    plan: Plan
    directory: Path
    events: Events
    stop: Stop
    cancelling: Cancelling
    moved: Moved = NOTHING_MOVED
    """What apply, on the other thread, said last is not to be gated any more."""
    result: ValidationResult | None = None
    error: BaseException | None = field(default=None)

    def run(self) -> None:
        """Validate the plan; whatever ends it, the directory then says that nothing more comes."""
        sink = DirectorySink(self.directory)
        try:
            self._validate(sink)
        except BaseException as error:  # noqa: BLE001 (raised again by the thread that waits for this one)
            self.error = error
        finally:
            sink.done()

    def tell_moved(self, moved: Moved) -> None:
        """Take what is not to be gated any more."""
        self.moved = moved

    def _validate(self, sink: DirectorySink) -> None:
        wishes = self.wishes
        plan = self.plan
        hooks = wishes.hooks(self.directory)
        with (
            cache_given(self.standing, wishes.cache) as standing,
            open_bench(
                standing,
                wishes.remote,
                plan.base,
                hooks,
                plan.base_commit,
                prepare=wishes.door.prepare,
            ) as bench,
        ):
            gates = make_gates(standing, bench, wishes.gate)
            validator, cancel = make_validator(
                standing, bench, gates, sink, self.events, sparse=wishes.sparse
            )
            self.cancelling.hooks += [gates.cancel, cancel, bench.cancel]
            if self.stop():
                self.cancelling.cancel()
            self.result = validator.run(
                plan,
                depth=None,
                parallel=slots(wishes.parallel),
                only=None,
                stop=self.stop,
                moved=lambda: self.moved,
            )


def run_pass(
    standing: Standing,
    wishes: Wishes,
    events: Events,
    stop: Stop,
    cancelling: Cancelling,
) -> tuple[ApplyResult, MergequeueError | None]:
    """List, plan, validate and apply once; return how applying ended.

    With it, what validation failed with. Each of the two halves has a repository of its own, as in
    two jobs, and they share nothing but the directory of verdicts.
    """
    hooks, door = wishes.hooks(), wishes.door
    with open_bench(standing, wishes.remote, wishes.base, hooks, prepare=door.prepare) as bench:
        builder = make_builder(standing, bench, bench.workshop.boxes)

        def tools_at(_: CommitId, tip: CommitId) -> BaseTools:
            latest = configuration_at(bench.workshop, tip, hooks)
            return BaseTools(bench.facts, bench.merging, builder, latest)

        cancelling.hooks[:] = [bench.cancel, builder.cancel]
        # Asked for here too, so that a missing gate stops the pass before anything is written.
        gates = make_gates(standing, bench, wishes.gate)
        provider = door.open(bench, wishes.base)
        listing = Lister(provider.reads).list(wishes.base, bench.workshop.reads.remote_url())
        now = standing.clock.now()
        plan = make_plan(bench, provider.reads, events, listing, wishes.depth, wishes.batch, now)
        if plan.admitted:
            door.require_committer(bench.workshop, wishes.committer)
        with passing_folder() as folder:
            directory = folder / "verdicts"
            DirectorySink(directory).begin(plan, whole=True)
            half = _Validation(standing, wishes, plan, directory, events, stop, cancelling)
            settings = Settings(
                base=wishes.base,
                committer=wishes.committer,
                app=provider.app,
                interval=_FOLLOW_SECONDS,
                look_interval=wishes.look_interval,
                reproduce=_reproduction(gates, bench),
            )
            applier = make_applier(
                standing,
                bench,
                tools_at,
                DirectorySource(directory),
                events,
                provider,
                wishes.base,
                half.tell_moved,
            )
            thread = threading.Thread(target=half.run, name="validate")
            thread.start()
            try:
                applied = applier.run(settings, stop)
            except BaseException:
                cancelling.cancel()
                raise
            finally:
                thread.join()
    if half.error is not None:
        raise half.error
    return applied, half.result.error if half.result else None


def _reproduction(gates: CommandGates, bench: Bench) -> Reproduction:
    regenerate = join_words(bench.regenerate) if bench.regenerate else ""
    return Reproduction(gate=gates.line(()), regenerate=regenerate)
