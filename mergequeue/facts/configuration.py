"""`mergequeue.toml`, read from the base commit: whatever is wrong in it is named by its key."""

from collections.abc import Mapping, Sequence
from datetime import date, time

from mergequeue.documents.config import (
    FILE,
    AutoResolveTable,
    Configuration,
    MessageTable,
    PreflightTable,
    QueueTable,
    ReviewersTable,
    SandboxTable,
    UnitTable,
)
from mergequeue.documents.reading import checked, read_configuration
from mergequeue.documents.record import Record
from mergequeue.facts.patterns import PatternError, Patterns
from mergequeue.ports import GitReads
from mergequeue.vocabulary.errors import BAD_CONFIGURATION
from mergequeue.vocabulary.ids import CommitId, RepoPath, short
from mergequeue.vocabulary.text import quoted

_TABLES: Mapping[str, type[Record]] = {
    "queue": QueueTable,
    "auto_resolve": AutoResolveTable,
    "sandbox": SandboxTable,
    "reviewers": ReviewersTable,
    "message": MessageTable,
}

_FAMILIES: Mapping[str, type[Record]] = {"unit": UnitTable, "preflight": PreflightTable}
"""Tables of tables, one a name."""


def load_configuration(reads: GitReads, commit: CommitId) -> Configuration:
    """Return what `mergequeue.toml` of a commit says; an empty configuration where it has none.

    Raises BAD_CONFIGURATION naming the key that is wrong, UNREADABLE where the file is too large.
    """
    raw = reads.read_file(commit, RepoPath(FILE.encode()))
    if raw is None:
        return Configuration()
    what = f"{FILE} of {short(commit)}"
    data = read_configuration(raw, what)
    _check_keys(data, "", Configuration, what)
    _check_values(data, "", what)
    configuration = checked(data, Configuration, what, BAD_CONFIGURATION)
    for name, unit in configuration.unit.items():
        for key in ("paths", "outputs", "updates", "generator"):
            _check_patterns(getattr(unit, key), f"{what}: unit.{name}.{key}")
    settling = configuration.auto_resolve
    _check_patterns(settling.prose or (), f"{what}: auto_resolve.prose")
    _check_patterns(settling.allow, f"{what}: auto_resolve.allow")
    return configuration


def _check_keys(table: Mapping[str, object], path: str, model: type[Record], what: str) -> None:
    """Raise for a key that this version does not know."""
    for key, value in table.items():
        if key not in model.model_fields:
            raise BAD_CONFIGURATION(_strange(key, path, model, what))
        if isinstance(value, dict) and model is Configuration:
            _check_table(key, value, what)


def _check_table(key: str, table: Mapping[str, object], what: str) -> None:
    if key in _TABLES:
        _check_keys(table, f"{key}.", _TABLES[key], what)
        return
    for name, inner in table.items():
        if isinstance(inner, dict):
            _check_keys(inner, f"{key}.{quoted(name)}.", _FAMILIES[key], what)


def _strange(key: str, path: str, model: type[Record], what: str) -> str:
    named = f"{what}: {path}{quoted(key)}"
    known = ", ".join(f"{path}{name}" for name in model.model_fields)
    return f"{named} is no key; known are {known}"


def _check_values(value: object, path: str, what: str) -> None:
    """Raise for a value that TOML has and no key takes."""
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_values(inner, f"{path}.{quoted(key)}", what)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            _check_values(inner, f"{path}[{number}]", what)
    elif isinstance(value, date | time):
        raise BAD_CONFIGURATION(f"{what}: {path.removeprefix('.')} is a date or time")


def _check_patterns(texts: Sequence[str], where: str) -> None:
    try:
        Patterns(texts)
    except PatternError as error:
        raise BAD_CONFIGURATION(f"{where}: {error}") from error
