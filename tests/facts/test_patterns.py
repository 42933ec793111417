"""A unit's patterns mean what the same lines of a .gitignore mean, for paths of any bytes."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from mergequeue.facts.owners import Owners
from mergequeue.facts.patterns import PatternError, Patterns
from mergequeue.vocabulary.ids import RepoPath, Unit


def owned(patterns: Sequence[str], *paths: bytes) -> list[bytes]:
    unit = Patterns(patterns)
    return [path for path in paths if unit.own(RepoPath(path))]


MEANINGS = [
    ("libs/parser/**", [b"libs/parser/a", b"libs/parser/a/b"], [b"libs/parsers/a", b"x/parser/a"]),
    ("libs/parser", [b"libs/parser", b"libs/parser/a"], [b"libs/parser.c", b"x/libs/parser"]),
    ("libs/parser/", [b"libs/parser/a"], [b"libs/parser", b"x/libs/parser/a"]),
    ("/parser", [b"parser", b"parser/a"], [b"libs/parser"]),
    ("parser", [b"parser", b"libs/parser", b"libs/parser/a"], [b"parsers"]),
    ("parser/", [b"parser/a", b"libs/parser/a"], [b"parser"]),
    ("*.md", [b"a.md", b"docs/a.md", b"\xff.md", b"a\n.md", b"a\nb/a.md"], [b"a.md\n", b"a.md.c"]),
    ("libs/*/x.c", [b"libs/a/x.c", b"libs/a\n/x.c"], [b"libs/x.c", b"libs/a/b/x.c"]),
    ("libs/**/x.c", [b"libs/x.c", b"libs/a/b/x.c"], [b"libs/x.h", b"x/libs/x.c"]),
    ("**", [b"a", b"a/b", b"\n", b"\xff"], []),
    ("[ab].py", [b"a.py", b"x/b.py"], [b"c.py"]),
    ("[!a].py", [b"b.py"], [b"a.py"]),
    ("\\#a", [b"#a"], [b"a"]),
    ("\\!a", [b"!a"], [b"a"]),
    ("\u00fc.py", ["\u00fc.py".encode()], ["u\u0308.py".encode(), b"\xfc.py"]),
    ("a b  ", [b"a b"], [b"a", b"a b  "]),
    ("a\nb/*", [b"a\nb/c"], [b"a", b"b/c"]),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "inside", "outside"), MEANINGS)
def test_a_pattern_is_read_as_in_gitignore(
    pattern: str, inside: list[bytes], outside: list[bytes]
) -> None:
    assert owned([pattern], *inside, *outside) == inside


def test_a_pattern_takes_out_again_what_one_before_it_let_in() -> None:
    assert owned(["*.py", "!b.py"], b"a.py", b"b.py") == [b"a.py"]
    assert owned(["!b.py", "*.py"], b"a.py", b"b.py") == [b"a.py", b"b.py"]
    assert owned(["libs/**", "!libs/vendor/**"], b"libs/a", b"libs/vendor/a") == [b"libs/a"]
    vendored = ["libs/", "!libs/vendor/", "libs/vendor/ours.c"]
    assert owned(vendored, b"libs/vendor/a.c", b"libs/vendor/ours.c") == [b"libs/vendor/ours.c"]
    assert owned(["!a"], b"a", b"b") == []


def test_taking_out_a_folder_leaves_in_what_a_pattern_of_files_let_in() -> None:
    assert owned(["*.py", "!build/"], b"build/a.py") == [b"build/a.py"]
    assert owned(["*.py", "!build/**"], b"build/a.py") == []


def is_pattern(text: str) -> bool:
    try:
        Patterns([text])
    except PatternError:
        return False
    return True


names = st.text("ab! \u00fc\udcff", min_size=1, max_size=3)
parts = names | st.text("ab*?[]!\\", min_size=1, max_size=3) | st.just("**")
borders = st.sampled_from(["", "/", "!"])
patterns = st.tuples(borders, st.lists(parts, min_size=1).map("/".join), borders).map("".join)
paths = st.lists(names, min_size=1, max_size=4).map("/".join)


@given(st.lists(patterns.filter(is_pattern), min_size=1, max_size=3), paths)
def test_a_path_that_is_told_from_a_units_by_its_start_is_none_of_the_units(
    some: list[str], path: str
) -> None:
    whole = GitIgnoreSpec.from_lines(some).match_file(path)
    assert Patterns(some).own(RepoPath(path.encode(errors="surrogateescape"))) == whole


@pytest.mark.parametrize(
    "text", ["# comment", "   ", "/", "[a", "a[/]b", "a\\", "[b-a]", "[[:alpha:]]x", "!"]
)
def test_a_pattern_that_matches_nothing_or_is_none_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        Patterns([text])


SEGMENTS = ["*", "a", "b", "*b", "a*", "**", "ab", "?b", "[ab]", "\\a", "*.b", "a.b"]
patterns = st.builds(
    lambda lead, names, trail: lead + "/".join(names) + trail,
    st.sampled_from(["", "/", "!"]),
    st.lists(st.sampled_from(SEGMENTS), min_size=1, max_size=3),
    st.sampled_from(["", "/", " "]),
)
names = st.sampled_from(["a", "b", "ab", "a.b", "x", ".b", "\\a"])
paths = st.lists(names, min_size=1, max_size=4).map("/".join)


def are_usable(texts: list[str]) -> bool:
    try:
        Patterns(texts)
    except PatternError:
        return False
    return True


units = st.lists(patterns, min_size=1, max_size=3).filter(are_usable)


@settings(max_examples=300)
@given(st.lists(units, min_size=1, max_size=4), st.lists(paths, max_size=8))
def test_the_owners_of_a_path_are_all_whose_patterns_match_it(
    texts: list[list[str]], asked: list[str]
) -> None:
    owners = Owners({Unit(str(number)): each for number, each in enumerate(texts)})
    for path in (RepoPath(text.encode()) for text in asked):
        owning = {str(number) for number, each in enumerate(texts) if Patterns(each).own(path)}
        assert owners.of(path) == owning
