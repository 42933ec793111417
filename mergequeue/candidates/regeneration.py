"""Where files may be regenerated, and which of its writes count (facts C11, C12; pure).

    refusal = decide_before(stale, modes)                 may it run there at all?
    refusal = decide_left(touched, outputs)               did it leave what nobody declares?
    paths = paths_to_take(touched, outputs)               what is read of it
    refusal = decide_written(differences, outputs)        did it rewrite what nobody declares?

A file that the build tool maintains itself counts as unwritten, so the commit keeps the change's.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mergequeue.changes.writable import unwritable_path
from mergequeue.ports import Difference, Outputs, Stale, Touched
from mergequeue.report import refusals
from mergequeue.vocabulary.ids import RepoPath
from mergequeue.vocabulary.text import holds_line_break

_LINK = 0o120000
_FILE = 0o100644


@dataclass(frozen=True)
class Refusal:
    """Why what a regeneration would write, or wrote, is not taken."""

    sentence: str
    paths: tuple[RepoPath, ...] = ()


def places_of(paths: Iterable[RepoPath]) -> frozenset[RepoPath]:
    """Return these paths, and every folder that one of them lies in."""
    found: set[RepoPath] = set()
    for path in paths:
        end = len(path)
        while end > 0 and path[:end] not in found:
            found.add(RepoPath(path[:end]))
            end = path.rfind(b"/", 0, end)
    return frozenset(found)


def links_among(paths: Collection[RepoPath], modes: Mapping[RepoPath, int]) -> tuple[RepoPath, ...]:
    """Return which of these paths are a symbolic link, or lie beneath one; sorted."""
    links = {path for path, mode in modes.items() if mode == _LINK}
    return tuple(sorted(path for path in paths if not links.isdisjoint(places_of([path]))))


def decide_before(stale: Stale, modes: Mapping[RepoPath, int]) -> Refusal | None:
    """Return why nothing is regenerated in a commit; `modes` are those of all `places_of` it."""
    broken = tuple(path for path in stale.outputs if holds_line_break(path))
    if broken:
        return Refusal(refusals.line_break_refused(), broken)
    links = links_among({*stale.touched, *stale.outputs}, modes)
    return Refusal(refusals.links_refused(), links) if links else None


def decide_left(touched: Touched, outputs: Outputs) -> Refusal | None:
    """Return why what a hook left is not even read: strays, or what no checkout can hold."""
    if touched.tampered:
        return Refusal(refusals.tampered_refused(touched.tampered))
    strays = touched.new - outputs.outputs - outputs.updated - outputs.maintained
    if strays:
        return Refusal(refusals.strays_refused(), tuple(sorted(strays)))
    come = sorted(touched.new)
    unwritable = unwritable_path(Difference(path, 0, _FILE, "") for path in come)
    if unwritable is not None:
        return Refusal(refusals.unwritable_refused(unwritable), (unwritable,))
    return None


def paths_to_take(touched: Touched, outputs: Outputs) -> frozenset[RepoPath]:
    """Return what is read of what a hook left: all but what the build tool maintains."""
    return (touched.changed | touched.new) - outputs.maintained


def decide_written(differences: Sequence[Difference], outputs: Outputs) -> Refusal | None:
    """Return why what was read is not taken: source that nothing declares as rewritten."""
    declared = outputs.outputs | outputs.updated
    strays = tuple(each.path for each in differences if each.path not in declared)
    return Refusal(refusals.strays_refused(), strays) if strays else None
