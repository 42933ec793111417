"""What is generated, and with which code, as mergequeue.toml or a --facts command says it."""

from collections.abc import Collection

import pytest

from mergequeue.documents.config import Configuration, UnitTable
from mergequeue.facts.command import CommandFacts
from mergequeue.facts.generators import code_of_words
from mergequeue.facts.units import UnitFacts
from mergequeue.ports import Generation, Outputs
from mergequeue.vocabulary.errors import FACTS_FAILED, QueueError
from mergequeue.vocabulary.ids import RepoPath, Unit
from tests.support.facts import Tool, says


def paths(*names: bytes) -> frozenset[RepoPath]:
    return frozenset(map(RepoPath, names))


PARSER = UnitTable(
    paths=("libs/parser/**",),
    outputs=("libs/parser/gen/**",),
    updates=("libs/parser/table.c",),
    generator=("tools/gen/**", "*.grammar"),
)
WEB = UnitTable(paths=("web/**",), outputs=("web/api.ts",), generator=("tools/web/**",))
BARE = UnitTable(paths=("bare/**",), outputs=("bare/gen/**",))


def units(words: str = "make generate", **tables: UnitTable) -> UnitFacts:
    tables = tables or {"parser": PARSER, "web": WEB, "bare": BARE}
    named = {Unit(name): table for name, table in tables.items()}
    return UnitFacts(Configuration(unit=named), words.split())


def test_a_file_is_generated_when_a_unit_declares_it_as_an_output() -> None:
    asked = paths(b"libs/parser/gen/a.c", b"libs/parser/table.c", b"libs/parser/a.c", b"web/api.ts")
    assert units().outputs(asked) == Outputs(
        paths(b"libs/parser/gen/a.c", b"web/api.ts"), paths(b"libs/parser/table.c")
    )


def test_what_one_unit_writes_whole_is_generated_though_another_rewrites_it_in_place() -> None:
    known = units(
        a=UnitTable(paths=("a",), updates=("gen/**",)),
        b=UnitTable(paths=("b",), outputs=("gen/x",)),
    )
    asked = paths(b"gen/x", b"gen/y")
    assert known.outputs(asked) == Outputs(paths(b"gen/x"), paths(b"gen/y"))


def test_regeneration_is_proven_when_nothing_that_it_runs_or_reads_changed() -> None:
    found = units().generation(paths(b"libs/parser/gen/a.c"), paths(b"libs/parser/a.c"))
    assert found == Generation((Unit("parser"),))
    assert found.proven


@pytest.mark.parametrize("changed", [b"tools/gen/x.py", b"libs/parser/c.grammar", b"tools/web/x"])
def test_a_changed_generator_of_any_unit_is_code(changed: bytes) -> None:
    found = units().generation(paths(b"libs/parser/gen/a.c"), paths(b"web/a.ts", changed))
    assert (found.units, found.code, found.proven) == (("parser",), (changed,), False)


def test_mergequeue_toml_is_always_code() -> None:
    for known in (units(), CommandFacts(says({"units": ["parser"]}))):
        changed = paths(b"mergequeue.toml", b"libs/mergequeue.toml")
        found = known.generation(paths(b"libs/parser/gen/a.c"), changed)
        assert (found.code, found.proven) == ((b"mergequeue.toml",), False)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("bin/gen", {b"bin/gen"}),
        ("./bin/gen", {b"bin/gen"}),
        ("python bin/gen", {b"bin/gen"}),
        ("python bin/../bin//gen", {b"bin/gen"}),
        ("go run ./bin", {b"bin/gen", b"bin/lib/x", b"bin/mod.py"}),
        ("tool --config=etc/gen.yml", {b"etc/gen.yml"}),
        ("tool -C . bin/lib", {b"bin/lib/x"}),
        ("bin ..", set()),
        ("/bin/gen ../bin/gen", set()),
        ("make", set()),
        ("python -m bin.lib", {b"bin/lib/x"}),
        ("python -m bin.mod", {b"bin/mod.py"}),
        ("python -m mod", {b"mod.py"}),
    ],
)
def test_a_program_of_the_checkout_that_the_words_name_is_always_code(
    words: str, code: set[bytes]
) -> None:
    changed = paths(b"bin/gen", b"bin/lib/x", b"bin/mod.py", b"etc/gen.yml", b"binary", b"mod.py")
    asked = paths(b"libs/parser/gen/a.c")
    assert set(units(words).generation(asked, changed).code) == code
    command = CommandFacts(says({"units": ["parser"]}), words.split())
    assert set(command.generation(asked, changed).code) == code


@pytest.mark.parametrize(
    "words",
    [
        ("sh", "-c", "cd bin && python gen"),
        ("sh", "-c", "exec 'bin/gen' >log"),
        ("make", "-Cbin"),
        ("env", "-S", "python bin/gen"),
        ("bash", "-c", "x=1;bin/gen"),
    ],
)
def test_so_is_one_that_a_part_of_a_word_names(words: tuple[str, ...]) -> None:
    assert RepoPath(b"bin/gen") in code_of_words(words, paths(b"bin/gen", b"other"))
    assert RepoPath(b"other") not in code_of_words(words, paths(b"bin/gen", b"other"))


def test_so_is_the_package_that_a_module_is_imported_from() -> None:
    changed = paths(b"a/__init__.py", b"a/b/__init__.py", b"a/b/c.py", b"a/d.py")
    assert code_of_words(["python", "-m", "a.b.c"], changed) == changed - {RepoPath(b"a/d.py")}


@pytest.mark.parametrize(
    "changed",
    [
        *(b"Makefile", b"libs/rules.mk", b"web/package.json", b"go.mod", b"x/CMakeLists.txt"),
        *(b".nvmrc", b"MakeFile", b".cargo/config.toml", b"web/.yarn/releases/yarn.cjs"),
        *(b".bazeliskrc", b"gradle/wrapper/gradle-wrapper.properties", b"NuGet.Config"),
    ],
)
def test_what_build_tools_read_unasked_is_code_unless_one_says_better(changed: bytes) -> None:
    found = units().generation(paths(b"libs/parser/gen/a.c"), paths(changed))
    assert (found.code, found.proven) == ((changed,), False)
    tool = CommandFacts(says({"units": ["parser"]}), ["make", "generate"])
    assert tool.generation(paths(b"libs/parser/gen/a.c"), paths(changed)).proven


@pytest.mark.parametrize("changed", [b"Makefile.md", b"src/make.py", b"docs/package.json.txt"])
def test_what_is_only_named_alike_is_none(changed: bytes) -> None:
    assert units().generation(paths(b"libs/parser/gen/a.c"), paths(changed)).proven


def test_a_unit_with_outputs_and_no_generator_is_never_proven() -> None:
    found = units().generation(paths(b"bare/gen/a", b"web/api.ts"), paths())
    assert found == Generation((Unit("bare"), Unit("web")), (), "the unit bare names no generator")
    assert not found.proven


def test_an_output_that_no_unit_declares_is_never_proven() -> None:
    found = units().generation(paths(b"web/api.ts", b"web/b.ts"), paths())
    assert found.unbounded_by == "no unit generates web/b.ts"
    assert not units().generation(paths(), paths()).proven


def outputs_of(tool: Tool, asked: Collection[RepoPath]) -> Outputs:
    return CommandFacts(tool).outputs(asked)


def test_a_command_is_given_the_paths_and_says_how_they_are_generated() -> None:
    tool = says({"outputs": ["b", "x"], "updated": ["a", "b"], "maintained": ["c", "a"]})
    asked = paths(b"c", b"a", b"b", b"d")
    assert outputs_of(tool, asked) == Outputs(paths(b"b"), paths(b"a"), paths(b"c"))
    assert tool.asked == [("outputs", b"a\nb\nc\nd\n")]


def test_a_missing_key_names_none() -> None:
    assert outputs_of(says({}), paths(b"a")) == Outputs()
    assert outputs_of(says({"outputs": ["a"]}), paths(b"a")) == Outputs(paths(b"a"))


def test_a_path_with_a_line_break_is_never_written_and_is_source() -> None:
    tool = says({"outputs": ["a", "a\nb"]})
    assert outputs_of(tool, paths(b"a\nb", b"a", b"\r")) == Outputs(paths(b"a"))
    assert tool.asked == [("outputs", b"a\n")]
    assert outputs_of(tool, paths(b"a\nb")) == Outputs()


def test_each_set_of_paths_is_asked_about_once() -> None:
    tool = says({"outputs": ["a"]})
    known = CommandFacts(tool)
    assert known.outputs(paths(b"a", b"b")) == known.outputs([*paths(b"b", b"a")])
    assert known.outputs(()) == Outputs()
    assert len(tool.asked) == 1


def test_a_command_is_given_the_outputs_an_empty_line_and_what_changed() -> None:
    tool = says({"units": ["web", "parser", "web"], "code": ["tools/x"]})
    found = CommandFacts(tool).generation(paths(b"gen/b", b"gen/a"), paths(b"tools/x", b"c"))
    assert tool.asked == [("generation", b"gen/a\ngen/b\n\nc\ntools/x\n")]
    assert found == Generation((Unit("parser"), Unit("web")), (RepoPath(b"tools/x"),))


@pytest.mark.parametrize(
    "answer", [{}, {"units": []}, {"units": ["web"], "unbounded": "a lock file"}], ids=str
)
def test_what_the_command_does_not_bound_is_not_proven(answer: object) -> None:
    found = CommandFacts(says(answer)).generation(paths(b"a"), paths(b"b"))
    assert found.unbounded_by
    assert not found.proven


@pytest.mark.parametrize(("output", "changed"), [(b"a\nb", b"c"), (b"a", b"c\rd")])
def test_a_path_with_a_line_break_makes_the_generation_unbounded(
    output: bytes, changed: bytes
) -> None:
    tool = says({"units": ["web"]})
    found = CommandFacts(tool).generation(paths(output), paths(changed))
    assert "line break" in found.unbounded_by
    assert tool.asked == []


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"[]",
        {"outputs": "a"},
        {"outputs": [1]},
        {"outputs": None},
        {"output": ["a"]},
        b'{"outputs": ["\\ud800"]}',
    ],
    ids=str,
)
def test_another_answer_is_an_error_and_never_an_empty_set(answer: object) -> None:
    with pytest.raises(QueueError) as failed:
        outputs_of(says(answer), paths(b"a"))
    assert failed.value.code == FACTS_FAILED.code


@pytest.mark.parametrize(
    "answer", [b"", {"units": [""]}, {"units": ["-x"]}, {"code": "a"}, {"unbounded": True}], ids=str
)
def test_another_generation_is_an_error_and_never_a_proof(answer: object) -> None:
    with pytest.raises(QueueError) as failed:
        CommandFacts(says(answer)).generation(paths(b"a"), paths(b"b"))
    assert failed.value.code == FACTS_FAILED.code
