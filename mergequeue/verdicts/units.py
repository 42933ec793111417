"""Which units a batch's gate is given: what the plan says its members reach, and what their merges
reach beyond.

The plan's set is about a change's own diff, and a set that the listing gave is trusted for that
(facts P13). A candidate may change more: git's guess of a rename can carry an edit into a
look-alike elsewhere (CASES A), and a criss-cross history has no one diff. The units of those paths
are gated too, and the verdict says so.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mergequeue.documents.changes import Change
from mergequeue.ports import Affected, Difference
from mergequeue.vocabulary.ids import ChangeId, RepoPath, Unit

NOTHING = Affected(())
"""No unit at all."""


@dataclass(frozen=True)
class Reached:
    """A member of a batch, with what its merge reaches beyond its own diff."""

    change: Change
    beyond: Affected = NOTHING


@dataclass(frozen=True)
class GateUnits:
    """What a gate is given."""

    units: tuple[Unit, ...] | None
    """Sorted; none at all where nothing is to be gated, and None for every unit there is (facts
    V11, V12).
    """
    beyond: Mapping[ChangeId, Affected] = field(default_factory=dict)
    """What members' merges reach and the plan does not name, for those where there is any."""


def known_own_paths(
    since_fork: Sequence[Difference] | None, since_stack_base: Sequence[Difference] | None
) -> frozenset[RepoPath]:
    """Return the paths that a change is known to touch itself.

    In a stack, they are those that differ both from its stack base, which leaves out what is
    beneath, and from where it left the base, which leaves out what a merge of the base brought in.
    With several merge bases, `since_fork` is None and no path is known to be its own.
    """
    if since_fork is None:
        return frozenset()
    own = frozenset(difference.path for difference in since_fork)
    if since_stack_base is None:
        return own
    return own & frozenset(difference.path for difference in since_stack_base)


def paths_beyond(merged: Iterable[Difference], own: frozenset[RepoPath]) -> tuple[RepoPath, ...]:
    """Return the paths that a candidate changes and its change does not."""
    return tuple(difference.path for difference in merged if difference.path not in own)


def gate_units(members: Sequence[Reached]) -> GateUnits:
    """Return the units of a batch's gate: the union of its members', or every one where a set is no
    proof.
    """
    units: set[Unit] = set()
    unproven = False
    beyond: dict[ChangeId, Affected] = {}
    for member in members:
        change, reached = member.change, member.beyond
        if change.affected is None or change.unbounded_by:
            unproven = True
            continue
        units |= {*change.affected, *reached.units}
        more = tuple(sorted(set(reached.units) - set(change.affected)))
        if more or reached.unbounded_by:
            beyond[change.id] = Affected(more, reached.unbounded_by)
        unproven = unproven or bool(reached.unbounded_by)
    return GateUnits(None if unproven else tuple(sorted(units)), beyond)
