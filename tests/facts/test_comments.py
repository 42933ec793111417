"""Whether an edit changes comments and nothing else, decided by tokens (seed 1, Auto-resolving)."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.facts.comments import more_than_comments
from mergequeue.facts.languages import languages_of
from mergequeue.vocabulary.limits import CLASSIFIED_BYTES

PYTHON = '''\
#!/usr/bin/env python
"""Docs.

# no comment
"""

import os
# one


def f(x):
    text = """
# no comment either
"""
    return x  # noqa
'''

# name, a text with @ where an edit is, what stands there before and after
COMMENTS = {
    "another comment": ("a.py", "x = 1\n@y = 2\n", "# one\n", "# two\n"),
    "one more": ("a.py", PYTHON + "@", "# one\n", "# one\n# two, too\n"),
    "one less": ("a.py", "x = 1\n@", "# one\n", ""),
    "one with lines around it": ("a.py", "x = 1\n@y = 2\n", "", "\n# one\n\n"),
    "one deep inside": ("a.py", "def f():\n    x = [\n@        1,\n    ]\n", "", "        # one\n"),
    "CRLF": ("a.py", "x = 1\r\n@", "# one\r\n", "# two\r\n"),
    "C": ("a.c", "@int x;\n", "/* one */\n", "/*\n * one\n * and two\n */\n"),
    "C without stars": ("a.c", "/*\n  one\n@*/\nint x;\n", "", "  two\n"),
    "a header": ("a.h", "@int x;\n", "// one\n", "// two\n"),
    "Go": ("a.go", "//go:build linux\n\n@package a\n", "", "// Package a does it.\n"),
    "Rust": ("a.rs", "@fn f() {}\n", "// one\n", "// two\n"),
    "Java": ("A.java", "@class A {}\n", "/**\n * One.\n */\n", "/**\n * One.\n *\n * Two.\n */\n"),
    "JavaScript": ("a.js", "@let x = 1;\n", "// one\n", "// two\n"),
    "SQL": ("a.sql", "@select 1;\n", "-- one\n", "-- two\n"),
    "shell": ("a.sh", "#!/bin/sh\n\n@x=1\n", "# one\n", "# two\n"),
    "YAML": ("a.yml", "@a: 1\n", "# one\n", "# two\n"),
    "TOML": ("a.toml", "@a = 1\n", "# one\n", "# two\n"),
    "make": ("Makefile", "@all:\n\ttrue\n", "# one\n", "# two\n"),
    "OCaml": ("a.ml", "@let x = 1\n", "(* one *)\n", "(* one\n   and two *)\n"),
    "Lisp": ("a.lisp", "@(f)\n", ";; one\n", ";; two\n"),
    "no ASCII": ("a.py", "x = 1\n@", "# grün\n", "# 日本語\n"),
}


@pytest.mark.parametrize(("name", "text", "before", "after"), COMMENTS.values(), ids=COMMENTS)
def test_comments_are_no_more_than_comments(name: str, text: str, before: str, after: str) -> None:
    base, merged = (text.replace("@", each).encode() for each in (before, after))
    assert more_than_comments(name, base, merged) == ""
    assert more_than_comments(name, merged, base) == ""


MORE = {
    "code": ("a.py", "# one\n@", "", "x = 1\n"),
    "code moved": ("a.py", "# one\n@", "x = 1\ny = 2\n", "y = 2\nx = 1\n"),
    "a comment made code": ("a.py", "@", "# f()\n", "f()\n"),
    "code and a comment": ("a.py", "@", "# one\n", "# two\nx = 1\n"),
    "indentation": ("a.py", "if x:\n    y()\n@z()\n", "", "    "),
    "a docstring": ("a.py", '"""One.\n@"""\n', "", "two\n"),
    "a function's docstring": ("a.py", 'def f():\n    """One."""@\n', "", "\n    # one\n    x = 1"),
    "a hash in a string": ("a.py", 'x = """\n@"""\n', "# one\n", "# two\n"),
    "a comment behind code": ("a.py", "x = 1@\n", "", "  # one"),
    "blank lines": ("a.py", "x = 1\n@y = 2\n", "", "\n"),
    "a last line feed": ("a.py", "# one\nx = 1@", "", "\n"),
    "line endings of code": ("a.py", "# one\nx = 1@", "\n", "\r\n"),
    "a shebang": ("a.sh", "@\nx=1\n", "#!/bin/sh\n", "#!/bin/bash\n"),
    "a comment above a shebang": ("a.sh", "@#!/bin/sh\nx=1\n", "", "# one\n"),
    "a comment above what has to come first": (
        "Dockerfile",
        "@# syntax=a/b\nFROM c\n",
        "",
        "# one\n\n",
    ),
    "an encoding": ("a.py", "@x = 1\n", "# coding: utf-8\n", "# coding: latin-1\n"),
    "what linters read": ("a.py", "@x = 1\n", "# one\n", "# noqa\n"),
    "what type checkers read": ("a.py", "@x = 1\n", "# one\n", "# type: ignore\n"),
    "what a build reads": ("a.go", "@package a\n", "// one\n\n", "//go:build linux\n\n"),
    "what the next line is for": ("a.js", "// eslint-disable-next-line\n@f()\n", "", "// one\n"),
    "what a compiler reads": ("a.c", "case 1:\n@case 2:\n", "", "// fall through\n"),
    "a directive to a database": ("a.sql", "@select 1;\n", "-- one\n", "-- +goose Down\n"),
    "script metadata": ("a.py", "# /// script\n# dependencies = []\n@# ///\n", "", "# and more\n"),
    "what an example prints": ("a_test.go", "// Output:\n@}\n", "// one\n", "// two\n"),
    "C for Go": ("a.go", 'package a\n\n@import "C"\n', "// int x;\n", "// int y;\n"),
    "a preprocessor's line": ("a.c", "@int x;\n", "#define A\n", "#define B\n"),
    "a preprocessor's line that reads as prose": (
        "a.c",
        "@int x;\n",
        "# define A\n",
        "# define B\n",
    ),
    "what only another editor takes for a line": (
        "a.js",
        "// x\rlet s = `\n\n@\n`;\n",
        "// one\n",
        "// two\n",
    ),
    "what the lexer says of another place": ("a.f", "      x = 'a'\n@", "! one\n", "! two\n"),
    "what a preprocessor leaves out": ("a.c", "#if 0\n@#endif\n", "int x;\n", "int y;\n"),
    "the middle of a macro": ("a.c", "#define A \\\n@  1\n", "", "// one\n"),
    "the middle of a command": ("a.sh", "make \\\n@  all\n", "", "# one\n"),
    "what marks a block for a tool": ("a.sh", "@x=1\n", "# one\n", "# BEGIN managed by a tool\n"),
    "a line of C that goes on": ("a.c", "@int x;\n", "// one\n", "// two??/\n"),
    "a here-document": ("a.sh", 'cat <<"E"\n@E\n', "# one\n", "# two\n"),
    "a here-document that ends in no word": ("a.sh", "cat <<!\n@!\n", "", "# one\n"),
    "a here-document of dashes": ("a.sh", "cat <<'---'\n@---\n", "", "# one\n"),
    "a here-document of Ruby": ("a.rb", "x <<~'A-B'\n@A-B\n", "", "# one\n"),
    "a here-document of Docker": ("Dockerfile", "RUN <<! x\n@!\n", "", "# one\n"),
    "a here-document of make": ("a.mk", "a:\n\tcat <<E\n@\tE\n", "", "\t# one\n"),
    "a raw string of a header": ("a.h", 'auto x = R"(\n@)";\n', "", "// one\n"),
    "a raw string of C#": ("a.cs", 'x = """"\n"""\n@"""";\n', "", "// one\n"),
    "a raw string of Swift": ("a.swift", 'x = ##"""\n"""#\n@"""##\n', "", "// one\n"),
    "a raw string of R": ("a.R", 'x <- r"(a"\n@)"\n', "", "# one\n"),
    "a raw string of C in Rust": ("a.rs", 'x = cr#"a"\n@"#;\n', "", "// one\n"),
    "a string of lines of Erlang": ("a.erl", 'x() -> """\n a "\n@ """.\n', "", "% one\n"),
    "a string of lines of nginx": ("nginx.conf", "x '\n@';\n", "", "# one\n"),
    "a quotation of Haskell": ("a.hs", "x = [sql|\n@|]\n", "", "-- one\n"),
    "a quotation of OCaml": ("a.ml", "{%sql|\n@|}\n", "", "(* one *)\n"),
    "a string of Hy": ("a.hy", "#[[\n@]]\n", "", "; one\n"),
    "what assembly's preprocessor reads": ("a.S", "@mov x\n", "", "# define A b\n"),
    "what rambler reads": ("a.sql", "@select 1;\n", "", "-- rambler up\n"),
    "what tern reads": ("a.sql", "@x;\n", "", "---- create above / drop below ----\n"),
    "what sorts lines": ("BUILD", "x = 1\n@y = 2\n", "", "# keep sorted\n"),
    "a string of lines": ("a.sh", 'x="\n@"\n', "# one\n", "# two\n"),
    "a block of text": ("a.yml", "run: |\n@  echo\n", "  # one\n", "  # two\n"),
    "a template": ("a.js", "let x = `\n@`;\n", "// one\n", "// two\n"),
    "documentation that runs": ("a.rs", "@fn f() {}\n", "/// one\n", "/// two\n"),
    "a file of tags": ("a.html", "<p>\n@</p>\n", "", "<!-- one -->\n"),
    "text between tags": ("a.js", "let x = <p>\n@</p>;\n", "// one\n", "// two\n"),
    "JSON": ("a.json", "{\n@}\n", "", "// one\n"),
    "prose": ("a.rst", "One.\n@", "", ".. two\n"),
    "no language": ("a.unknown", "@", "# one\n", "# two\n"),
    "no ending": ("README", "@", "# one\n", "# two\n"),
    "text": ("a.txt", "@", "# one\n", "# two\n"),
    "two languages at odds": ("a.pl", "@", "% one\n", "% two\n"),
    "a direction mark": ("a.py", "@x = 1\n", "# one\n", "# \u202eone\n"),
    "a line separator": ("a.js", "@f()\n", "// one\n", "// one\u2028 f()\n"),
    "what the lexer does not read": ("a.graphql", '"""\n@"""\n', "# one\n", "# two\n"),
}


@pytest.mark.parametrize(("name", "text", "before", "after"), MORE.values(), ids=MORE)
def test_more_than_comments_is_code(name: str, text: str, before: str, after: str) -> None:
    base, merged = (text.replace("@", each).encode() for each in (before, after))
    assert more_than_comments(name, base, merged)
    assert more_than_comments(name, merged, base)


def test_what_is_too_large_or_no_text_is_code() -> None:
    padding = b"# one\n" * (CLASSIFIED_BYTES // 6 - 1)
    assert more_than_comments("a.py", padding, padding + b"# two\n") == ""
    assert "larger than 128 KiB" in more_than_comments("a.py", padding, padding + b"# one\n" * 3)
    assert more_than_comments("a.py", b"# \xff\n", b"# one\n") == "no UTF-8"


def test_a_lexer_sees_no_more_of_a_change_than_words() -> None:
    # A pattern of some lexer that takes for ever is fed by no author: other lines end it before.
    deep = b"(" * (CLASSIFIED_BYTES - 10) + b"\n"
    assert more_than_comments("a.py", b"# one\n", b"# two\n" + deep) == "more than comments change"


def test_every_language_that_pygments_knows_by_name_is_found_or_left_out_on_purpose() -> None:
    assert [lexer.name for lexer in languages_of("a.h")] == ["C", "Objective-C"]
    assert [lexer.name for lexer in languages_of("CMakeLists.txt")] == ["CMake"]
    for name in ("a.tex", "a.md", "a.html", "a.vim", "a.bat", "a.tcl", "a.patch", "a.tsx", "a.lhs"):
        assert languages_of(name) == ()


LINES = [
    "# one",
    "    # two",
    "#three",
    "# type: ignore",
    "",
    "x = 1",
    "    x = 1",
    "if x:",
    '"""',
    "'''",
    "# it's",
    "\\",
    "x = (",
    ")",
    "x = 1  # one",
    "pass",
]
texts = st.lists(st.sampled_from(LINES), max_size=8).map(lambda lines: "\n".join(lines) + "\n")


@given(base=texts, merged=texts)
def test_python_reads_the_same_program_after_an_edit_of_comments(base: str, merged: str) -> None:
    try:
        programs = [ast.dump(ast.parse(text)) for text in (base, merged)]
    except SyntaxError:
        return
    if not more_than_comments("a.py", base.encode(), merged.encode()):
        assert programs[0] == programs[1]
