"""A forge with a base to land on, and what is looked at afterwards."""

import pygit2

from mergequeue.vocabulary.ids import ChangeId, CommitId
from mergequeue.vocabulary.words import Method
from tests.support.forge import Forge, Pull
from tests.support.repositories import Playground

LINES = "".join(f"{number}\n" for number in range(1, 10))


def make_forge(playground: Playground) -> Forge:
    """Return a forge whose base holds two folders."""
    playground.branch("main", playground.commit({"a/one.txt": LINES, "b/two.txt": "b\n"}))
    return Forge(playground)


def edit(
    forge: Forge,
    path: str,
    content: str | None,
    *,
    on: CommitId | None = None,
    message: str = "An edit\n",
) -> CommitId:
    """Return a commit that gives a file this content, on the base or on another commit."""
    start = on or forge.playground.tip("main")
    return forge.playground.commit({path: content}, parents=start, message=message)


def stack(forge: Forge, method: Method = Method.SQUASH) -> tuple[Pull, Pull, Pull]:
    """Open three changes on each other: one adds a line, the next takes it away, the last adds a
    file.
    """
    one = edit(forge, "a/one.txt", LINES + "added\n")
    two = edit(forge, "a/one.txt", LINES, on=one)
    three = edit(forge, "a/three.txt", "three\n", on=two)
    return (
        forge.open("1", one, method=method),
        forge.open("2", two, method=method),
        forge.open("3", three, method=method),
    )


def pull(forge: Forge, id_: str) -> Pull:
    """Return a pull request by its number."""
    return forge.pulls[ChangeId(id_)]


def parents(forge: Forge, commit: CommitId) -> list[str]:
    """Return a commit's parents."""
    found = forge.playground.repository[commit].peel(pygit2.Commit)
    return [str(parent) for parent in found.parent_ids]


def text(forge: Forge, path: str) -> str | None:
    """Return what a file of the base holds; None where there is none."""
    found = forge.playground.files(forge.playground.tip("main")).get(path.encode())
    return None if found is None else found.decode()
