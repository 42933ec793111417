"""What a step asks of the outside, as Protocols cut by right (DESIGN, rule 3).

    reading git          GitReads, MergesTrees        every step
    building commits     GitBuilds                    builder, applier, merger, keeper
    pushing              GitPushes                    applier, keep.stepwise
    reading the provider ProviderReads                lister, planner, applier, merger
    following a run      ListsArtifacts, Downloads    no step: the source that apply is handed
    writing to it        ProviderWrites               applier, merger
    running a gate       Gates, Boxes                 validator alone
    regenerating         Regenerations, Boxes         builder alone
    bundles              Bundles                      validator, applier
    what was turned away ReadsTurnedAway, LeavesNotes,
                         BringsUpToDate               keeper alone
    remembering          ReadsMemory, WritesMemory    applier; a plan is made with what is read

A step is handed the ports that it may use; what it cannot name it cannot call. The records beside
them are what they take and give: facts and requests, no decision in them.

- `git` reads, builds and pushes; `trees` merges;
- `facts` and `gates` run hooks: what the base says of its units, and whether a candidate is good;
- `regeneration` rewrites generated files, and carries what came of it to apply;
- `keeping` is what the keeper of turned-away changes reads and writes;
- `memory` is what outlives a run on every provider;
- `provider` lists and merges changes; `verdicts` carries them from validate to apply;
- `beside` is what apply tells the validation of the same process;
- `steps` are the builder and the merger, as other steps are handed them;
- `world` is the clock, the listener to events, and being told to stop.
"""

from mergequeue.ports.beside import NOTHING_MOVED, AsksMoved, Moved, TellsMoved
from mergequeue.ports.facts import (
    Affected,
    AutoResolve,
    Facts,
    FactsCommand,
    Generation,
    Keep,
    Needed,
    Outputs,
)
from mergequeue.ports.gates import Box, Boxes, GateEnd, GateResult, GateRun, Gates
from mergequeue.ports.git import (
    CommitFacts,
    Difference,
    Edit,
    GitBuilds,
    GitPushes,
    GitReads,
    Graph,
    Pushed,
    PushOutcome,
    RefMove,
    Wanted,
)
from mergequeue.ports.keeping import (
    BringsUpToDate,
    LeavesNotes,
    QueuesAgain,
    ReadsTurnedAway,
    TurnedAway,
)
from mergequeue.ports.memory import (
    NOTHING_REMEMBERED,
    Memory,
    ReadsMemory,
    Remembered,
    WritesMemory,
)
from mergequeue.ports.provider import (
    Dispatches,
    ListsArtifacts,
    PlanJob,
    ProviderReads,
    ProviderWrites,
    WorkflowRun,
)
from mergequeue.ports.regeneration import (
    BoxFiles,
    Bundle,
    Bundles,
    Regenerated,
    RegenerationRun,
    Regenerations,
    RegenerationTools,
    Stale,
    Touched,
    Untaken,
    Watch,
)
from mergequeue.ports.steps import (
    Builder,
    Candidate,
    CandidateRequest,
    Landed,
    Landing,
    Merger,
    Waiting,
)
from mergequeue.ports.trees import (
    Completion,
    Conflict,
    Merged,
    MergesTrees,
    Merging,
    Region,
    Resolved,
    Settled,
    ThreeWay,
    Versions,
)
from mergequeue.ports.verdicts import Downloads, Poll, UploadsArtifacts, VerdictSink, VerdictSource
from mergequeue.ports.world import Clock, Events, Stop

__all__ = [
    "NOTHING_MOVED",
    "NOTHING_REMEMBERED",
    "Affected",
    "AsksMoved",
    "AutoResolve",
    "Box",
    "BoxFiles",
    "Boxes",
    "BringsUpToDate",
    "Builder",
    "Bundle",
    "Bundles",
    "Candidate",
    "CandidateRequest",
    "Clock",
    "CommitFacts",
    "Completion",
    "Conflict",
    "Difference",
    "Dispatches",
    "Downloads",
    "Edit",
    "Events",
    "Facts",
    "FactsCommand",
    "GateEnd",
    "GateResult",
    "GateRun",
    "Gates",
    "Generation",
    "GitBuilds",
    "GitPushes",
    "GitReads",
    "Graph",
    "Keep",
    "Landed",
    "Landing",
    "LeavesNotes",
    "ListsArtifacts",
    "Memory",
    "Merged",
    "Merger",
    "MergesTrees",
    "Merging",
    "Moved",
    "Needed",
    "Outputs",
    "PlanJob",
    "Poll",
    "ProviderReads",
    "ProviderWrites",
    "PushOutcome",
    "Pushed",
    "QueuesAgain",
    "ReadsMemory",
    "ReadsTurnedAway",
    "RefMove",
    "Regenerated",
    "RegenerationRun",
    "RegenerationTools",
    "Regenerations",
    "Region",
    "Remembered",
    "Resolved",
    "Settled",
    "Stale",
    "Stop",
    "TellsMoved",
    "ThreeWay",
    "Touched",
    "TurnedAway",
    "Untaken",
    "UploadsArtifacts",
    "VerdictSink",
    "VerdictSource",
    "Versions",
    "Waiting",
    "Wanted",
    "Watch",
    "WorkflowRun",
    "WritesMemory",
]
