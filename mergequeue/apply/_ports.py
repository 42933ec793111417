"""What apply is handed: each right as a port of its own."""

from collections.abc import Callable
from dataclasses import dataclass

from mergequeue.apply.run import BaseTools
from mergequeue.ports import (
    Bundles,
    Clock,
    Events,
    GitBuilds,
    GitPushes,
    GitReads,
    Merger,
    MergesTrees,
    ProviderReads,
    ProviderWrites,
    TellsMoved,
    VerdictSource,
    WritesMemory,
)
from mergequeue.vocabulary.ids import CommitId


@dataclass(frozen=True)
class Ports:
    """Everything outside that the step reads and changes."""

    git: GitReads
    trees: MergesTrees
    tools_at: Callable[[CommitId, CommitId], BaseTools]
    """Gives what the facts of a commit of the base make, with what the base's file says at its tip;
    asked for the plan's base commit, once that is proven to be on the base, and for that tip.
    """
    builds: GitBuilds
    bundles: Bundles
    pushes: GitPushes
    reads: ProviderReads
    writes: ProviderWrites
    merger: Merger
    source: VerdictSource
    memory: WritesMemory
    events: Events
    clock: Clock
    tell_moved: TellsMoved | None = None
    """Who is told what moved: the validation of this very process; None where it is another's."""
