"""A unit's patterns match what .gitignore's do, which git itself is asked about."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mergequeue.facts.patterns import PatternError, Patterns, compile_pattern
from mergequeue.vocabulary.ids import RepoPath
from tests.support.repositories import git_environment


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(
        ["git", "init", "-q", "."], cwd=tmp_path, env=git_environment(tmp_path), check=True
    )
    return tmp_path


def owned(patterns: Sequence[str], paths: Sequence[bytes]) -> set[bytes]:
    unit = Patterns(patterns)
    return {path for path in paths if unit.own(RepoPath(path))}


def ignored(repository: Path, patterns: Sequence[str], paths: Sequence[bytes]) -> set[bytes]:
    """Return the paths that git ignores, each a file, by a .gitignore of these patterns."""
    (repository / ".git" / "info" / "exclude").write_text("\n".join([*patterns, ""]))
    told = subprocess.run(
        ["git", "check-ignore", "-z", "--stdin", "--no-index"],
        cwd=repository,
        env=git_environment(repository),
        input=b"\0".join(paths) + b"\0",
        capture_output=True,
        check=False,
    )
    assert told.returncode in {0, 1}, told.stderr
    return set(told.stdout.split(b"\0")) - {b""}


PATHS = [
    b"a",
    b"a.py",
    b"b.py",
    b"libs/parser",
    b"libs/parser/x.c",
    b"libs/parser/deep/er/x.c",
    b"libs/parsers/x.c",
    b"other/libs/parser/x.c",
    b"libs/a/c",
    b"libs/abc",
    b"x y/z",
    b"*.py",
    b"#a",
    b"!a",
    b"[a]",
    b"back\\slash",
    b"a.py\n",
    b"a\n.py",
    b"libs/parser/new\nline",
    b"line\r",
    b"tab\t.py",
    "\u00fc.py".encode(),
    "u\u0308.py".encode(),
    "voil\u00e0".encode(),
    b"\xff.py",
    b"libs/\xff/x",
    b"d\xe9/x",
    b" a",
    b"--gate=x",
]

PATTERNS = [
    ["*.py"],
    ["a"],
    ["/a"],
    ["libs/parser/**"],
    ["libs/parser"],
    ["libs/parser/"],
    ["/libs/parser/"],
    ["parser"],
    ["parser/"],
    ["parser/**"],
    ["libs/*"],
    ["libs/**"],
    ["libs/**/x.c"],
    ["**/x.c"],
    ["**/parser/*"],
    ["**/libs/parser/**"],
    ["*"],
    ["**"],
    ["**/"],
    ["*/"],
    ["/*"],
    ["/**"],
    ["?.py"],
    ["??.py"],
    ["[ab].py"],
    ["[!a].py"],
    ["[^a].py"],
    ["[a-c].py"],
    ["libs/a[!b]c"],
    ["libs/a[+-9]c"],
    ["libs[!x]abc"],
    ["x y/"],
    ["x\\ y/z"],
    ["\\#a"],
    ["\\!a"],
    ["\\*.py"],
    ["back\\\\slash"],
    ["[[]a]"],
    ["[]a[]*"],
    ["voil\u00e0"],
    ["\u00fc.py"],
    [" a"],
    ["a  "],
    ["--gate=x"],
    ["*.py", "!b.py"],
    ["libs/parser/*.c", "*.py", "!*.c"],
    ["!a", "a"],
]


@pytest.mark.parametrize("patterns", PATTERNS, ids=" ".join)
def test_a_unit_owns_what_git_would_ignore(repository: Path, patterns: list[str]) -> None:
    assert owned(patterns, PATHS) == ignored(repository, patterns, PATHS)


names = st.text("ab-]!.\u00fc", min_size=1, max_size=3).filter(lambda name: name.strip(".") != "")
paths = st.lists(names, min_size=1, max_size=4).map(lambda parts: "/".join(parts).encode())
pieces = st.sampled_from(
    [*"ab*?/.-]!^", "**", "/**", "**/", "[ab]", "[!a]", "[]-a]", "[", "\\", "\u00fc"]
)
pattern = (
    st.lists(pieces, min_size=1, max_size=7)
    .map("".join)
    .filter(lambda text: not text.startswith("!") and is_pattern(text))
)


def is_pattern(text: str) -> bool:
    try:
        compile_pattern(text)
    except PatternError:
        return False
    return True


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(pattern, min_size=1, max_size=3), st.lists(paths, min_size=1, max_size=30, unique=True)
)
def test_for_any_patterns_a_unit_owns_what_git_would_ignore(
    repository: Path, patterns: list[str], some: list[bytes]
) -> None:
    # A file cannot lie beneath another, which git would not be asked about either.
    files = [path for path in some if not any(other.startswith(path + b"/") for other in some)]
    assert owned(patterns, files) == ignored(repository, patterns, files)


@given(st.lists(pattern, min_size=1, max_size=3), paths)
def test_what_a_unit_owns_lies_beneath_one_of_its_places(patterns: list[str], path: bytes) -> None:
    if owned(patterns, [path]):
        places = Patterns(patterns).beneath
        assert any(place in {b"", path} or path.startswith(place + b"/") for place in places)


def test_what_was_taken_out_of_a_folder_stays_out() -> None:
    found = owned(["libs/", "!libs/vendor/", "libs/vendor/ours.c"], [
        b"libs/a.c",
        b"libs/vendor/b.c",
        b"libs/vendor/ours.c",
    ])  # fmt: skip
    assert found == {b"libs/a.c", b"libs/vendor/ours.c"}


@pytest.mark.parametrize(
    "text", ["# comment", "   ", "/", "[a", "a[/]b", "[^\\", "a\\", "[[:alpha:]]x"]
)
def test_a_pattern_that_matches_nothing_or_is_none_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(text)
