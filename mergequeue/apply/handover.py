"""Whether a change's head is merged as it is, or an update commit on it (facts 3.10; DESIGN,
Rulings 4).

The provider that merges by paths makes its own tree of a head. Where that is the predicted one, the
head is handed over. Where it is not, the queue brings the base into the branch itself, in one of
three ways that add nothing a reviewer did not see: merged by renames, with conflicts settled that
apply settles to the very same content, or as the change's own delta on what it was stacked on. On
top of one of them it may differ in generated files that the base's regeneration wrote, or
validation's checked one (seed 1, Applying). Anything else goes back to the author.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.plan import PlannedChange
from mergequeue.ports import Pushed, PushOutcome, Settled
from mergequeue.report import applying
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import ChangeId, CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import Method, ProviderMerges, Rule


class Form(Enum):
    """Why the head is not handed over as it is."""

    RENAMES = auto()
    """The base was merged in following a rename, which the provider does not."""
    SETTLED = auto()
    """The base was merged in with conflicts settled, on which the provider would stop."""
    STACKED = auto()
    """Its own delta was put on what the change beneath it became."""
    ON_REPLAY = auto()
    """Regenerated files have to follow the commits that the provider replays."""
    CHECKS = auto()
    """The provider would make the very tree, but required checks have to run again."""


@dataclass(frozen=True)
class Merges:
    """What merging the head onto the tip gives."""

    predicted: TreeId
    """The tree that the base is to carry."""
    by_provider: TreeId | None
    """What the provider makes of it by itself; None where that conflicts."""
    by_renames: TreeId | None = None
    """What the renames rule makes of it; None where that conflicts, or need not be known."""
    settled: Settled | None = None
    """What the one merge function makes of it; None where it need not be known."""
    from_stack_base: Settled | None = None
    """What merging from its stack base gives, once the change beneath has merged; None likewise."""
    at_issue: tuple[RepoPath, ...] = ()
    """The paths on which the provider's own merge conflicts, or differs from the predicted tree."""
    regenerated: frozenset[RepoPath] = frozenset()
    """The generated files that the base's regeneration wrote, or validation's checked one."""
    off_settled: frozenset[RepoPath] = frozenset()
    """Where the predicted tree differs from that of `settled`."""
    off_stack_base: frozenset[RepoPath] = frozenset()
    """Where it differs from that of `from_stack_base`."""


@dataclass(frozen=True)
class HandHead:
    """The provider merges the head as it is."""


@dataclass(frozen=True)
class Update:
    """An update commit is pushed to the change's branch first."""

    form: Form
    parents: tuple[CommitId, ...]
    committer: Identity
    message: str


@dataclass(frozen=True)
class Asked:
    """What is known of a change that is about to be handed over."""

    change: PlannedChange
    tip: CommitId
    merges: Merges
    stale: tuple[str, ...] = ()
    """Required checks that failed on an older base, so that they have to run again."""
    above: tuple[ChangeId, ...] = ()
    """Other open changes that carry its head."""


def is_made_by_provider(merges: ProviderMerges, tree: TreeId | None, predicted: TreeId) -> bool:
    """Whether the provider makes the predicted tree of the head by itself, or writes the tree it is
    handed.
    """
    return merges is ProviderMerges.EXACT or tree == predicted


def decide_handover(
    asked: Asked, provider: Capabilities, committer: Identity | None
) -> HandHead | Update | Wait | Kick:
    """Return what is handed to the provider, or why nothing can be."""
    form = _form(asked, provider)
    if form is None and committer is None and provider.merges is ProviderMerges.EXACT:
        return Wait(Code.WAIT_NO_COMMITTER, "nothing names who commits its merge")
    if form is None:
        return HandHead()
    if isinstance(form, Kick):
        return form
    change = asked.change
    replaces = form is Form.STACKED and provider.linear_stacks
    refusal = _refusal(asked, form, replaces=replaces)
    if refusal is not None:
        return refusal
    if committer is None:
        return Wait(
            Code.WAIT_NO_COMMITTER, "it needs an update commit, and nothing names who commits it"
        )
    parents: tuple[CommitId, ...] = (change.head, asked.tip)
    if replaces:
        parents = (asked.tip,)
    elif form is Form.ON_REPLAY:
        parents = (change.head,)
    return Update(form, parents, committer, _message(asked, form, replaces=replaces))


def _form(asked: Asked, provider: Capabilities) -> Form | Kick | None:
    merges = asked.merges
    if is_made_by_provider(provider.merges, merges.by_provider, merges.predicted):
        return Form.CHECKS if asked.stale else None
    if asked.change.method is Method.REBASE and merges.regenerated:
        return Form.ON_REPLAY  # Its replay was found to differ in those alone.
    if merges.by_renames == merges.predicted:
        return Form.RENAMES
    if _gives(merges.settled, merges.off_settled, merges):
        return Form.SETTLED
    if _gives(merges.from_stack_base, merges.off_stack_base, merges):
        return Form.STACKED
    return Kick(
        Code.KICK_REFUSED, applying.not_made_by_provider(asked.change.base), merges.at_issue
    )


def _gives(settled: Settled | None, off: frozenset[RepoPath], merges: Merges) -> bool:
    """Whether a merge is the predicted tree, but for what was regenerated on it."""
    if settled is None or settled.tree is None:
        return False
    return settled.tree == merges.predicted or (bool(off) and off <= merges.regenerated)


def _refusal(asked: Asked, form: Form, *, replaces: bool) -> Kick | None:
    change = asked.change
    need = applying.needs_update(asked.stale if form is Form.CHECKS else (), change.base)
    if change.method is Method.REBASE and form is not Form.ON_REPLAY:
        return Kick(Code.KICK_REFUSED, applying.not_updated_for_rebase(need), asked.merges.at_issue)
    if change.fork or change.branch is None:
        return Kick(Code.KICK_REFUSED, applying.not_pushable(need), asked.merges.at_issue)
    if replaces and asked.above:
        return Kick(Code.KICK_REFUSED, applying.carried_by_others(change.head, asked.above))
    return None


def _message(asked: Asked, form: Form, *, replaces: bool) -> str:
    change = asked.change
    if form is Form.CHECKS:
        return applying.update_for_checks(change, asked.stale)
    if form is Form.RENAMES:
        return applying.update_by_renames(change, asked.merges.at_issue)
    merges = asked.merges
    if form is Form.ON_REPLAY:
        return applying.update_on_replay(change, sorted(merges.regenerated))
    if form is Form.SETTLED:
        brought = _brought(merges.settled, merges.off_settled)
        return applying.update_with_settled(change, brought)
    brought = _brought(merges.from_stack_base, merges.off_stack_base)
    replaced = change.head if replaces else None
    return applying.update_of_stacked(change, brought, replaced=replaced)


def _brought(settled: Settled | None, off: frozenset[RepoPath]) -> applying.Brought:
    if settled is None:
        return applying.Brought()
    generated = tuple(sorted(off.union(settled.generated)))
    renames = settled.rule is Rule.RENAMES
    return applying.Brought(settled.resolved, generated, renames=renames)


def decide_not_on_replay(change: PlannedChange, paths: Iterable[RepoPath]) -> Kick:
    """Return the kick of a change whose regenerated files cannot follow its replayed commits."""
    need = applying.needs_update((), change.base)
    detail = applying.not_updated_for_rebase(need)
    return Kick(Code.KICK_REFUSED, detail, tuple(sorted(paths)))


def decide_pushed(pushed: Pushed) -> Wait | Kick | None:
    """Return what becomes of a change whose update commit did not arrive; None where it did."""
    match pushed.outcome:
        case PushOutcome.DONE:
            return None
        case PushOutcome.STALE:
            return Wait(
                Code.WAIT_BRANCH_MOVED,
                "its branch moved or went before its update commit was pushed",
            )
        case PushOutcome.REJECTED:
            return Kick(Code.KICK_REFUSED, applying.push_refused(pushed.reason))


def carried_by(change: PlannedChange, others: Iterable[PlannedChange]) -> tuple[ChangeId, ...]:
    """Return the other planned changes whose own history holds this change's head, by what the plan
    says they are stacked on.
    """
    found: list[ChangeId] = []
    for other in others:
        if other.below is not None and (other.below == change.id or other.below in found):
            found.append(other.id)
    return tuple(found)
