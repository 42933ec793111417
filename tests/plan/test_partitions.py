"""Facts 3.2, Partition; CASES A; DESIGN, Rulings 16."""

from hypothesis import given, settings
from hypothesis import strategies as st

from mergequeue.plan.partitions import Member, beneath_of, partitions_of
from mergequeue.plan.reach import Reach
from mergequeue.vocabulary.ids import ChangeId, RepoPath, Unit


def member(
    id_: str, *units: str, below: str | None = None, paths: tuple[str | bytes, ...] = ()
) -> Member:
    """Return an admitted change that affects these units."""
    return Member(
        ChangeId(id_),
        Reach(tuple(Unit(unit) for unit in units)),
        tuple(RepoPath(path.encode() if isinstance(path, str) else path) for path in paths),
        None if below is None else ChangeId(below),
    )


def unproven(id_: str) -> Member:
    """Return an admitted change whose reach is not known."""
    return Member(ChangeId(id_), Reach(None))


def test_changes_join_through_a_unit_that_a_later_one_shares_with_both() -> None:
    found = partitions_of(
        [member("1", "a"), member("2", "b"), member("3", "c"), member("4", "b", "a")]
    )

    assert found == [("1", "2", "4"), ("3",)]


def test_a_stacked_change_joins_the_one_beneath_whatever_its_units() -> None:
    found = partitions_of([member("1", "a"), member("2", "b"), member("3", "c", below="1")])

    assert found == [("1", "3"), ("2",)]


def test_one_change_without_a_proof_puts_all_in_one_line() -> None:
    assert partitions_of([member("1", "a"), unproven("2"), member("3")]) == [("1", "2", "3")]


def test_a_set_that_something_unbounds_is_no_proof() -> None:
    some = Member(ChangeId("2"), Reach((Unit("b"),), "no unit owns x"))

    assert partitions_of([member("1", "a"), some]) == [("1", "2")]


def test_a_change_that_reaches_nothing_is_a_line_of_its_own() -> None:
    assert partitions_of([member("1"), member("2", "a"), member("3")]) == [("1",), ("2",), ("3",)]


def test_without_changes_there_is_no_line() -> None:
    assert partitions_of([]) == []


def test_paths_that_are_one_file_where_case_does_not_count_join() -> None:
    assert partitions_of(
        [member("1", "a", paths=("Docs/Readme",)), member("2", "b", paths=("docs/README",))]
    ) == [("1", "2")]


def test_paths_that_differ_in_how_a_letter_is_composed_join() -> None:
    assert partitions_of(
        [member("1", "a", paths=("caf\u00e9",)), member("2", "b", paths=("cafe\u0301",))]
    ) == [("1", "2")]


def test_a_file_and_a_folder_of_one_name_join() -> None:
    assert partitions_of(
        [member("1", "a", paths=("docs",)), member("2", "b", paths=("docs/x/y",))]
    ) == [("1", "2")]


def test_folders_that_differ_by_case_alone_do_not_join() -> None:
    assert partitions_of(
        [member("1", "a", paths=("Docs/x",)), member("2", "b", paths=("docs/y",))]
    ) == [("1",), ("2",)]


def test_the_same_path_joins_by_its_units_alone() -> None:
    assert partitions_of([member("1", "a", paths=("x",)), member("2", "b", paths=("x",))]) == [
        ("1",),
        ("2",),
    ]


def test_paths_of_any_bytes_are_compared() -> None:
    assert partitions_of(
        [member("1", "a", paths=(b"\xff.A",)), member("2", "b", paths=(b"\xff.a", "\u0130"))]
    ) == [("1", "2")]


def test_each_change_is_built_on_everything_ahead_of_it_in_its_line() -> None:
    line = [ChangeId("1"), ChangeId("2"), ChangeId("3")]

    assert beneath_of(line) == [(), ("1",), ("1", "2")]


UNITS = st.lists(st.sampled_from("abcdef"), max_size=3, unique=True)


@settings(max_examples=500)
@given(st.lists(st.tuples(UNITS, st.integers(0, 12)), max_size=12))
def test_changes_are_in_one_line_exactly_when_a_chain_of_shared_units_or_stacks_links_them(
    rows: list[tuple[list[str], int]],
) -> None:
    members = [
        member(str(number), *units, below=str(below) if below < number else None)
        for number, (units, below) in enumerate(rows)
    ]
    linked = {one.id: {one.id} for one in members}
    for _ in members:
        for one in members:
            for other in members:
                touching = set(one.reach.affected or ()) & set(other.reach.affected or ())
                if touching or one.below == other.id or other.below == one.id:
                    linked[one.id] |= linked[other.id]

    found = partitions_of(members)

    assert [id_ for line in found for id_ in sorted(line, key=int)] == [
        id_ for line in found for id_ in line
    ]
    assert [line[0] for line in found] == sorted((line[0] for line in found), key=int)
    for line in found:
        for id_ in line:
            assert set(line) == linked[id_]
    assert sorted(id_ for line in found for id_ in line) == sorted(one.id for one in members)
