"""The class of risk of an edit (seed 1, Auto-resolving: low risk)."""

import pytest

from mergequeue.documents.config import AutoResolveTable, Configuration, UnitTable
from mergequeue.facts.units import UnitFacts
from mergequeue.ports import AutoResolve
from mergequeue.vocabulary.ids import RepoPath, Unit

UNITS = {Unit("web"): UnitTable(paths=("web/**",), outputs=("web/gen/**",), updates=("web/table",))}


def classify(
    path: str,
    merged: bytes = b"x\n",
    *,
    prose: tuple[str, ...] | None = None,
    allow: tuple[str, ...] = (),
) -> AutoResolve:
    table = AutoResolveTable(prose=prose, allow=allow)
    facts = UnitFacts(Configuration(unit=UNITS, auto_resolve=table))
    return facts.auto_resolve(RepoPath(path.encode()), b"# one\n", merged)


@pytest.mark.parametrize("path", ["CHANGELOG.md", "docs/deep/a.md", "web/README.md"])
def test_markdown_is_prose_where_the_base_says_nothing(path: str) -> None:
    assert classify(path) == AutoResolve(
        f'{path}: prose (matches "**/*.md" (built-in default))', settles=True
    )


def test_the_base_says_what_is_prose_in_place_of_that() -> None:
    prose = ("*.txt", "docs/**", "!docs/spec/**")
    assert classify("docs/a.py", prose=prose) == AutoResolve(
        'docs/a.py: prose (matches "docs/**" (auto_resolve.prose of mergequeue.toml))', settles=True
    )
    assert classify("docs/b.txt", prose=prose).settles
    assert not classify("docs/spec/a.py", prose=prose).settles
    assert not classify("CHANGELOG.md", prose=prose).settles
    assert not classify("CHANGELOG.md", prose=()).settles


def test_code_is_opted_in_by_the_base_and_nothing_is_by_default() -> None:
    assert classify("testdata/a.golden", allow=("testdata/**",)) == AutoResolve(
        'testdata/a.golden: code (matches "testdata/**" (auto_resolve.allow of mergequeue.toml))',
        settles=True,
    )
    assert classify("testdata/a.golden") == AutoResolve(
        "testdata/a.golden: code (in no language that is read for comments)", settles=False
    )


def test_a_file_that_its_unit_generates_is_generated_and_one_rewritten_in_place_is_not() -> None:
    assert classify("web/gen/a.c") == AutoResolve(
        "web/gen/a.c: generated (an output of its unit)", settles=True
    )
    assert not classify("web/table").settles


def test_comments_alone_are_of_low_risk_and_code_says_why_it_is_not() -> None:
    assert classify("a.py", b"# two\n") == AutoResolve("a.py: comment-only", settles=True)
    assert classify("a.py") == AutoResolve("a.py: code (more than comments change)", settles=False)


def test_a_name_stays_text_on_one_line() -> None:
    assert classify("a\nb.md").line.startswith('"a\\x0ab.md": prose')
