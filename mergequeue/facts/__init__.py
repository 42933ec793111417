"""What the base says of its units, read from the base commit alone (DESIGN, Facts).

- `configuration` reads `mergequeue.toml`;
- `units` answers from its `[unit.<name>]` tables: whose a path is (`owners`, by their `patterns`),
  and what is `generated` with which code;
- `risk` is the class of an edit, for settling a conflict in it: `comments` tells whether it changes
  nothing else, as far as the file's `languages` say;
- `command` answers from a build tool's `--facts` command instead;
- `lenient` are the same facts where that class counts for nothing, for the keeper;
- `generators` names the code that every regeneration runs, whoever answers.

Example: with

    [unit.lexer]
    paths = ["libs/lexer/**"]
    [unit.parser]
    paths = ["libs/parser/**"]
    depends = ["lexer"]

a change of `libs/lexer/token.c` affects lexer and parser, and one of `README.md` is unbounded by it
unless `[queue] rest` names the unit that owns what no other does.
"""
