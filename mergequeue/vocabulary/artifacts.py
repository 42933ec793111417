"""What a validation run's artifacts are called (CASES H).

    mergequeue-plan              the plan, as `plan.json`
    mergequeue-verdict-482       the verdict on 482, and `candidate.bundle` where there is one
    mergequeue-verdict-482@2     the same, from the run's second attempt
    mergequeue-suspects-482@2.1  whom the job of 482 suspects, as the second attempt said first

A name is given once in a run, whatever its attempt, so a re-run's names say which attempt they are
of. An id holds no `@`, so no two (change, attempt) have one name. Of a job's suspects the last that
it told of count, by the number behind its attempt.
"""

import re
from dataclasses import dataclass

from mergequeue.vocabulary.ids import ChangeId, parse_change

_PLAN = "mergequeue-plan"
_VERDICT = "mergequeue-verdict-"
_SUSPECTS = "mergequeue-suspects-"
_SUSPECTS_NAME = re.compile(
    rf"{_SUSPECTS}(?P<job>[^@]+)@(?P<attempt>[1-9][0-9]{{0,8}})\.(?P<number>[1-9][0-9]{{0,8}})\Z"
)
_NAME = re.compile(
    rf"(?:(?P<plan>{_PLAN})|{_VERDICT}(?P<change>[^@]+))(?:@(?P<attempt>[1-9][0-9]{{0,8}}))?\Z"
)


@dataclass(frozen=True)
class ArtifactName:
    """What an artifact holds, and from which attempt of its run."""

    change: ChangeId | None
    """Whose verdict it is; None for the plan."""
    attempt: int = 1

    def __str__(self) -> str:
        kind = _PLAN if self.change is None else f"{_VERDICT}{self.change}"
        return kind if self.attempt == 1 else f"{kind}@{self.attempt}"


def parse_artifact(name: str) -> ArtifactName | None:
    """Return what an artifact of this name holds; None where it is none of the queue's."""
    found = _NAME.match(name)
    if found is None:
        return None
    attempt = int(found["attempt"] or 1)
    if found["plan"]:
        return ArtifactName(None, attempt)
    try:
        return ArtifactName(parse_change(found["change"]), attempt)
    except ValueError:
        return None


@dataclass(frozen=True, order=True)
class SuspectsName:
    """Which of a job's suspects an artifact holds: the newest is the greatest."""

    attempt: int
    number: int
    """The how manieth that its attempt told of, from 1."""
    job: ChangeId
    """The last change of what the job validates."""

    def __str__(self) -> str:
        return f"{_SUSPECTS}{self.job}@{self.attempt}.{self.number}"


def parse_suspects(name: str) -> SuspectsName | None:
    """Return whose suspects an artifact of this name holds; None where it holds none."""
    found = _SUSPECTS_NAME.match(name)
    if found is None:
        return None
    try:
        job = parse_change(found["job"])
    except ValueError:
        return None
    return SuspectsName(int(found["attempt"]), int(found["number"]), job)
