"""The reference pages and JSON schemas made from the code: written, or compared with `--check`.

Run by `bin/docs`. Nothing in the pages is typed by hand, so they cannot differ from the program;
`.ci/run` compares them.
"""

import ast
import inspect
import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from mergequeue.cli import group
from mergequeue.documents.capabilities import Capabilities
from mergequeue.documents.changes import Changes
from mergequeue.documents.config import FILE, Configuration
from mergequeue.documents.event import Event
from mergequeue.documents.memory import Day, Entry, Hints, Pause
from mergequeue.documents.now import Now
from mergequeue.documents.plan import Plan
from mergequeue.documents.record import Record
from mergequeue.documents.state import ChangeState, MergedState
from mergequeue.documents.stats import Stats
from mergequeue.documents.suspects import Suspicion
from mergequeue.documents.verdict import Verdict
from mergequeue.vocabulary.codes import MEANINGS
from mergequeue.vocabulary.errors import KINDS

DOCS = Path(__file__).resolve().parent
MODELS: dict[str, type[BaseModel]] = {
    "changes": Changes,
    "plan": Plan,
    "verdict": Verdict,
    "suspects": Suspicion,
    "event": Event,
    "capabilities": Capabilities,
    "state-change": ChangeState,
    "state-merged": MergedState,
    "memory-pause": Pause,
    "memory-hints": Hints,
    "memory-entry": Entry,
    "memory-day": Day,
    "memory-now": Now,
    "stats": Stats,
    "configuration": Configuration,
}
NOTE = "<!-- Made from the code by bin/docs; do not edit. -->\n\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Yield each page's path and text."""
    yield DOCS / "reference/errors.md", NOTE + errors_page()
    yield DOCS / "reference/codes.md", NOTE + codes_page()
    yield DOCS / "reference/commands.md", NOTE + commands_page()
    yield DOCS / "reference/documents.md", NOTE + documents_page()
    for name, model in MODELS.items():
        schema = schema_of(model)
        yield DOCS / f"schemas/{name}.json", json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """Return a document's JSON schema, each field with what the code says of it.

    The document's own `schema` is required, as reading requires it.
    """
    schema = model.model_json_schema(by_alias=True)
    if "schema_" in model.model_fields:
        schema["required"] = ["schema", *schema.get("required", [])]
    for name, part in [(model.__name__, schema), *schema.get("$defs", {}).items()]:
        if "properties" in part:
            describe_fields(part["properties"], records()[name])
    return schema


def records() -> dict[str, type[Record]]:
    """Return every kind of record that a document has by its name."""
    found: list[type[Record]] = [Record]
    for kind in found:
        found += kind.__subclasses__()
    here = Configuration.__module__.rpartition(".")[0]
    return {kind.__name__: kind for kind in found if kind.__module__.startswith(f"{here}.")}


def describe_fields(properties: dict[str, Any], kind: type[Record]) -> None:
    """Add to each field what the string beneath it says, in its class or one that it builds on."""
    for owner in reversed(kind.__mro__):
        if not issubclass(owner, Record):
            continue
        for name, said in strings_beneath(inspect.getsource(owner)):
            key = kind.model_fields[name].alias or name
            properties[key] = {"description": said, **properties[key]}


def strings_beneath(source: str) -> Iterator[tuple[str, str]]:
    """Yield each annotated name of a class that has a string right beneath it, and the string."""
    body = next(node.body for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    for field, beneath in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            said = beneath.value if isinstance(beneath, ast.Expr) else None
            if isinstance(said, ast.Constant) and isinstance(said.value, str):
                yield field.target.id, inspect.cleandoc(said.value)


def errors_page() -> str:
    """Return the page of every error code."""
    rows = [
        (kind.code, "2" if kind.code.startswith("MQ1") else "1", kind.meaning, kind.remedy)
        for kind in KINDS.values()
    ]
    text = (
        "# Errors\n\n"
        "Every error has a stable code, a sentence on what is wrong and one on what to do. "
        "Exit status 2 is the caller's mistake, and nothing was written; "
        "exit status 1 means that the queue ran and failed. "
        "A change that is kicked back or waits is no error: see [codes](codes.md).\n\n"
    )
    return text + table(("code", "exit", "what is wrong", "what to do"), rows)


def codes_page() -> str:
    """Return the page of every code that a change waits or is kicked back with."""
    rows = [(f"`{code}`", meaning) for code, meaning in MEANINGS.items()]
    return (
        "# Codes\n\n"
        "Why a change waits (it stays queued) or was kicked back (its author has it again).\n\n"
        + table(("code", "means"), rows)
    )


def commands_page() -> str:
    """Return every subcommand's help, as the program prints it."""
    parts = ["# Commands\n"]
    context = click.Context(
        group, info_name="mergequeue", max_content_width=110, terminal_width=110
    )
    parts.append(f"```\n{group.get_help(context)}\n```\n")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None:
            continue
        sub = click.Context(
            command, info_name=name, parent=context, max_content_width=110, terminal_width=110
        )
        parts.append(f"## mergequeue {name}\n\n```\n{command.get_help(sub)}\n```\n")
    return "\n".join(parts)


_DOCUMENTS = (
    "# Documents\n\n"
    "Every document is checked when it is written and when it is read: an unknown key, a missing "
    "one, a key that stands twice, a short commit id or an unknown schema name is one error with "
    "its code and its path, exit 2, and nothing is written. "
    "Documents are UTF-8 JSON of at most 32 MiB. "
    "The JSON schemas are in [`docs/schemas`](../schemas).\n"
)


def documents_page() -> str:
    """Return the fields of every document, record by record."""
    parts = [_DOCUMENTS]
    shown: set[str] = set()
    for name, model in MODELS.items():
        schema = schema_of(model)
        default = model.model_fields["schema_"].default if "schema_" in model.model_fields else FILE
        link = f"Schema: [`{name}.json`](../schemas/{name}.json)."
        parts.append(f"## {name}: `{default}`\n\n{first_line(model)} {link}\n")
        parts.append(fields_table(schema))
        for record, inner in schema.get("$defs", {}).items():
            if record in shown:
                continue
            shown.add(record)
            parts.append(f"### {record}\n\n{str(inner.get('description', '')).split(chr(10))[0]}\n")
            parts.append(
                fields_table(inner)
                if "properties" in inner
                else f"One of {', '.join(f'`{v}`' for v in inner.get('enum', []))}.\n"
            )
    return "\n".join(parts)


def first_line(model: type[BaseModel]) -> str:
    """Return what the docstring of a record's module says first."""
    module = sys.modules[model.__module__].__doc__ or ""
    said = module.strip().split("\n")[0].split(": ", 1)[-1]
    return said[:1].upper() + said[1:]


def fields_table(schema: dict[str, Any]) -> str:
    """Return the table of a record's fields."""
    required = set(schema.get("required", []))
    rows = []
    for name, field in schema["properties"].items():
        need = "yes" if name in required else ""
        rows.append(
            (
                f"`{name}`",
                kind_of(field),
                need,
                str(field.get("description", "")).replace("\n", " "),
            )
        )
    return table(("key", "holds", "required", "meaning"), rows)


def kind_of(field: dict[str, Any]) -> str:
    """Return what a field holds, in words."""
    if "$ref" in field:
        return str(field["$ref"]).rsplit("/", 1)[-1]
    if "const" in field:
        return f"`{field['const']}`"
    if "anyOf" in field:
        return " or ".join(kind_of(option) for option in field["anyOf"])
    if field.get("type") == "array":
        return f"list of {kind_of(field.get('items', {}))}"
    if field.get("type") == "object":
        return f"table of {kind_of(field.get('additionalProperties', {}) or {})}"
    return str(field.get("format") or field.get("type") or "anything")


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the pages, or with `--check` name those that differ and return 1."""
    check = sys.argv[1:] == ["--check"]
    stale = [
        path
        for path, text in pages()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in pages():
        if not check and path in stale:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for path in stale:
        sys.stderr.write(
            f"{'differs from the code' if check else 'written'}: {path.relative_to(DOCS.parent)}\n"
        )
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
