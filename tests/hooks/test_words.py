"""A hook is a command and its words; what only a shell reads is refused (seed 1, Hooks; H1)."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mergequeue.hooks.words import join_words, parse_words
from mergequeue.vocabulary.errors import NOT_A_COMMAND, MergequeueError, UsageError

READ = {
    "make check": ["make", "check"],
    "  make\t check  ": ["make", "check"],
    "make 'a b' \"c d\" e\\ f": ["make", "a b", "c d", "e f"],
    "x '' \"\"": ["x", "", ""],
    "x a'b'\"c\"\\d": ["x", "abcd"],
    "x '$HOME `id` \\ \" * ; & | < > ( ) { } ~ # !'": [
        "x",
        '$HOME `id` \\ " * ; & | < > ( ) { } ~ # !',
    ],
    r'x "\$HOME \`id\` \\ \" \n"': ["x", r'$HOME `id` \ " \n'],
    r"x \$HOME \* \; \& \| \< \> \( \) \{ \} \~ \# \'": [
        "x",
        *["$HOME", "*", ";", "&", "|", "<", ">", "(", ")", "{", "}", "~", "#", "'"],
    ],
    "x HEAD~1 a#b --flag=value NAME=value ! ]": [
        "x",
        "HEAD~1",
        "a#b",
        "--flag=value",
        "NAME=value",
        "!",
        "]",
    ],
    "'if' x": ["if", "x"],
    "'A'=b x": ["A=b", "x"],
    "A\\=b x": ["A=b", "x"],
    "9A=b x": ["9A=b", "x"],
    "x 'two\nlines'": ["x", "two\nlines"],
    "x ''~ a'='~": ["x", "~", "a=~"],
    "x ü 日本 \u00a0": ["x", "ü", "日本", "\u00a0"],
}

REFUSED = {
    "a comment": ("make # check", "a comment"),
    "a comment alone": ("#make", "a comment"),
    "background": ("make &", "in the background"),
    "a negation": ("! make", "turns a result round"),
    "output redirected": ("make > log", "a redirection"),
    "input redirected": ("make < log", "a redirection"),
    "errors redirected": ("make 2>&1", "a redirection"),
    "a here-document": ("make << END", "a redirection"),
    "a pipe": ("make | tee", "a pipe"),
    "and": ("make && x", "`&&`"),
    "or": ("make || x", "`||`"),
    "two commands": ("make; x", "`;`"),
    "a subshell": ("(make)", "a compound command"),
    "a function": ("f() x", "a compound command"),
    "a group": ("{ make; }", "a compound command"),
    "a condition": ("if make", "a compound command"),
    "a loop": ("while make", "a compound command"),
    "timing": ("time make", "a compound command"),
    "an assignment": ("A=b make", "NAME=value"),
    "a quoted assignment": ("A='b c' make", "NAME=value"),
    "an appending assignment": ("A+=b make", "NAME=value"),
    "an assignment alone": ("A=b", "NAME=value"),
    "a variable": ("make $x", "a variable"),
    "a variable in braces": ("make ${x}", "a variable"),
    "a variable in quotes": ('make "a $x"', "a variable"),
    "a parameter": ("make $1 $@", "a variable"),
    "a substitution": ("make $(id)", "a command substitution"),
    "a substitution in quotes": ('make "$(id)"', "a command substitution"),
    "a backquote": ("make `id`", "a command substitution"),
    "a backquote in quotes": ('make "`id`"', "a command substitution"),
    "arithmetic": ("make $((1+1))", "arithmetic"),
    "old arithmetic": ("make $[1+1]", "arithmetic"),
    "a star": ("make *.c", "a glob"),
    "a question mark": ("make a?", "a glob"),
    "a set": ("make [ab]", "a glob"),
    "braces": ("make {a,b}", "a glob"),
    "a home": ("make ~/x", "a home folder"),
    "a user's home": ("make ~root", "a home folder"),
    "a home after =": ("make DESTDIR=~/x", "a home folder"),
    "ANSI quotes": ("make $'a\\n'", "quoting"),
    "translated quotes": ('make $"a"', "quoting"),
    "a lone dollar": ("make $", "`$`"),
    "a lone dollar in quotes": ('make "a$"', "`$`"),
    "nothing": ("", "no command"),
    "blanks": (" \t ", "no command"),
    "an empty program": ("'' x", "no command"),
    "an open single quote": ("make 'a", "never closed"),
    "an open double quote": ('make "a', "never closed"),
    "a backslash at the end": ("make \\", "a backslash"),
    "two lines": ("make\nrm -r x", "a line break"),
    "a line break at the end": ("make\n", "a line break"),
    "a continued line": ("make \\\n x", "a line break"),
    "a line continued in quotes": ('make "a\\\nb"', "a line break"),
    "a carriage return": ("make x\r", "a control character"),
    "an escape": ("make \x1b[2J", "a control character"),
    "a NUL": ("make a\0b", "a control character"),
    "a NUL in quotes": ("make 'a\0b'", "NUL"),
}


@pytest.mark.parametrize("line", READ)
def test_quotes_and_backslashes_group_and_escape(line: str) -> None:
    assert parse_words(line, "--gate") == tuple(READ[line])


@pytest.mark.parametrize(("line", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_only_a_shell_reads_is_refused_with_its_own_reason(line: str, reason: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_words(line, "--gate")
    assert refused.value.code == NOT_A_COMMAND.code
    assert refused.value.problem.startswith("--gate holds ")
    assert reason in refused.value.problem
    assert refused.value.problem.isprintable()


words = st.lists(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), min_size=1
).filter(lambda found: found[0] != "")


@given(words)
@example(["if", "x"])
@example(["A=b", "x"])
@example(["A=b c", "!"])
@example(["!", "x"])
def test_the_line_shown_for_words_reads_back_as_the_words(found: list[str]) -> None:
    assert parse_words(join_words(found), "--gate") == tuple(found)


@given(words)
def test_words_joined_by_shlex_read_back_wherever_the_first_means_nothing_to_a_shell(
    found: list[str],
) -> None:
    assert parse_words(shlex.join(["make", *found]), "--gate") == ("make", *found)


SHELLS = [shell for shell in ("/bin/sh", "/bin/bash", "/bin/dash") if Path(shell).exists()]
pieces = st.sampled_from(
    [
        *"abx=:~#!$`'\"\\*?[]{}()<>|&;% \t-+,./@^1",
        "ü",
        "\u00a0",
        "''",
        '""',
        "\\\\",
        "a b",
        "x=",
        "~",
    ]
)
lines = st.lists(st.lists(pieces, min_size=1, max_size=8).map("".join), min_size=10, max_size=40)


@pytest.mark.parametrize("shell", SHELLS)
@settings(max_examples=60)
@given(lines)
def test_no_line_that_is_accepted_means_another_thing_to_a_shell(
    shell: str, found: list[str]
) -> None:
    accepted = {line: parsed for line in found if (parsed := _parsed(line)) is not None}
    script = "".join(f"printf '%s\\0' {line}\nprintf '\\n\\0'\n" for line in accepted)
    printed = subprocess.run(
        [shell, "-c", script],
        cwd="/",
        env={
            "HOME": "/home",
            "x": "set",
            "a": "set",
            "LC_ALL": os.environ.get("LC_ALL", "C.UTF-8"),
        },
        capture_output=True,
        check=True,
    )
    expected = "".join(
        "".join(f"{word}\0" for word in parsed) + "\n\0" for parsed in accepted.values()
    )
    assert printed.stdout.decode() == expected
    assert printed.stderr == b""


def _parsed(line: str) -> tuple[str, ...] | None:
    try:
        return parse_words(line, "--gate")
    except MergequeueError:
        return None
