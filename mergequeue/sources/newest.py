"""Which of a run's plans a job validates: that of the newest attempt which planned (CASES H)."""

from pathlib import Path

from mergequeue.sources.directory import PLAN
from mergequeue.vocabulary.artifacts import parse_artifact
from mergequeue.vocabulary.errors import NO_SOURCE


def newest_plan(folder: Path) -> Path:
    """Return the folder of the newest plan in one that holds an artifact's folder each.

    Raises NO_SOURCE where there is none.
    """
    found = [
        (name.attempt, child)
        for child in (sorted(folder.iterdir()) if folder.is_dir() else [])
        if (name := parse_artifact(child.name)) is not None and name.change is None
    ]
    if not found and (folder / PLAN).is_file():
        return folder
    if not found:
        raise NO_SOURCE(
            f"{folder} holds no plan of this run",
            "See that action-plan ended well in a job that this one needs.",
        )
    return max(found)[1]
