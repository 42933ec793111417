"""Which units a change reaches (DESIGN, Facts)."""

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from mergequeue.documents.config import Configuration, QueueTable, UnitTable
from mergequeue.facts.units import UnitFacts
from mergequeue.ports import Affected
from mergequeue.vocabulary.ids import ALL_UNITS, RepoPath, Unit


def facts(
    units: Mapping[str, tuple[Sequence[str], Sequence[str]]] | None = None, rest: str | None = None
) -> UnitFacts:
    tables = {
        Unit(name): UnitTable(paths=tuple(paths), depends=tuple(map(Unit, depends)))
        for name, (paths, depends) in (units or {}).items()
    }
    queue = QueueTable(rest=None if rest is None else Unit(rest))
    return UnitFacts(Configuration(queue=queue, unit=tables))


def affected(known: UnitFacts, *paths: bytes) -> Affected:
    return known.affected([RepoPath(path) for path in paths])


def proven(*units: str) -> Affected:
    return Affected(tuple(map(Unit, units)))


LIBRARY = {
    "lexer": (["libs/lexer/**"], []),
    "parser": (["libs/parser/**"], ["lexer"]),
    "web": (["apps/web/**", "*.css"], ["parser"]),
    "docs": (["docs/**", "*.md"], []),
}


def test_a_path_reaches_its_owner_and_whatever_depends_on_that() -> None:
    known = facts(LIBRARY)
    assert affected(known, b"apps/web/a.ts") == proven("web")
    assert affected(known, b"libs/parser/a.c") == proven("parser", "web")
    assert affected(known, b"libs/lexer/a.c") == proven("lexer", "parser", "web")
    assert affected(known, b"docs/a.txt", b"libs/parser/README.md") == proven(
        "docs", "parser", "web"
    )


def test_a_path_of_two_units_reaches_both() -> None:
    assert affected(facts(LIBRARY), b"docs/site.css") == proven("docs", "web")


def test_no_path_reaches_nothing_which_is_a_proof() -> None:
    assert affected(facts(LIBRARY)) == proven()


def test_a_path_that_no_unit_owns_is_the_reason_why_the_set_is_no_proof() -> None:
    found = affected(facts(LIBRARY), b"libs/parser/a.c", b"z", b"Makefile")
    assert found == Affected((Unit("parser"), Unit("web")), "no unit owns Makefile")


def test_a_path_that_is_no_text_is_named_with_its_escapes() -> None:
    found = affected(facts(LIBRARY), b"a\n\xff")
    assert found.unbounded_by == r'no unit owns "a\x0a\xff"'


def test_rest_owns_what_no_other_unit_does_and_nothing_else() -> None:
    known = facts(LIBRARY, rest="everything-else")
    assert affected(known, b"Makefile") == proven("everything-else")
    assert affected(known, b"docs/a") == proven("docs")
    assert known.all_units() == ("docs", "everything-else", "lexer", "parser", "web")


def test_rest_can_be_a_unit_with_paths_and_dependents_of_its_own() -> None:
    known = facts({"root": (["*.lock"], []), "app": (["app/**"], ["root"])}, rest="root")
    assert affected(known, b"app/a") == proven("app")
    assert affected(known, b"app/a.lock") == proven("app", "root")
    assert affected(known, b"Makefile") == proven("app", "root")
    known = facts({"app": (["app/**"], ["other"])}, rest="other")
    assert affected(known, b"Makefile") == proven("app", "other")


def test_units_that_depend_on_each_other_are_reached_together() -> None:
    known = facts(
        {"a": (["a"], ["c"]), "b": (["b"], ["a"]), "c": (["c"], ["b"]), "d": (["d"], ["d"])}
    )
    for path in (b"a", b"b", b"c"):
        assert affected(known, path) == proven("a", "b", "c")
    assert affected(known, b"d") == proven("d")


def test_without_units_there_is_one_everything() -> None:
    assert affected(facts(), b"any/path", b"a\nb", b"\xff") == proven(ALL_UNITS)
    assert affected(facts()) == proven()
    assert facts().all_units() == (ALL_UNITS,)


def test_every_unit_is_named_where_a_reach_is_not_proven() -> None:
    assert facts(LIBRARY).all_units() == ("docs", "lexer", "parser", "web")


def test_many_sets_are_answered_in_their_order() -> None:
    known = facts(LIBRARY)
    sets = [[RepoPath(b"docs/a")], [], [RepoPath(b"x")]]
    assert known.affected_many(sets) == tuple(known.affected(paths) for paths in sets)


numbers = st.integers(0, 7)


@given(st.lists(st.tuples(numbers, numbers)), st.lists(numbers))
def test_the_reach_is_the_smallest_set_that_holds_the_owners_and_its_own_dependents(
    edges: list[tuple[int, int]], changed: list[int]
) -> None:
    depends: dict[int, list[str]] = {}
    for unit, beneath in edges:
        depends.setdefault(unit, []).append(f"u{beneath}")
    known = facts({f"u{n}": ([f"{n}/**"], depends.get(n, [])) for n in range(8)})
    expected = {f"u{n}" for n in changed}
    while fresh := {f"u{a}" for a, b in edges if f"u{b}" in expected} - expected:
        expected |= fresh
    found = affected(known, *(f"{n}/x".encode() for n in changed))
    assert found == proven(*sorted(expected))


# --- which files a gate needs ---------------------------------------------------------------------

PATHS = [
    b"Makefile",
    b"apps/web/a.ts",
    b"docs/a.txt",
    b"docs/site.css",
    b"libs/lexer/a.c",
    b"libs/parser/a.c",
]


def needed(known: UnitFacts, *units: str) -> list[bytes] | None:
    keep = known.needed([Unit(unit) for unit in units])
    return None if keep is None else [path for path in PATHS if keep(RepoPath(path))]


def test_a_gate_needs_its_unit_what_that_is_built_from_and_what_no_unit_owns() -> None:
    known = facts(LIBRARY)
    assert needed(known, "lexer") == [b"Makefile", b"libs/lexer/a.c"]
    assert needed(known, "parser") == [b"Makefile", b"libs/lexer/a.c", b"libs/parser/a.c"]
    assert needed(known, "docs") == [b"Makefile", b"docs/a.txt", b"docs/site.css"]


def test_a_file_of_two_units_is_needed_by_either() -> None:
    assert b"docs/site.css" in (needed(facts(LIBRARY), "web") or [])


def test_a_gate_needs_what_rest_owns_by_pattern_or_as_what_is_left() -> None:
    known = facts({**LIBRARY, "rest": (["docs/a.txt"], [])}, rest="rest")
    assert needed(known, "lexer") == [b"Makefile", b"docs/a.txt", b"libs/lexer/a.c"]


def test_a_gate_of_every_unit_needs_every_file() -> None:
    known = facts(LIBRARY)
    assert needed(known, *known.all_units()) is None
    assert needed(known, "docs", "web") is None
    without = facts()
    assert needed(without, *without.all_units()) is None


def test_what_a_unit_that_the_base_does_not_know_needs_is_everything() -> None:
    assert needed(facts(LIBRARY), "lexer", "another") is None


def test_units_that_depend_on_each_other_need_each_other() -> None:
    known = facts({"a": (["libs/lexer/**"], ["b"]), "b": (["docs/**"], ["a"]), "c": (["c"], [])})
    for unit in "ab":
        assert b"apps/web/a.ts" in (needed(known, unit) or [])
        assert b"docs/a.txt" in (needed(known, unit) or [])
        assert b"libs/lexer/a.c" in (needed(known, unit) or [])


@given(st.sets(st.sampled_from(PATHS)))
def test_a_gate_of_what_a_change_affects_needs_the_files_that_it_changes(
    paths: set[bytes],
) -> None:
    known = facts(LIBRARY, rest="rest")
    reached = known.affected([RepoPath(path) for path in paths])
    held = needed(known, *reached.units)
    assert held is None or paths <= set(held)
