"""A review of an older commit counts where the head was only moved, as planning and apply each
prove from git alone (seed 1, Stacks and What a review covers).
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest

from mergequeue.candidates.builder import CandidateBuilder
from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.config import Configuration, QueueTable, UnitTable
from mergequeue.facts.units import UnitFacts
from mergequeue.hooks.regenerations import CommandRegenerations
from mergequeue.hooks.surroundings import Surroundings
from mergequeue.ports import RegenerationTools
from mergequeue.vocabulary.codes import Code
from mergequeue.vocabulary.ids import CommitId, Unit
from mergequeue.vocabulary.words import EventKind, Method
from tests.support.applying import Queue, open_queue
from tests.support.forge import Forge
from tests.support.hooks import UNCONFINED
from tests.support.landings import LINES, edit, make_forge, pull, text
from tests.support.repositories import Content, Playground

PLANNING, APPLYING = "planning", "applying"
FIVE = LINES.replace("5", "five")


@pytest.fixture
def forge(playground: Playground) -> Forge:
    return make_forge(playground)


def on(forge: Forge, parent: CommitId, **files: Content) -> CommitId:
    """Return a commit of files of the folder `a`, each by its first letter."""
    named: dict[str | bytes, Content] = {f"a/{name}.txt": held for name, held in files.items()}
    return forge.playground.commit(named, parents=parent)


def keep(forge: Forge, commit: CommitId) -> CommitId:
    """Let a commit that no branch holds any more be fetched by its id."""
    return forge.playground.branch(f"refs/kept/{commit}", commit)


def decided(forge: Forge, old: CommitId, where: str) -> tuple[str, str, list[str]]:
    """Return how change 7 ends that is approved at `old` alone, why, and the notices about it."""
    if where == PLANNING:
        pull(forge, "7").approved_at = {old}
    with open_queue(forge) as queue:
        plan = queue.plan()
        if where == PLANNING:
            notices = queue.planned.reasons(EventKind.NOTICE, "7")
            verdicts = {verdict.change.id: verdict for verdict in plan.verdicts}
            found = verdicts.get(pull(forge, "7").id)
            if found is None:
                return "admitted", "", notices
            return str(found.code), found.reason, notices
        queue.judge()
        pull(forge, "7").approved_at = {old}
        queue.apply()
        notices = queue.heard.reasons(EventKind.NOTICE, "7")
        return queue.code("7"), queue.ended["7"].reason, notices


# --- merges of the base on top of what was reviewed ----------------------------------------------


def merge_of_base(forge: Forge, head: CommitId, extra: dict[str | bytes, str | None]) -> CommitId:
    """Return a merge of the base into a branch, with an edit hidden in it where there is any."""
    tip = forge.playground.tip("main")
    moved: dict[str | bytes, str | None] = {"b/two.txt": "moved\n", **extra}
    return forge.playground.commit(moved, parents=[head, tip], message="Merge branch 'main'\n")


@pytest.mark.parametrize("hidden", [False, True])
def test_a_review_beneath_a_merge_of_the_base_covers_it_when_it_adds_nothing(
    forge: Forge, *, hidden: bool
) -> None:
    reviewed = edit(forge, "a/new.txt", "new\n")
    forge.push_to_base({"b/two.txt": "moved\n"})
    head = merge_of_base(forge, reviewed, {"a/evil.txt": "evil\n"} if hidden else {})
    forge.open("1", head)
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "1").approved_at = {reviewed}
        queue.apply()
    assert queue.codes() == {"1": "WAIT_NOT_APPROVED" if hidden else "merged"}
    assert text(forge, "a/evil.txt") is None


def test_an_approval_of_an_older_head_merges_nothing(forge: Forge) -> None:
    old = edit(forge, "a/new.txt", "new\n")
    forge.open("1", edit(forge, "a/evil.txt", "evil\n", on=old))
    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "1").approved_at = {old}
        queue.apply()
    assert queue.codes() == {"1": "WAIT_NOT_APPROVED"}


# --- what carries over ---------------------------------------------------------------------------


def rebased(forge: Forge) -> CommitId:
    start = forge.playground.tip("main")
    old = keep(forge, on(forge, on(forge, start, new="new\n"), one=FIVE))
    tip = forge.push_to_base({"b/two.txt": "moved\n"})
    forge.open("7", on(forge, on(forge, tip, new="new\n"), one=FIVE))
    return old


def rebased_and_squashed_in_place(forge: Forge) -> CommitId:
    old = rebased(forge)
    forge.push("7", on(forge, forge.playground.tip("main"), new="new\n", one=FIVE))
    return old


def rebased_then_updated(forge: Forge) -> CommitId:
    old = rebased(forge)
    head = forge.head("7")
    tip = forge.push_to_base({"b/three.txt": "three\n"})
    merge = forge.playground.commit({"b/three.txt": "three\n"}, parents=[head, tip])
    forge.push("7", merge)
    return old


def rebased_off_a_squashed_change(forge: Forge) -> CommitId:
    lower = edit(forge, "a/one.txt", FIVE)
    forge.open("1", lower)
    old = keep(forge, on(forge, lower, new="new\n"))
    forge.merge_by_hand("1")
    forge.open("7", on(forge, forge.playground.tip("main"), new="new\n"))
    return old


def rewritten_on_an_open_change(forge: Forge) -> CommitId:
    lower = edit(forge, "a/one.txt", FIVE)
    forge.open("1", lower)
    old = keep(forge, on(forge, on(forge, lower, new="n\n"), new="new\n"))
    forge.open("7", on(forge, lower, new="new\n"))
    return old


def moved_onto_an_open_change(forge: Forge) -> CommitId:
    lower = edit(forge, "a/one.txt", FIVE)
    old = keep(forge, edit(forge, "a/new.txt", "new\n"))
    forge.open("1", lower)
    forge.open("7", on(forge, lower, new="new\n"))
    return old


@pytest.mark.parametrize("where", [PLANNING, APPLYING])
@pytest.mark.parametrize(
    "history",
    [
        rebased,
        rebased_and_squashed_in_place,
        rebased_then_updated,
        rebased_off_a_squashed_change,
        rewritten_on_an_open_change,
        moved_onto_an_open_change,
    ],
)
def test_an_approval_carries_over_a_rebase_that_only_moved_the_change(
    forge: Forge, history: Callable[[Forge], CommitId], where: str
) -> None:
    old = history(forge)
    code, _, notices = decided(forge, old, where)
    assert code == ("admitted" if where == PLANNING else "merged")
    (notice,) = notices
    assert old[:12] in notice
    if where == APPLYING:
        assert text(forge, "a/new.txt") == "new\n"


# --- what must not -------------------------------------------------------------------------------


def with_an_extra_edit(forge: Forge) -> CommitId:
    old = rebased(forge)
    forge.push("7", on(forge, forge.head("7"), evil="evil\n"))
    return old


def with_a_line_less(forge: Forge) -> CommitId:
    old = rebased(forge)
    forge.push("7", on(forge, forge.head("7"), one=FIVE.replace("9\n", "")))
    return old


def with_another_mode(forge: Forge) -> CommitId:
    old = rebased(forge)
    forge.push("7", on(forge, forge.head("7"), new=(0o100755, "new\n")))
    return old


def on_top_of_what_was_approved(forge: Forge) -> CommitId:
    old = edit(forge, "a/new.txt", "new\n")
    forge.open("7", on(forge, old, evil="evil\n"))
    return old


def through_a_conflict(forge: Forge) -> CommitId:
    old = keep(forge, edit(forge, "a/one.txt", FIVE))
    tip = forge.push_to_base({"a/one.txt": LINES.replace("5", "cinq")})
    forge.open("7", on(forge, tip, one=FIVE, new="new\n"))
    return old


def through_a_conflict_that_settles(forge: Forge) -> CommitId:
    forge.push_to_base({"a/notes.md": "# Notes\n"})
    old = keep(forge, edit(forge, "a/notes.md", "# Notes\n- mine\n"))
    tip = forge.push_to_base({"a/notes.md": "# Notes\n- theirs\n"})
    both = {"a/notes.md": "# Notes\n- theirs\n- mine\n"}
    forge.open("7", forge.playground.commit(both, parents=tip))
    return old


def dropping_an_unqueued_change(forge: Forge) -> CommitId:
    unqueued = edit(forge, "a/one.txt", FIVE)
    forge.open("1", unqueued, queued=False)
    old = keep(forge, on(forge, unqueued, new="new\n"))
    tip = forge.push_to_base({"b/two.txt": "moved\n"})
    forge.open("7", on(forge, tip, one=FIVE, new="new\n"))
    return old


def taking_in_a_change_as_it_was(forge: Forge) -> CommitId:
    part = edit(forge, "a/one.txt", FIVE)
    forge.open("1", on(forge, part, one=LINES))
    old = keep(forge, on(forge, part, new="new\n"))
    tip = forge.push_to_base({"b/two.txt": "moved\n"})
    forge.open("7", on(forge, tip, one=FIVE, new="new\n"))
    return old


def forked_from_beneath_its_stack_base(forge: Forge) -> CommitId:
    early = edit(forge, "a/one.txt", FIVE)
    lower = on(forge, early, lower="lower\n")
    side = on(forge, early, new="new\n")
    old = keep(forge, forge.playground.commit({"a/new.txt": "new\n"}, parents=[lower, side]))
    forge.open("1", lower)
    forge.open("7", on(forge, lower, new="new\n"))
    return old


def that_is_gone(forge: Forge) -> CommitId:
    rebased(forge)
    return CommitId("1" * 40)


@pytest.mark.parametrize("where", [PLANNING, APPLYING])
@pytest.mark.parametrize(
    ("history", "why"),
    [
        (with_an_extra_edit, "something else in a/evil.txt"),
        (with_a_line_less, "something else in a/one.txt"),
        (with_another_mode, "something else in a/new.txt"),
        (on_top_of_what_was_approved, "something else in a/evil.txt"),
        (through_a_conflict, "conflicts in a/one.txt"),
        (through_a_conflict_that_settles, "conflicts in a/notes.md"),
        (dropping_an_unqueued_change, "carries the commits of 1, which is open and nobody queued"),
        (taking_in_a_change_as_it_was, "carries commits of 1 without its head"),
        (forked_from_beneath_its_stack_base, "starts from more than one commit"),
        (that_is_gone, "cannot be fetched any more"),
    ],
)
def test_an_approval_does_not_carry_over_a_rebase(
    forge: Forge, history: Callable[[Forge], CommitId], why: str, where: str
) -> None:
    old = history(forge)
    code, reason, notices = decided(forge, old, where)
    assert code == "WAIT_NOT_APPROVED"
    assert why in reason
    assert old[:12] in reason
    assert forge.head("7")[:12] in reason
    assert [notice for notice in notices if "counts for" in notice] == []
    assert forge.merge_requests == [] if where == PLANNING else text(forge, "a/evil.txt") is None


def test_an_approval_that_is_withdrawn_right_before_the_merge_carries_nothing(
    forge: Forge,
) -> None:
    old = rebased(forge)
    other = keep(forge, edit(forge, "a/other.txt", "x\n"))
    pull(forge, "7").approved_at = {old}

    def withdraw() -> None:
        pull(forge, "7").approved_at = {other}

    with open_queue(forge) as queue:
        queue.plan()
        queue.judge()
        forge.before["approvals_at 7"] = [lambda: None, withdraw]
        queue.apply()
    assert queue.code("7") == "WAIT_NOT_APPROVED"
    assert forge.list_green_now() == []


def test_what_a_plan_leaves_out_is_read_from_the_listing(forge: Forge) -> None:
    old = taking_in_a_change_as_it_was(forge)
    with open_queue(forge) as queue:
        plan = queue.plan()
        alone = tuple(line for line in plan.partitions if line[0].id == "7")
        queue.source.document = plan.model_copy(update={"partitions": alone})
        queue.judge()
        pull(forge, "7").approved_at = {old}
        queue.apply()
    assert queue.code("7") == "WAIT_NOT_APPROVED"


def test_an_approved_commit_that_does_not_read_holds_up_nobody_else(forge: Forge) -> None:
    start = forge.playground.tip("main")
    old = keep(forge, edit(forge, "b/new.txt", "new\n"))
    who = b"A <a@example.invalid> 1 +0000"
    lines = [b"tree " + b"1" * 40, b"parent " + start.encode(), b"author " + who]
    broken = forge.playground.write(1, b"\n".join([*lines, b"committer " + who, b"", b"x\n"]))
    tip = forge.push_to_base({"b/two.txt": "moved\n"})
    forge.open("7", on(forge, tip, new="new\n"))
    forge.open("8", forge.playground.commit({"b/new.txt": "new\n"}, parents=tip))
    pull(forge, "7").approved_at = {keep(forge, CommitId(broken))}
    pull(forge, "8").approved_at = {old}
    with open_queue(forge) as queue:
        plan = queue.plan()
    assert [change.id for change in plan.admitted] == ["8"]
    assert [verdict.code for verdict in plan.verdicts] == [Code.WAIT_NOT_APPROVED]


def test_a_method_has_no_part_in_it(forge: Forge) -> None:
    old = rebased(forge)
    pull(forge, "7").method = Method.REBASE
    assert decided(forge, old, APPLYING)[0] == "merged"


# --- merges of the base that change generated files ----------------------------------------------

GENERATOR = "cat tools/input > gen/out\n"
GENERATING = Configuration(
    queue=QueueTable(rest=Unit("rest")),
    unit={
        Unit("gen"): UnitTable(
            paths=("gen/**", "tools/**"), outputs=("gen/**",), generator=("tools/**",)
        )
    },
)
WORDS = ("sh", "tools/gen.sh")


@contextmanager
def regenerating(forge: Forge) -> Iterator[Queue]:
    """Open a queue whose base has a regeneration, run in boxes of its own."""
    with open_queue(forge) as queue:
        shop = queue.workshop
        queue.facts = UnitFacts(GENERATING, WORDS)
        queue.merging = TwoRuleMerging(queue.trees, shop.reads, queue.facts)
        around = Surroundings({"PATH": os.environ["PATH"]}, lambda _: None, UNCONFINED)
        hook = CommandRegenerations(WORDS, around, queue.clock)
        tools = RegenerationTools(queue.facts, shop.boxes(), shop.box_files, hook)
        queue.builder = CandidateBuilder(shop.reads, queue.merging, shop.builds, tools)
        yield queue


def regenerated_in_a_merge(
    forge: Forge, *, also: Mapping[str | bytes, Content], **merged: Content
) -> CommitId:
    """Open change 7, whose merge of the base had `gen/out` regenerated; return what was reviewed.

    `also` is what its own commit holds besides, and `merged` what its merge does, by folder.
    """
    start = forge.playground.tip("main")
    files: dict[str | bytes, Content] = {"tools/gen.sh": GENERATOR, "tools/input": "1\n"}
    base = forge.playground.commit({**files, "gen/out": "1\n"}, parents=start)
    forge.playground.branch("main", base)
    own: dict[str | bytes, Content] = {"a/new.txt": "new\n", "gen/out": "stale\n", **also}
    reviewed = forge.playground.commit(own, parents=base)
    tip = forge.push_to_base({"tools/input": "2\n", "gen/out": "2\n"})
    put: dict[str | bytes, Content] = {f"{folder}/out": held for folder, held in merged.items()}
    whole: dict[str | bytes, Content] = {"tools/input": "2\n", **put}
    forge.open("7", forge.playground.commit(whole, parents=[reviewed, tip]))
    return reviewed


OWED = [
    # what the change holds besides, what its merge does, how it ends, and words of why
    ({}, {"gen": "2\n"}, "merged", ""),
    ({}, {"gen": "evil\n"}, "WAIT_NOT_APPROVED", "makes something else of them"),
    ({}, {"gen": (0o100755, "2\n")}, "WAIT_NOT_APPROVED", "makes something else of them"),
    ({}, {"gen": "2\n", "a": "evil\n"}, "WAIT_NOT_APPROVED", "nobody approved it there"),
    (
        {"tools/gen.sh": "echo evil > gen/out\n"},
        {"gen": "evil\n"},
        "WAIT_NOT_APPROVED",
        "touches what generates them: tools/gen.sh",
    ),
    (
        {"mergequeue.toml": "# mine\n"},
        {"gen": "2\n"},
        "WAIT_NOT_APPROVED",
        "touches what generates them: mergequeue.toml",
    ),
]


@pytest.mark.parametrize(("also", "merged", "code", "why"), OWED)
def test_a_merge_of_the_base_that_changes_generated_files_holds_what_the_base_generates(
    forge: Forge,
    also: Mapping[str | bytes, Content],
    merged: Mapping[str, Content],
    code: str,
    why: str,
) -> None:
    reviewed = regenerated_in_a_merge(forge, also=also, **merged)
    with regenerating(forge) as queue:
        queue.plan()
        queue.judge()
        pull(forge, "7").approved_at = {reviewed}
        queue.apply()
    assert queue.code("7") == code
    assert why in queue.ended["7"].reason
    if code != "merged":
        assert forge.head("7")[:12] in queue.ended["7"].reason or "nobody" in why
        assert forge.list_green_now() == []
    else:
        assert text(forge, "gen/out") == "2\n"


def test_planning_takes_such_a_merge_for_covered_and_leaves_the_proof_to_apply(
    forge: Forge,
) -> None:
    reviewed = regenerated_in_a_merge(forge, also={}, gen="evil\n")
    pull(forge, "7").approved_at = {reviewed}
    with regenerating(forge) as queue:
        plan = queue.plan()
    assert [change.id for change in plan.admitted] == ["7"]
