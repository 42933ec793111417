"""The private bare repository of a workshop, as the modules beside this one use it."""

from dataclasses import dataclass
from pathlib import Path

import pygit2

from mergequeue.git.process import Git
from mergequeue.git.remote import Remote
from mergequeue.vocabulary.errors import SHALLOW


@dataclass(frozen=True)
class Store:
    """The repository, and the ways to reach it."""

    home: Path
    """The private folder that it lies in."""
    git: Git
    """git on this repository, unable to reach any remote."""
    transport: Git
    """git on this repository, for fetches and pushes alone."""
    repository: pygit2.Repository
    """The same repository in this process, for reading and writing objects."""
    remote: Remote
    borrowed: tuple[Path, ...]
    """The object folders of the checkout that it borrows."""
    checkout_shallow: Path
    """The file whose existence makes the checkout shallow."""

    @property
    def git_dir(self) -> Path:
        """The repository's own folder."""
        return self.home / "store.git"

    @property
    def objects(self) -> Path:
        """Where its objects lie; what it borrows is named in there."""
        return self.git_dir / "objects"

    def check_whole(self) -> None:
        """Raise SHALLOW where history was cut since the workshop was opened."""
        if self.checkout_shallow.exists():
            raise SHALLOW("the clone was made shallow while the queue was working")
        if (self.git_dir / "shallow").exists():
            raise SHALLOW(
                "the remote itself is shallow, so it cannot give all of the history",
                "Complete the remote's history, or name a remote that has it with --remote.",
            )
