"""The one merge function on real repositories."""

from collections.abc import Iterator

import pytest

from mergequeue.conflicts.merging import TwoRuleMerging
from mergequeue.documents.config import Configuration, UnitTable
from mergequeue.facts.units import UnitFacts
from mergequeue.git.merges import GitMerges
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Settled, ThreeWay
from mergequeue.vocabulary.ids import CommitId, TreeId, Unit
from mergequeue.vocabulary.words import ConflictKind, Rule
from tests.support.repositories import Content, Playground

LINES = "".join(f"{number}\n" for number in range(20))
EDITED = LINES.replace("\n5\n", "\nedited\n")


@pytest.fixture
def workshop(playground: Playground) -> Iterator[Workshop]:
    playground.branch("main", playground.commit({"f": "1"}))
    with open_workshop(playground.clone(shared=True), "origin") as opened:
        yield opened


def merging(workshop: Workshop, *units: str) -> TwoRuleMerging:
    """Return the merge function; each unit owns the folder of its name."""
    table = {Unit(unit): UnitTable(paths=(f"{unit}/**",)) for unit in units}
    facts = UnitFacts(Configuration(unit=table))
    return TwoRuleMerging(GitMerges(workshop), workshop.reads, facts)


def renamed(playground: Playground, old: str, new: str) -> tuple[ThreeWay, TreeId]:
    """Return a merge of an edit into a rename, and the tree that follows the rename."""
    base = playground.commit({old: LINES, "keep": "k"})
    ours = playground.commit({old: None, new: LINES}, parents=base)
    theirs = playground.commit({old: EDITED}, parents=base)
    return ThreeWay(ours, theirs), TreeId(playground.tree({new: EDITED}, start=ours))


def test_an_edit_follows_a_rename_inside_its_own_unit(
    playground: Playground, workshop: Workshop
) -> None:
    merge, tree = renamed(playground, "a/old", "a/new")
    for made in (merging(workshop, "a", "b"), merging(workshop)):
        assert made.merge([merge]) == (Settled(tree, Rule.RENAMES),)


def test_an_edit_does_not_follow_a_rename_into_another_unit(
    playground: Playground, workshop: Workshop
) -> None:
    merge, _ = renamed(playground, "a/old", "b/new")
    (settled,) = merging(workshop, "a", "b").merge([merge])
    assert (settled.tree, settled.rule) == (None, Rule.PATHS)
    assert [(conflict.path, conflict.kind) for conflict in settled.conflicts] == [
        (b"a/old", ConflictKind.CHANGED_AND_DELETED)
    ]


def test_an_edit_does_not_follow_a_rename_to_where_no_unit_owns_it(
    playground: Playground, workshop: Workshop
) -> None:
    merge, _ = renamed(playground, "a/old", "elsewhere/new")
    assert merging(workshop, "a").merge([merge])[0].tree is None


def test_a_look_alike_in_another_module_does_not_get_the_edit(
    playground: Playground, workshop: Workshop
) -> None:
    modules = [f"m{number}" for number in (1, 2, 3)]
    edited = LINES.replace("\n1\n", "\nmoved\n")
    moved: dict[str | bytes, Content] = {}
    for module in modules:
        moved |= {f"{module}/old/pkg/T.java": None, f"{module}/new/pkg/T.java": edited}
    base = playground.commit({f"{module}/old/pkg/T.java": LINES for module in modules})
    ours = playground.commit(moved, parents=base)
    change = LINES.replace("\n18\n", "\nchanged\n")
    theirs = playground.commit({"m2/old/pkg/T.java": change}, parents=base)
    (settled,) = merging(workshop, *modules).merge([ThreeWay(ours, theirs)])
    if settled.tree is None:
        assert [conflict.path for conflict in settled.conflicts] == [b"m2/old/pkg/T.java"]
    else:
        made = {each.path for each in workshop.reads.differences(ours, settled.tree)}
        assert made == {b"m2/new/pkg/T.java"}


def test_a_new_file_stays_in_a_renamed_folder_since_renames_are_never_asked(
    playground: Playground, workshop: Workshop
) -> None:
    base = playground.commit({f"old/{number}": LINES for number in range(3)})
    moved: dict[str | bytes, Content] = {f"old/{number}": None for number in range(3)}
    moved |= {f"new/{number}": LINES for number in range(3)}
    ours = playground.commit(moved, parents=base)
    theirs = playground.commit({"old/4": "four\n"}, parents=base)
    tree = TreeId(playground.tree({"old/4": "four\n"}, start=ours))
    assert merging(workshop).merge([ThreeWay(ours, theirs)]) == (Settled(tree, Rule.PATHS),)


def test_what_the_base_moved_in_through_a_merge_is_not_the_changes_own(
    playground: Playground, workshop: Workshop
) -> None:
    # The change merged one line of the base, and the base one line of the change.
    root = playground.commit({"a/old": LINES, "b/f": LINES})
    base_side = playground.commit({"b/f": EDITED}, parents=root)
    change_side = playground.commit({"a/x": "x\n"}, parents=root)
    joined = [base_side, change_side]
    ours = playground.commit({"a/x": "x\n", "a/old": None, "b/new": LINES}, parents=joined)
    theirs = playground.commit({"b/f": EDITED, "a/old": EDITED}, parents=joined[::-1])
    merge = ThreeWay(ours, theirs)
    assert len(GitMerges(workshop).merge_by_paths([merge])[0].bases) == 2
    # It carries b/f from the base, but its own difference is a/old alone: unit b is not its own.
    assert merging(workshop, "a", "b").merge([merge])[0].tree is None
    assert merging(workshop).merge([merge])[0].rule is Rule.RENAMES


def test_each_merge_of_a_batch_is_settled_as_it_is_alone(
    playground: Playground, workshop: Workshop
) -> None:
    inside, _ = renamed(playground, "a/old", "a/new")
    outside, _ = renamed(playground, "a/one", "b/one")
    orphan = ThreeWay(inside.ours, playground.commit({"z": "z"}))
    plain = ThreeWay(inside.ours, playground.commit({"a/p": "p"}, parents=CommitId(inside.ours)))
    batch = [inside, outside, orphan, plain, inside]
    made = merging(workshop, "a", "b")
    together = made.merge(batch)
    assert together == tuple(made.merge([merge])[0] for merge in batch)
    assert [settled.rule for settled in together if settled.tree] == [
        Rule.RENAMES,
        Rule.PATHS,
        Rule.RENAMES,
    ]
    assert together[2].unrelated
