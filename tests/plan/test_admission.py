"""The order of facts P8, and what each answer of the provider means at planning."""

from collections.abc import Mapping

import pytest

from mergequeue.changes.decided import Decided
from mergequeue.conflicts.replay import Replay
from mergequeue.documents.provider import Approval
from mergequeue.plan.admission import (
    AsItIs,
    MergedOntoTip,
    decide_as_it_is,
    decide_delta,
    decide_merge,
    decide_replay,
)
from mergequeue.ports import Conflict, Resolved, Settled
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId, RepoPath, TreeId
from mergequeue.vocabulary.words import ConflictKind, Method
from tests.support.graphs import commit_id
from tests.support.listings import TIP, queued

CHANGE = queued("1", "a")
TREE = TreeId(commit_id("tree"))


def asked(
    now: Mapping[str, object], *, readable: bool = True, below_branch: str | None = None
) -> Decided | None:
    """Return what is decided of a change that differs from its listing like this."""
    fields = {
        "approved": True,
        "head": CHANGE.head,
        "base": "main",
        "method": Method.SQUASH,
        "queued": True,
        "shared_with": (),
    }
    branch = None if below_branch is None else BranchName(below_branch)
    answer = Approval.model_validate({**fields, **now})
    facts = AsItIs(CHANGE, answer, commit_id("reviewed"), readable, branch)
    return decide_as_it_is(facts, (Method.SQUASH,), TIP)


def code(decided: Decided | None) -> Code | None:
    """Return the code of a decision."""
    assert decided is not None
    return decided.code


def test_a_change_that_is_as_it_was_listed_is_admitted() -> None:
    assert asked({}) is None


def test_each_difference_has_its_code_and_the_first_in_order_stands() -> None:
    worst: dict[str, object] = {
        "head": commit_id("new"),
        "queued": False,
        "base": "elsewhere",
        "method": Method.MERGE,
        "approved": False,
    }
    order = [
        Code.WAIT_HEAD_MOVED,
        Code.WAIT_WITHDRAWN,
        Code.WAIT_RETARGET,
        Code.WAIT_METHOD_CHANGED,
        Code.WAIT_NOT_APPROVED,
    ]
    for mended, expected in zip(list(worst), order, strict=True):
        assert code(asked(worst)) is expected
        del worst[mended]


def test_a_method_that_is_not_allowed_is_told_after_the_approval() -> None:
    rebase = queued("1", "a", method=Method.REBASE)
    for approved, expected in [(False, Code.WAIT_NOT_APPROVED), (True, Code.KICK_REFUSED)]:
        answer = Approval(
            approved=approved,
            head=rebase.head,
            base=TIP.base,
            method=Method.REBASE,
            queued=True,
            shared_with=(),
        )
        facts = AsItIs(rebase, answer, rebase.head, readable=True)
        assert code(decide_as_it_is(facts, (Method.SQUASH,), TIP)) is expected


def test_a_moved_head_is_told_with_the_new_one() -> None:
    moved = asked({"head": commit_id("new")})

    assert moved is not None
    assert moved.head == commit_id("new")


def test_a_head_that_cannot_be_read_and_has_not_moved_waits_all_the_same() -> None:
    assert code(asked({}, readable=False)) is Code.WAIT_HEAD_MOVED


@pytest.mark.parametrize("branch", ["main", "lower"])
def test_a_stacked_change_targets_the_base_or_the_branch_beneath(branch: str) -> None:
    assert asked({"base": branch}, below_branch="lower") is None


def test_a_change_that_is_not_approved_says_where_and_why() -> None:
    found = asked({"approved": False, "reason": "it needs a code owner"})

    assert found is not None
    assert found.reason == (
        f"it is not approved at {commit_id('reviewed')[:12]}: it needs a code owner; "
        "it goes on once it is approved at its head"
    )


def test_words_of_the_provider_stay_on_one_line() -> None:
    found = asked({"approved": False, "reason": "no\nsecond \x1b[31mline"})

    assert found is not None
    assert found.reason.isprintable()


def test_an_approval_that_could_not_be_read_waits() -> None:
    facts = AsItIs(CHANGE, "it answered 500", CHANGE.head, readable=True)

    found = decide_as_it_is(facts, (Method.SQUASH,), TIP)

    assert code(found) is Code.WAIT_NOT_APPROVED
    assert found is not None
    assert "it answered 500" in found.reason


def merged(settled: Settled, touching: tuple[str, ...] = ()) -> Decided | None:
    """Return what a merge onto a tip with the tree TREE decides."""
    return decide_merge(MergedOntoTip(CHANGE, settled, TREE), touching, TIP)


def test_a_clean_merge_that_adds_something_is_admitted() -> None:
    assert merged(Settled(TreeId(commit_id("other")))) is None


def test_a_merge_that_leaves_the_bases_tree_is_refused() -> None:
    assert code(merged(Settled(TREE))) is Code.KICK_REFUSED


def test_a_merge_without_a_common_history_is_refused_and_no_conflict() -> None:
    assert code(merged(Settled(None, unrelated=True))) is Code.KICK_REFUSED


def test_a_conflict_names_its_files_as_text_and_the_commits_that_touched_them() -> None:
    settled = Settled(
        None,
        conflicts=(
            Conflict(RepoPath(b"a b"), ConflictKind.CONTENT, "a b#`f`: <b>both</b>"),
            Conflict(RepoPath(b"new\nline\xff"), ConflictKind.KINDS),
        ),
    )

    found = merged(settled, ("0123456789ab Touch them",))

    assert found is not None
    assert found.code is Code.KICK_CONFLICT
    assert found.paths == ("a b", '"new\\x0aline\\xff"')
    assert found.with_ == ("0123456789ab Touch them",)
    assert "It conflicts with the base in `a b` and" in found.reason
    assert found.reason.endswith(". a b#`f`: <b>both</b>")
    assert "Why they stayed conflicts:\n\n- ``a b#`f`: <b>both</b>``\n" in found.report


def test_a_rebase_whose_conflicts_had_to_be_settled_is_refused_whatever_its_replay_leaves() -> None:
    settled = Settled(TREE, resolved=(Resolved(RepoPath(b"a b"), "a b: prose"),))
    for replay in (Replay(TREE), Replay(None, paths=(RepoPath(b"a b"),))):
        found = decide_replay(CHANGE, replay, settled, TIP)
        assert found is not None
        assert (found.code, found.paths) == (Code.KICK_REFUSED, ("a b",))


@pytest.mark.parametrize(
    ("below", "paths", "refused"),
    [
        ("2", (), True),
        ("2", (RepoPath(b"x"),), False),
        ("2", None, False),
        (None, (), False),
    ],
    ids=["nothing of its own", "something", "unknown", "in no stack"],
)
def test_only_a_stacked_change_that_is_known_to_add_nothing_is_refused(
    below: str | None, paths: tuple[RepoPath, ...] | None, *, refused: bool
) -> None:
    on = None if below is None else ChangeId(below)

    assert (decide_delta(CHANGE, on, paths, TIP) is not None) == refused


def test_a_short_id_is_for_people_and_the_decision_keeps_the_whole_one() -> None:
    moved = asked({"head": CommitId("f" * 40)})

    assert moved is not None
    assert len(moved.head or "") == 40


def test_a_replay_that_gives_another_tree_than_the_merge_is_refused() -> None:
    merged = Settled(TREE)
    assert decide_replay(CHANGE, Replay(TREE), merged, TIP) is None
    otherwise = decide_replay(CHANGE, Replay(TreeId(commit_id("other"))), merged, TIP)
    assert code(otherwise) is Code.KICK_REFUSED
