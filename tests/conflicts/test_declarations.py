"""Where lines stand: the heading or function that a diff of their file would show."""

import pytest

from mergequeue.conflicts.declarations import driver_of, place_text

PLACES = {
    "CHANGELOG.md": ("# Changelog\n\n## Unreleased\n\n- a\n", "## Unreleased"),
    "a.py": ("class A:\n    def f(self):\n        return 1\n", "def f(self)"),
    "a.c": ("int main(void)\n{\n    int x;\nlabel:\n", "int main(void)"),
    "A.java": ("class A {\n  int f(int x) {\n    return g(x);\n", "int f(int x)"),
    "a.go": ("func (a *B) C() {\n\tx\n", "func (a *B) C()"),
    "a.ts": ("export default async function f() {\n  x\n", "export default async function f()"),
    "a.rs": ("    pub(crate) async fn f<T>() {\n", "pub(crate) async fn f<T>()"),
    "a.rb": ("module A\n  def f\n", "def f"),
    "a.sh": ("f() {\n  x\n", "f()"),
    "a.toml": ("[a.b]\nx = 1\n", "[a.b]"),
    "a.yml": ("jobs:\n  x:\n    - y\n", "jobs"),
    "Makefile": ("all: b\n\tx\nX := 1\n", "all: b"),
    "no heading.md": ("text\n", "line 12"),
    "a.txt": ("Text\n", "line 12"),
    "no ending": ("Text\n", "line 12"),
}


@pytest.mark.parametrize("name", PLACES)
def test_each_kind_of_file_has_declarations_of_its_own(name: str) -> None:
    text, place = PLACES[name]
    before = text.encode().splitlines(keepends=True)
    assert place_text(driver_of(name, ""), before, 11) == place


def test_what_attributes_name_wins_over_the_files_ending() -> None:
    before = [b"## Heading\n", b"def f():\n"]
    assert place_text(driver_of("a.py", "markdown"), before, 0) == "## Heading"
    assert place_text(driver_of("a.py", "one of ours"), before, 0) == "def f()"


def test_a_declaration_is_cut_and_stays_one_line_of_text() -> None:
    for raw in (b"# a\x1b[2J\xff\xe2\x80\xae\n", b"# " + b"x" * 100_000):
        place = place_text("markdown", [raw], 0)
        assert place.isprintable()
        assert len(place.encode()) <= 80
