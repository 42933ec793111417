"""Which languages a file may be in by its name, as Pygments knows them.

A lexer is taken for what it is: made to colour text, good at telling a comment from a string, and
less so where a language hides text in places of its own. Those are left out, which makes their
files code.
"""

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache

from pygments.lexer import DelegatingLexer, Lexer
from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.token import Comment, Error

PLAIN_COMMENTS = frozenset({Comment, Comment.Single, Comment.Multiline})
"""What is a comment and nothing else: a preprocessor's line or a shebang has a type of its own."""

_NOT_READ = frozenset(
    {
        "diff",  # every line is data
        "esoteric",  # whatever is no instruction counts as a comment
        "hdl",  # synthesis tools act on words in comments
        "html",  # text between tags is content, line breaks included
        "jsx",  # as html
        "markup",  # as html; a blank line is a paragraph
        "tcl",  # what looks like a comment inside braces is data
        "templates",  # a line break is output
        "textfmts",  # comments of translations are flags
    }
)
"""Modules of Pygments whose languages are never read for comments, each with its reason."""
_NOT_READ_BY_NAME = frozenset(
    {
        "Batchfile",  # a comment in a block is a command
        "GAS",  # where a preprocessor runs first, a comment is a line of its own
        "Nginx configuration file",  # a string may have lines
        "Typographic Number Theory",  # its lexer does not end on everything
        "JSON",  # has no comments, whatever the lexer says
        "JSON-LD",
        "JSONBareObject",
        "VimL",  # a string after a blank reads as a comment
    }
)
_TEXT = "Text only"

_HERE_DOCUMENT = re.compile("<<")
"""Whatever names its end, which nearly anything may; a shift is taken for one."""
_MISREAD: Mapping[str, re.Pattern[str]] = {
    "c_cpp": re.compile('R"'),  # a raw string, in a header that is read as C
    "configs": _HERE_DOCUMENT,
    "dotnet": re.compile('"{4}'),
    "erlang": re.compile('"""'),
    "go": re.compile(r'import\s+"C"'),  # the comments before it are C
    "haskell": re.compile(r"\[[\w.']*\|"),  # a quotation of another language
    "installers": _HERE_DOCUMENT,
    "javascript": re.compile(r"</[A-Za-z>]"),  # text between tags
    "lisp": re.compile(r"#\[|@[^\s()]*\{"),  # strings of Hy, text of Scribble
    "make": re.compile(r"^[ \t]*define\b|<<", re.MULTILINE),
    "ml": re.compile(r"\{[%\w. ]*\|"),  # a quoted string
    "objective": re.compile('##"'),
    "perl": _HERE_DOCUMENT,
    "php": _HERE_DOCUMENT,
    "r": re.compile("[rR][\"']"),  # a raw string
    "ruby": re.compile("<<[-~]?[\"'`]"),
    "rust": re.compile("cr#"),  # a raw string of C
    "shell": _HERE_DOCUMENT,
    "textedit": _HERE_DOCUMENT,
}
"""What the lexers of a module of Pygments lose their way in, or what makes comments code."""


def languages_of(name: str) -> tuple[type[Lexer], ...]:
    """Return the lexers of every language that a file of this name may be in; none for unknown.

    Where a name stands for several, all of them have to agree on what is a comment.
    """
    known = [each for pattern, each in _patterns() if fnmatchcase(name, pattern)]
    named = list(dict.fromkeys(each for each in known if each != _TEXT))
    found = [lexer for each in named if (lexer := find_lexer_class(each)) is not None]
    alone = [lexer for lexer in found if not issubclass(lexer, DelegatingLexer)]
    return tuple(alone) if all(map(_is_read, alone)) else ()


def is_misread(lexer: type[Lexer], text: str) -> bool:
    """Whether a text holds what this lexer is known to lose its way in."""
    known = _MISREAD.get(_module(lexer))
    return known is not None and known.search(text) is not None


def pieces_of(lexer: type[Lexer], text: str) -> Iterator[tuple[int, bool, str]]:
    """Give the text piece by piece: where it starts, whether it is a plain comment, and itself.

    Raises ValueError where the lexer does not know what it reads.
    """
    for start, kind, piece in lexer().get_tokens_unprocessed(text):
        if kind is Error:
            raise ValueError("a token of no kind")
        yield start, kind in PLAIN_COMMENTS, piece


@cache
def _patterns() -> tuple[tuple[str, str], ...]:
    every = get_all_lexers(plugins=False)
    return tuple((pattern, name) for name, _, patterns, _ in every for pattern in patterns)


def _is_read(lexer: type[Lexer]) -> bool:
    name = str(lexer.name)
    unread = name in _NOT_READ_BY_NAME or name.startswith("Literate")
    return not unread and _module(lexer) not in _NOT_READ


def _module(lexer: type[Lexer]) -> str:
    return lexer.__module__.rpartition(".")[2]
