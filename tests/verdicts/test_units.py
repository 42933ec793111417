"""Which units a batch's gate is given."""

from mergequeue.ports import Affected, Difference
from mergequeue.verdicts.units import Reached, gate_units, known_own_paths, paths_beyond
from mergequeue.vocabulary.ids import RepoPath, Unit
from tests.support.listings import queued


def units(*names: str) -> tuple[Unit, ...]:
    return tuple(Unit(name) for name in names)


def differences(*paths: bytes) -> tuple[Difference, ...]:
    return tuple(Difference(RepoPath(path), 0o100644, 0o100644, "1" * 40) for path in paths)


def reached(
    id_: str, affected: tuple[Unit, ...] | None, *more: str, why: str = "", beyond_why: str = ""
) -> Reached:
    change = queued(id_, id_, affected=affected, unbounded_by=why)
    return Reached(change, Affected(units(*more), beyond_why))


def test_a_batch_is_given_the_union_of_what_its_members_reach() -> None:
    found = gate_units([reached("1", units("b")), reached("2", units("c", "a"))])
    assert (found.units, found.beyond) == (("a", "b", "c"), {})


def test_members_that_reach_nothing_leave_nothing_to_gate() -> None:
    assert gate_units([reached("1", ()), reached("2", ())]).units == ()


def test_one_member_without_proof_takes_every_unit() -> None:
    assert gate_units([reached("1", units("a")), reached("2", None)]).units is None
    assert gate_units([reached("1", units("a"), why="no unit owns x")]).units is None


def test_what_a_merge_reaches_beyond_the_plan_is_gated_and_kept_apart() -> None:
    found = gate_units([reached("1", units("a"), "a", "b"), reached("2", ())])
    assert (found.units, found.beyond) == (("a", "b"), {"1": Affected(units("b"))})


def test_a_merge_whose_reach_is_no_proof_takes_every_unit_and_says_why() -> None:
    found = gate_units([reached("1", units("a"), beyond_why="no unit owns x")])
    assert (found.units, found.beyond) == (None, {"1": Affected((), "no unit owns x")})


def test_a_merge_that_changes_the_change_s_own_paths_alone_is_covered_by_the_plan() -> None:
    own = known_own_paths(differences(b"a", b"b"), None)
    assert paths_beyond(differences(b"a"), own) == ()
    assert paths_beyond(differences(b"a", b"c"), own) == (b"c",)


def test_in_a_stack_neither_what_is_beneath_nor_what_the_base_brought_is_its_own() -> None:
    since_fork, since_stack_base = differences(b"mine", b"beneath"), differences(b"mine", b"base")
    assert known_own_paths(since_fork, since_stack_base) == {b"mine"}


def test_with_several_merge_bases_no_path_is_known_to_be_its_own() -> None:
    assert known_own_paths(None, differences(b"a")) == frozenset()
