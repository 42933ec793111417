"""A small project with a bare remote, a clone, and eleven changes that each want something else.

Its units are folders; its gate is a script that asks each unit's own `check`, which is red where
the unit's text holds the word `bug`. The base already has a bug in `billing`, so that one change
there is red and not to blame.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

from mergequeue.vocabulary.words import Method

_FIRST_DAY = 1_790_000_000
_AUTHOR_ADDRESS = "author@example.invalid"
_UNITS = ("parser", "web", "store", "billing", "search")

_GATE = """\
# The gate: each unit that a change affects is asked for its own check.
for unit; do
    echo "checking $unit"
    sh "$unit/check" || { echo "$unit is broken"; exit 1; }
done
"""
_CHECK = """\
sleep 0.4 # stands for the tests of this unit
! grep -n bug {unit}/text
"""
_SETTINGS = """\
[queue]
gate = "sh tools/gate"
rest = "project"
"""


@dataclass(frozen=True)
class Wish:
    """One change of the demo, and what it is there to show."""

    name: str
    method: Method
    shows: str
    """What a reader is to see happen to it."""
    edits: Sequence[Mapping[str, str]]
    """One commit each: paths and their new content."""
    on: str = ""
    """The change that it is stacked on; empty for none."""
    from_first_day: bool = False
    """Whether it forked before the base's newest commit."""


def _words(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


_LINES = ("one", "two", "three", "four", "five", "six")


def _edited(unit: str, at: int, text: str) -> dict[str, str]:
    lines = list(_LINES)
    lines[at] = text
    return {f"{unit}/text": _words(*lines)}


WISHES: tuple[Wish, ...] = (
    Wish(
        "parser-speed",
        Method.SQUASH,
        "touches the parser alone, so it is gated and merges side by side with the others",
        [_edited("parser", 0, "one, faster")],
    ),
    Wish(
        "parser-speed-too",
        Method.SQUASH,
        (
            "changes the line that parser-speed changes: it waits for that one, "
            "and then conflicts with the base"
        ),
        [_edited("parser", 0, "one, fastest")],
    ),
    Wish(
        "web-broken",
        Method.SQUASH,
        "is red itself, and what lies beneath it is green",
        [_edited("web", 5, "six with a bug")],
    ),
    Wish(
        "web-title",
        Method.MERGE,
        "is gated again without web-broken beneath it, and lands as a merge commit",
        [_edited("web", 0, "one, titled")],
    ),
    Wish(
        "docs-spelling",
        Method.REBASE,
        "has two commits, which are replayed one by one onto the base",
        [
            {"docs/guide.md": _words("# Guide", "", "Spelt rightly.")},
            {"docs/terms.md": _words("# Terms", "", "base: the branch merged into")},
        ],
    ),
    Wish(
        "store-1-table",
        Method.SQUASH,
        "is the bottom of a stack of three",
        [{"store/table": "columns\n"}],
    ),
    Wish(
        "store-2-index",
        Method.SQUASH,
        "is stacked on store-1-table, and lands after it with its own delta alone",
        [{"store/index": "keys\n"}],
        on="store-1-table",
    ),
    Wish(
        "store-3-query",
        Method.SQUASH,
        "is the top of the stack",
        [{"store/query": "select\n"}],
        on="store-2-index",
    ),
    Wish(
        "billing-vat",
        Method.SQUASH,
        "is red, but so is the base on the same units: it waits, and nobody is blamed",
        [{"billing/vat": "rates\n"}],
    ),
    Wish(
        "readme-old",
        Method.SQUASH,
        "conflicts with the base itself, whose commit is named",
        [{"README.md": _words("# A demo, an older idea")}],
        from_first_day=True,
    ),
    Wish(
        "search-idea",
        Method.SQUASH,
        "is withdrawn by its author while its gate runs, so it never merges",
        [_edited("search", 0, "one, found")],
    ),
)
"""The demo's changes, in the order in which they are pushed."""

WITHDRAWN = "search-idea"
"""The change that its author takes back while its gate runs."""


@dataclass
class World:
    """The demo's two repositories in one folder."""

    folder: Path
    heads: dict[str, pygit2.Oid] = field(default_factory=dict)
    """The head of each change, by name."""

    @property
    def origin(self) -> Path:
        """The bare repository that everybody pushes to."""
        return self.folder / "origin.git"

    @property
    def clone(self) -> Path:
        """The checkout that the queue runs in."""
        return self.folder / "clone"


def write_world(folder: Path) -> World:
    """Make the demo's repositories in an empty folder and return them."""
    world = World(folder)
    repository = pygit2.init_repository(world.origin, bare=True, initial_head="main")
    first = _commit(repository, [], _first_files(), "Begin the demo project", 0)
    readme = {"README.md": _words("# A demo, renamed")}
    base = _commit(repository, [first], readme, "Rename the project in its README", 1)
    repository.references.create("refs/heads/main", base)
    for wish in WISHES:
        head = world.heads[wish.on] if wish.on else (first if wish.from_first_day else base)
        for number, edit in enumerate(wish.edits):
            title = (
                f"{wish.name}: step {number + 1} of {len(wish.edits)}"
                if len(wish.edits) > 1
                else f"{wish.name}: {next(iter(edit))}"
            )
            head = _commit(repository, [head], edit, title, 2 + number)
        world.heads[wish.name] = head
        repository.references.create(f"refs/heads/mq/{wish.method}/{wish.name}", head)
    pygit2.clone_repository(str(world.origin), str(world.clone))
    return world


def withdraw(world: World, name: str) -> None:
    """Delete a change's branch at the remote, as its author would: `git push origin :<branch>`."""
    wish = next(wish for wish in WISHES if wish.name == name)
    pygit2.Repository(str(world.origin)).references.delete(f"refs/heads/mq/{wish.method}/{name}")


def _first_files() -> dict[str, str]:
    files = {
        "README.md": _words("# A demo"),
        "docs/guide.md": _words("# Guide", "", "Spelt wrongli."),
        "docs/check": "true\n",
        "project/check": "true\n",
        "tools/gate": _GATE,
        "mergequeue.toml": _SETTINGS
        + _unit("docs", '"docs/**", "*.md"')
        + "".join(_unit(unit, f'"{unit}/**"') for unit in _UNITS),
    }
    for unit in _UNITS:
        files[f"{unit}/text"] = _words(*_LINES)
        files[f"{unit}/check"] = _CHECK.format(unit=unit)
    files["billing/text"] = _words("one with a bug", *_LINES[1:])
    return files


def _unit(name: str, paths: str) -> str:
    return f"\n[unit.{name}]\npaths = [{paths}]\n"


def _commit(
    repository: pygit2.Repository,
    parents: list[pygit2.Oid],
    files: Mapping[str, str],
    message: str,
    day: int,
) -> pygit2.Oid:
    index = pygit2.Index()
    if parents:
        index.read_tree(repository[parents[0]].peel(pygit2.Tree))
    for path, content in files.items():
        index.add(pygit2.IndexEntry(path, repository.create_blob(content.encode()), FileMode.BLOB))
    who = pygit2.Signature("Somebody", _AUTHOR_ADDRESS, _FIRST_DAY + day * 86_400, 0)
    return repository.create_commit(
        None, who, who, message + "\n", index.write_tree(repository), parents
    )
