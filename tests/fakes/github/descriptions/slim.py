"""Makes the slim copies beside it of GitHub's own descriptions of its REST and GraphQL interfaces.

    python -m tests.fakes.github.descriptions.slim [folder]

`openapi.json` keeps the operations that `operations.txt` names, with everything that they refer to;
`schema.graphql` keeps every type. Both leave out prose and examples. `sources.json` says which
packages they were made from. The packages come from the npm registry, which checks their hashes.
"""

import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Source(NamedTuple):
    """A file of a package of npm, and the licence beside it."""

    package: str
    version: str
    member: str
    license: str


OPENAPI = Source("@octokit/openapi", "23.0.2", "generated/api.github.com.json", license="LICENSE")
GRAPHQL = Source("@octokit/graphql-schema", "15.26.1", "schema.graphql", license="LICENSE.md")
_METHODS = ("get", "put", "post", "patch", "delete")
_PROSE = {"description", "summary", "tags", "externalDocs", "operationId", "title", "x-github"}
_EXAMPLES = {"example", "examples", "x-octokit"}


class Fetched(NamedTuple):
    """A file with its licence, and the hash that the package had."""

    content: bytes
    license: str
    integrity: str


def fetch(source: Source) -> Fetched:
    """Return a file of a package."""
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(
            ["npm", "pack", "--json", "--ignore-scripts", f"{source.package}@{source.version}"],
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
        )
        (packed,) = json.loads(said.stdout)
        with tarfile.open(Path(folder, packed["filename"])) as archive:
            content, license_text = (
                archive.extractfile(f"package/{name}") for name in (source.member, source.license)
            )
            assert content is not None
            assert license_text is not None
            return Fetched(content.read(), license_text.read().decode(), packed["integrity"])


def plain(schema: object, *, names: bool = False) -> object:
    """Return a part of a description without prose; `names` where keys are names of properties."""
    if isinstance(schema, dict):
        return {
            key: plain(value, names=key == "properties" and not names)
            for key, value in schema.items()
            if names or key not in _PROSE | _EXAMPLES
        }
    if isinstance(schema, list):
        return [plain(item) for item in schema]
    return schema


def references(part: object) -> Iterator[str]:
    """Yield what a part of a description refers to."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from references(value)
    elif isinstance(part, list):
        for item in part:
            yield from references(item)


def wanted_operations() -> list[tuple[str, str]]:
    """Return each wanted operation as its path and method."""
    lines = (HERE / "operations.txt").read_text("utf-8").split("\n")
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    return sorted((path, method.lower()) for method, path in pairs)


def slim_openapi(whole: Mapping[str, object]) -> dict[str, object]:
    """Return the wanted operations of a description, with all that they refer to."""
    paths: dict[str, dict[str, object]] = {}
    described = _mapping(whole["paths"])
    for path, method in wanted_operations():
        paths.setdefault(path, {})[method] = plain(_mapping(described[path])[method])
    components: dict[str, dict[str, object]] = {}
    waiting = list(references(paths))
    while waiting:
        _, _, kind, name = waiting.pop().split("/")
        if name not in components.setdefault(kind, {}):
            part = plain(_mapping(_mapping(_mapping(whole["components"])[kind])[name]))
            components[kind][name] = part
            waiting += references(part)
    sorted_components = {kind: dict(sorted(components[kind].items())) for kind in components}
    return {"openapi": whole["openapi"], "paths": paths, "components": sorted_components}


def _mapping(part: object) -> Mapping[str, object]:
    assert isinstance(part, dict), part
    return part


def slim_graphql(schema: str) -> str:
    """Return a schema without its descriptions."""
    return re.sub(r"\n\n+", "\n", re.sub(r'[ \t]*"""(?:[^"]|"(?!""))*"""\n', "", schema)).lstrip()


def one_a_line(description: Mapping[str, object]) -> str:
    """Return a description as JSON with a line for each operation and each part, for its diffs."""
    lines: list[str] = []

    def put(name: str, value: object, depth: int) -> None:
        start = f"{' ' * depth}{json.dumps(name)}: "
        if depth < 3 and isinstance(value, dict) and name != "openapi":
            lines.append(start + "{")
            for key, part in value.items():
                put(key, part, depth + 1)
            lines[-1] = lines[-1].removesuffix(",")
            lines.append(" " * depth + "},")
        else:
            lines.append(start + json.dumps(value, separators=(",", ":")) + ",")

    for name, value in description.items():
        put(name, value, 1)
    lines[-1] = lines[-1].removesuffix(",")
    return "\n".join(["{", *lines, "}", ""])


def make(folder: Path) -> None:
    """Write the copies, what they were made from, and the licences that they stand under."""
    openapi, graphql = fetch(OPENAPI), fetch(GRAPHQL)
    described = slim_openapi(json.loads(openapi.content))
    made = {
        "openapi.json": (OPENAPI, openapi, one_a_line(described)),
        "schema.graphql": (GRAPHQL, graphql, slim_graphql(graphql.content.decode())),
    }
    sources = []
    licenses = ["The copies in this folder stand under the licences of what they were made from."]
    for name, (source, fetched, text) in made.items():
        folder.joinpath(name).write_text(text, "utf-8")
        where = {"package": source.package, "version": source.version, "file": source.member}
        sources.append({"copy": name, **where, "integrity": fetched.integrity})
        licenses.append(f"{name}, from {source.package}:\n\n{fetched.license.strip()}")
    folder.joinpath("sources.json").write_text(json.dumps(sources, indent=2) + "\n", "utf-8")
    folder.joinpath("LICENSES.txt").write_text("\n\n\n".join(licenses) + "\n", "utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
