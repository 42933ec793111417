"""What every record of every document has in common, and the field types they share."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from mergequeue.vocabulary import ids


class Record(BaseModel):
    """A frozen record: an unknown key, or a value of another type than its own, is an error."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        populate_by_name=True,
    )


def _strictly_parsed(parse: object) -> AfterValidator:
    return AfterValidator(parse)  # type: ignore[arg-type]  # each parser below takes and returns a str


CommitId = Annotated[ids.CommitId, _strictly_parsed(ids.parse_commit)]
TreeId = Annotated[ids.TreeId, _strictly_parsed(ids.parse_commit)]
ChangeId = Annotated[ids.ChangeId, _strictly_parsed(ids.parse_change)]
BranchName = Annotated[ids.BranchName, _strictly_parsed(ids.parse_branch)]
RefName = Annotated[ids.RefName, _strictly_parsed(ids.parse_ref)]
Unit = ids.Unit
NonEmpty = Annotated[str, StringConstraints(min_length=1)]


def require(condition: bool, problem: str) -> None:  # noqa: FBT001 (an assertion's condition)
    """Raise the ValueError that a validator of a record turns into an error with its path."""
    if not condition:
        raise ValueError(problem)


def repeated(names: Iterable[str]) -> str | None:
    """Return the first name that stands twice, or None."""
    names = tuple(names)
    if len(set(names)) == len(names):
        return None
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
