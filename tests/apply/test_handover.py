"""What is handed to the provider (facts 3.10; DESIGN, Rulings 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.apply.handover import (
    Asked,
    Form,
    HandHead,
    Merges,
    Update,
    carried_by,
    decide_handover,
)
from mergequeue.apply.outcomes import Kick, Wait
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.plan import PlannedChange
from mergequeue.ports import Region, Resolved, Settled
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.identity import Identity
from mergequeue.vocabulary.ids import ChangeId, RepoPath, TreeId
from tests.support.graphs import commit_id
from tests.support.planned import planned, tree

BOT = Identity("Bot", "bot@example.invalid")
TIP = commit_id("tip")
WANTED, OTHER = tree("wanted"), tree("other")
RESOLVED = (
    Resolved(RepoPath(b"NEWS.md"), "NEWS.md: prose (because)", (Region("NEWS.md## Next", 2),)),
)


def provider(merges: str = "paths", *, linear: bool = False) -> Capabilities:
    return Capabilities.model_validate(
        {
            "schema": "mergequeue.capabilities/v1",
            "merges": merges,
            "stack_merge": "sequential",
            "linear_stacks": linear,
            "methods": ("squash", "merge", "rebase"),
            "required_approvals": 0,
        },
        strict=False,
    )


def asked(
    merges: Merges,
    change: PlannedChange | None = None,
    stale: tuple[str, ...] = (),
    above: tuple[ChangeId, ...] = (),
) -> Asked:
    return Asked(change or planned("1"), TIP, merges, stale, above)


def update(given: Asked, provides: Capabilities | None = None) -> Update:
    decided = decide_handover(given, provides or provider(), BOT)
    assert isinstance(decided, Update)
    return decided


def code(
    given: Asked, provides: Capabilities | None = None, committer: Identity | None = BOT
) -> Code:
    decided = decide_handover(given, provides or provider(), committer)
    assert isinstance(decided, Wait | Kick)
    return decided.code


def test_the_head_is_handed_over_where_the_provider_makes_the_very_tree() -> None:
    assert decide_handover(asked(Merges(WANTED, WANTED)), provider(), None) == HandHead()


@pytest.mark.parametrize("made", [OTHER, None])
def test_a_provider_that_writes_the_tree_always_gets_the_head(made: TreeId | None) -> None:
    assert decide_handover(asked(Merges(WANTED, made)), provider("exact"), BOT) == HandHead()


def test_a_provider_that_writes_the_tree_needs_a_committer() -> None:
    assert code(asked(Merges(WANTED, OTHER)), provider("exact"), None) is Code.WAIT_NO_COMMITTER


def test_what_only_renames_make_lands_through_a_merge_of_the_base_into_the_branch() -> None:
    paths = (RepoPath(b"docs/\xff.md"),)
    made = update(asked(Merges(WANTED, None, WANTED, at_issue=paths)))
    assert (made.form, made.parents) == (Form.RENAMES, (planned("1").head, TIP))
    assert '"docs/\\xff.md"' in made.message


def test_a_stacked_changes_own_delta_lands_on_what_the_change_beneath_became() -> None:
    made = update(asked(Merges(WANTED, OTHER, OTHER, from_stack_base=Settled(WANTED))))
    assert (made.form, made.parents) == (Form.STACKED, (planned("1").head, TIP))


def test_where_stacks_stay_linear_one_commit_on_the_tip_replaces_the_branch() -> None:
    made = update(
        asked(Merges(WANTED, OTHER, OTHER, from_stack_base=Settled(WANTED))), provider(linear=True)
    )
    assert made.parents == (TIP,)
    assert planned("1").head in made.message
    above = asked(
        Merges(WANTED, OTHER, OTHER, from_stack_base=Settled(WANTED)), above=(ChangeId("2"),)
    )
    assert code(above, provider(linear=True)) is Code.KICK_REFUSED
    assert update(above).form is Form.STACKED


def test_checks_that_failed_on_an_older_base_run_again_on_an_update_commit() -> None:
    made = update(asked(Merges(WANTED, WANTED), stale=("build",)))
    assert (made.form, made.parents) == (Form.CHECKS, (planned("1").head, TIP))
    assert "build" in made.message


@given(
    st.sampled_from([OTHER, None]),
    st.sampled_from([OTHER, None]),
    st.sampled_from([Settled(OTHER, resolved=RESOLVED), Settled(None), None]),
    st.sampled_from([Settled(OTHER), Settled(None), None]),
)
def test_a_tree_that_nothing_reviewed_gives_is_never_pushed(
    plain: TreeId | None, renamed: TreeId | None, settled: Settled | None, own: Settled | None
) -> None:
    assert code(asked(Merges(WANTED, plain, renamed, settled, own))) is Code.KICK_REFUSED


def test_what_apply_settles_itself_lands_through_an_update_commit_that_names_it() -> None:
    made = update(asked(Merges(WANTED, None, None, Settled(WANTED, resolved=RESOLVED))))
    assert (made.form, made.parents) == (Form.SETTLED, (planned("1").head, TIP))
    assert "NEWS.md: prose (because); NEWS.md## Next: kind 2" in made.message


def test_a_stacked_changes_own_delta_may_have_been_settled_and_says_so() -> None:
    own = Settled(WANTED, resolved=RESOLVED)
    for linear in (False, True):
        made = update(asked(Merges(WANTED, None, from_stack_base=own)), provider(linear=linear))
        assert made.form is Form.STACKED
        assert "NEWS.md: prose (because); NEWS.md## Next: kind 2" in made.message


@pytest.mark.parametrize(
    "change",
    [planned("1", method="rebase"), planned("1", branch=None), planned("1", fork=True)],
    ids=["rebase", "no branch", "fork"],
)
@pytest.mark.parametrize("stale", [(), ("build",)], ids=["renames", "stale checks"])
def test_a_branch_that_cannot_take_an_update_commit_goes_back(
    change: PlannedChange, stale: tuple[str, ...]
) -> None:
    merges = Merges(WANTED, WANTED if stale else None, WANTED)
    assert code(asked(merges, change, stale)) is Code.KICK_REFUSED


def test_an_update_commit_waits_for_somebody_who_commits_it() -> None:
    assert code(asked(Merges(WANTED, None, WANTED)), committer=None) is Code.WAIT_NO_COMMITTER


def test_a_head_is_carried_by_whatever_is_stacked_on_it_however_far() -> None:
    one = planned("1")
    two = planned("2", "1", below="1", stack_base=one.head)
    three = planned("3", "1", "2", below="2", stack_base=two.head)
    beside = planned("4", "1")
    assert carried_by(one, [one, two, three, beside]) == ("2", "3")
    assert carried_by(three, [one, two, three, beside]) == ()


def test_no_word_in_an_update_commit_keeps_workflows_from_running() -> None:
    merges = Merges(WANTED, None, WANTED, at_issue=(RepoPath(b"a [skip ci].txt"),))
    assert "[skip ci]" not in update(asked(merges)).message
