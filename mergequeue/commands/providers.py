"""Who lists and merges the changes: the built-in provider by name, a person's own by its file."""

from mergequeue.commands.tools import Bench, Standing
from mergequeue.git.workshop import Workshop
from mergequeue.plaingit.reading import PlainGitReads
from mergequeue.plaingit.writing import Hands, PlainGitWrites
from mergequeue.ports import ProviderReads, ProviderWrites
from mergequeue.providers.checked import CheckedReads, CheckedWrites
from mergequeue.providers.loading import load_provider, parse_name, refuse_inside
from mergequeue.vocabulary.ids import BranchName

PLAIN_GIT = "plain-git"


def open_reading_provider(name: str, remote: str, workshop: Workshop) -> ProviderReads:
    """Return the provider that is called `name`, for reading alone.

    Raises BAD_PROVIDER where there is none.
    """
    if name == PLAIN_GIT:
        return PlainGitReads(workshop.reads, remote=remote, user=workshop.user)
    return CheckedReads(load_provider(parse_name(name)), name)


def refuse_planted(name: str, workshop: Workshop) -> None:
    """Raise BAD_PROVIDER where a change could replace the file of the provider `name`.

    Asked before anything of that file runs by every command that writes (DESIGN, Rulings 10).
    """
    if name != PLAIN_GIT:
        refuse_inside(parse_name(name), workshop.checkouts)


def open_provider(
    name: str, remote: str, standing: Standing, bench: Bench, base: BranchName
) -> tuple[ProviderReads, ProviderWrites]:
    """Return the provider for reading and for writing.

    Raises BAD_PROVIDER where there is none, or where a change could replace its file.
    """
    if name == PLAIN_GIT:
        writing = open_plain_git(standing, bench, base)
        return open_reading_provider(name, remote, bench.workshop), writing
    refuse_planted(name, bench.workshop)
    made = load_provider(parse_name(name))
    return CheckedReads(made, name), CheckedWrites(made, name)


def open_plain_git(standing: Standing, bench: Bench, base: BranchName) -> PlainGitWrites:
    """Return the plain-git provider for writing the queue of `base`."""
    workshop = bench.workshop
    hands = Hands(workshop.reads, workshop.builds, workshop.pushes, bench.merging, standing.clock)
    return PlainGitWrites(hands, base=base, user=workshop.user)
