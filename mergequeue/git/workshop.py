"""The queue's own repository: private, borrowing the checkout's objects, gone at the end.

    with open_workshop(Path("."), "origin") as workshop:
        tip = workshop.reads.fetch_branch(BranchName("main"))

    <temporary folder>/mq-xxxxxxxx/         0700
        .workshop                           tells it from a folder that is named alike
        store.git/                          bare; what is fetched and written lands here
            objects/info/alternates         the checkout's object stores, read and never written
        trusted                             what the user's safe.directory trusts
        a0, a1, ...                         links to those stores
        bxxxxxxxx/                          boxes, unless another place is named
        wxxxxxxxx/, qxxxxxxxx/              what is taken from a box, and from a bundle, on its way

The checkout is only looked at: whether it is a whole repository, where its objects lie, and what
its configuration says of the remote. None of its attributes, hooks, grafts, replacements or other
configuration reaches the workshop, and nothing in it is written.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pygit2
from pygit2.enums import ConfigLevel

from mergequeue.git.builds import Builds
from mergequeue.git.bundles import Bundles
from mergequeue.git.checkouts import Boxes
from mergequeue.git.discovery import Checkout, look_at_checkout
from mergequeue.git.environment import (
    discovery_environment,
    queue_environment,
    transport_environment,
)
from mergequeue.git.fetch import Fetches
from mergequeue.git.homes import private_home
from mergequeue.git.lending import Loan
from mergequeue.git.process import Git, Lent, find_git
from mergequeue.git.pushes import Pushes
from mergequeue.git.reads import Reads
from mergequeue.git.removal import remove_tree
from mergequeue.git.store import Store
from mergequeue.git.trees import Trees
from mergequeue.git.watches import BoxFiles
from mergequeue.vocabulary.errors import BOX_FAILED

_TRUSTED = "trusted"
_SHORT_ROOT = "/tmp"  # noqa: S108 (what is made in it is private, by mkdtemp)
_LONGEST_ROOT = 60
"""A longer temporary folder leaves too little of a Unix socket's 107 bytes inside a box."""


class Workshop:
    """An open workshop: the ports, and what merging trees is built on.

    All of it may be used by several threads at once.
    """

    def __init__(
        self, store: Store, at_end: ExitStack, checkout: Checkout, outer: Mapping[str, str]
    ) -> None:
        self._store = store
        self._outer = outer
        self._at_end = at_end
        fetches = Fetches(store)
        self.trees = Trees(store.repository)
        """Trees read once, for whoever walks them."""
        self.reads = Reads(store, fetches, self.trees)
        self.builds = Builds(store.repository, self.trees.new)
        self.pushes = Pushes(store, fetches)
        self.box_files = BoxFiles(store, self.trees)
        self.bundles = Bundles(store, self.trees)
        self.checkouts = checkout.folders
        """Every folder that commits of the repository are checked out to, and the repository."""
        self.private = (store.home, checkout.git_dir)
        """Folders that hold what no hook may reach, whatever it is granted."""
        self.head = checkout.head
        """The commit that is checked out, where there is one."""
        self.user = checkout.user
        """Who the person at the checkout is to git, where their configuration says."""
        self.git = store.git
        """The git that works on the workshop's repository and cannot reach any remote."""
        self.repository = store.repository
        """The workshop's repository in this process."""
        self.objects = store.objects
        """Where the workshop's own objects lie; what it borrows is named in there."""

    def lend(self, loan: Loan) -> None:
        """Reach the remote at a provider's own address, as its own credential, from now on."""
        own = self._store.remote.settings
        trusted = str(self._store.home / _TRUSTED)

        def lent() -> Lent:
            settings, secrets = loan.settings(own)
            return Lent(transport_environment(self._outer, settings, trusted), secrets)

        self._store.transport.borrow(lent)

    def boxes(self, scratch_root: Path | None = None) -> Boxes:
        """Return a maker of boxes: in the workshop, or in a private folder under `scratch_root`.

        The folder and every box left in it are removed with the workshop (facts C3). Raises
        BOX_FAILED where it cannot be made.
        """
        try:
            parent = self._store.home if scratch_root is None else scratch_root.resolve(strict=True)
            root = Path(tempfile.mkdtemp(prefix="b", dir=parent))
            self._at_end.callback(_remove, root)
            boxes = Boxes(self._store, self.trees, root)
        except OSError as error:
            raise BOX_FAILED(f"no folder for boxes can be made: {error}") from error
        self._at_end.callback(boxes.stop)
        return boxes


@contextmanager
def open_workshop(
    root: Path, remote: str, outer: Mapping[str, str] | None = None
) -> Iterator[Workshop]:
    """Open a workshop on the repository that the folder `root` is in, and remove it at the end.

    `remote` is the name of a configured remote; `outer` is the environment to take the search path
    and the transports from (this process's own, unless given). Raises OLD_GIT, NOT_A_REPOSITORY,
    SHALLOW, PARTIAL or BAD_REMOTE where the queue cannot work on it.
    """
    given = dict(os.environ) if outer is None else outer
    program = find_git(given)
    checkout = look_at_checkout(Git(program, discovery_environment(given), root), remote)
    with ExitStack() as at_end:
        home = at_end.enter_context(private_home(Path(_short_root())))
        store = _make_store(home, program, given, checkout)
        at_end.callback(store.repository.free)
        yield Workshop(store, at_end, checkout, given)


def _remove(folder: Path) -> None:
    # What another user's process left in a box is not the queue's to remove.
    with suppress(OSError):
        remove_tree(folder)


def _make_store(home: Path, program: str, outer: Mapping[str, str], checkout: Checkout) -> Store:
    git_dir = home / "store.git"
    environment = queue_environment(outer)
    Git(program, environment, home).run(
        "init", "--quiet", "--bare", "--template=", "--object-format=sha1", str(git_dir)
    )
    trusted = home / _TRUSTED
    trusted.write_text(checkout.trusted, encoding="utf-8", errors="surrogateescape")
    _borrow(home, git_dir / "objects", checkout.stores)
    for level in (ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
        pygit2.settings.search_path[level] = ""
    return Store(
        home=home,
        git=Git(program, environment, home, git_dir=git_dir),
        transport=Git(
            program,
            transport_environment(outer, checkout.remote.settings, str(trusted)),
            checkout.folder,
            git_dir=git_dir,
            secrets=checkout.remote.secrets,
        ),
        repository=pygit2.Repository(str(git_dir)),
        remote=checkout.remote,
        borrowed=checkout.stores,
        checkout_shallow=checkout.shallow,
    )


def _borrow(home: Path, objects: Path, stores: tuple[Path, ...]) -> None:
    # Links of our own naming stand for the stores, since the listing cannot hold every path.
    links = [home / f"a{number}" for number in range(len(stores))]
    for link, store in zip(links, stores, strict=True):
        link.symlink_to(store)
    (objects / "info").mkdir(exist_ok=True)
    (objects / "info" / "alternates").write_text("".join(f"{link}\n" for link in links))


def _short_root() -> str:
    root = tempfile.gettempdir()
    if len(os.fsencode(root)) <= _LONGEST_ROOT or not os.access(_SHORT_ROOT, os.W_OK | os.X_OK):
        return root
    return _SHORT_ROOT
