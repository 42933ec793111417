"""The builder, with the regeneration that the base or the command line names."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from mergequeue.apply.run import BaseTools
from mergequeue.candidates.builder import CandidateBuilder
from mergequeue.commands.tools import Bench, Hooks, Standing, bench_at, configuration_at
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop
from mergequeue.hooks.regenerations import CommandRegenerations
from mergequeue.ports import Boxes, Merging, RegenerationTools, Settled, ThreeWay
from mergequeue.vocabulary.ids import CommitId

Cancel = Callable[[], None]


def make_builder(standing: Standing, bench: Bench, boxes: Callable[[], Boxes]) -> CandidateBuilder:
    """Return the step; `boxes` is asked where it has a regeneration to run."""
    shop = bench.workshop
    if not bench.regenerate:
        return CandidateBuilder(shop.reads, bench.merging, shop.builds)
    around = standing.surroundings(bench.sandbox(), bench.hooks.scratch_env)
    hook = CommandRegenerations(bench.regenerate, around, standing.clock)
    tools = RegenerationTools(bench.facts, boxes(), shop.box_files, hook)
    return CandidateBuilder(shop.reads, bench.merging, shop.builds, tools)


@dataclass
class LateBench:
    """A workshop whose facts are those of a commit that is known later.

    Apply reads no configuration before the plan's base commit is proven to be on the base.
    """

    standing: Standing
    workshop: Workshop
    hooks: Hooks
    at_end: contextlib.ExitStack
    trees: GitMerges = field(init=False)
    tools: BaseTools | None = None
    _cancels: list[Cancel] = field(default_factory=list)
    _is_cancelled: bool = False

    def __post_init__(self) -> None:
        self.trees = GitMerges(self.workshop)

    @property
    def merging(self) -> Merging:
        """The merge function, for whoever uses it once the commit is known."""
        return self

    def merge(self, merges: Sequence[ThreeWay]) -> tuple[Settled, ...]:
        """Merge with the facts of the commit."""
        if self.tools is None:
            msg = "nothing is merged before the plan's base commit is known"
            raise ValueError(msg)
        return self.tools.merging.merge(merges)

    def tools_at(self, commit: CommitId, tip: CommitId) -> BaseTools:
        """Take the commit, once, and return what is made from its facts, with the file of a tip."""
        bench = self.at_end.enter_context(
            bench_at(self.standing, self.workshop, commit, self.hooks)
        )
        builder = make_builder(self.standing, bench, self.workshop.boxes)
        self._cancels += [bench.cancel, builder.cancel]
        if self._is_cancelled:
            self.cancel()
        latest = configuration_at(self.workshop, tip, self.hooks)
        self.tools = BaseTools(bench.facts, bench.merging, builder, latest)
        return self.tools

    def cancel(self) -> None:
        """End every hook, and each that is started later."""
        self._is_cancelled = True
        for cancel in tuple(self._cancels):
            cancel()


@contextlib.contextmanager
def open_late_bench(standing: Standing, shop: Workshop, hooks: Hooks) -> Iterator[LateBench]:
    """Open a bench on a workshop whose commit is told later."""
    with contextlib.ExitStack() as stack:
        yield LateBench(standing, shop, hooks, stack)
