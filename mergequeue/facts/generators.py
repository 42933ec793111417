"""Which changed paths are code of a regeneration, whoever declares its units.

A program inside the checkout that the `regenerate` words name is code of every regeneration, and so
is `mergequeue.toml`, which says what the words and the generators are (DESIGN, Facts). Where no
build tool says better, so is what build tools read unasked: `make generate` names no makefile, and
runs whatever stands in one.
"""

import os.path
import re
from collections.abc import Collection, Sequence

from mergequeue.documents.config import FILE
from mergequeue.vocabulary.ids import RepoPath

_MODULE = re.compile(r"\w+(?:\.\w+)*")
_BUILD_FILES = frozenset(
    b"""
    GNUmakefile Makefile makefile Justfile justfile .justfile Rakefile Taskfile.yml
    Taskfile.yaml Gemfile Gemfile.lock CMakeLists.txt meson.build build.xml pom.xml
    build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties
    BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel MODULE.bazel.lock .bazelrc
    .bazelversion package.json package-lock.json npm-shrinkwrap.json yarn.lock .yarnrc.yml
    pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb .npmrc deno.json deno.lock
    pyproject.toml setup.py setup.cfg tox.ini noxfile.py uv.lock poetry.lock pdm.lock
    Pipfile Pipfile.lock requirements.txt sitecustomize.py usercustomize.py Cargo.toml
    Cargo.lock build.rs rust-toolchain rust-toolchain.toml go.mod go.sum go.work
    go.work.sum flake.nix flake.lock shell.nix default.nix .envrc .tool-versions mise.toml
    .mise.toml mise.lock .python-version .ruby-version .node-version .nvmrc .sdkmanrc
    buf.yaml buf.gen.yaml buf.lock
    """.split()
)
"""Definitions, pins and locks that a tool reads where it finds them, by their names."""
_BUILD_ENDS = (b".mk", b".cmake", b".bzl")


def is_build_file(path: RepoPath) -> bool:
    """Whether a build tool reads a file by itself, so that whoever changes it may run anything."""
    name = path.rpartition(b"/")[2]
    return name in _BUILD_FILES or name.endswith(_BUILD_ENDS)


def code_of_words(words: Sequence[str], changed: Collection[RepoPath]) -> frozenset[RepoPath]:
    """Return the changed paths that are `mergequeue.toml`, or that the words name.

    A word names a file of the checkout, or a folder and what is in it, either of them as a module
    of Python's too; so does what follows the `=` of one. The first word without a `/` is a program
    of PATH, which is never in the checkout.
    """
    named = {FILE.encode(), *_named_by(words)}
    return frozenset(path for path in changed if not named.isdisjoint(_path_and_folders(path)))


def _named_by(words: Sequence[str]) -> frozenset[bytes]:
    program, *rest = words or ("",)
    candidates = [*([program] if "/" in program else []), *rest]
    candidates += [word.partition("=")[2] for word in rest if "=" in word]
    modules = [word.replace(".", "/") for word in rest if _MODULE.fullmatch(word)]
    candidates += [*modules, *(f"{module}.py" for module in modules)]
    plain = (os.path.normpath(word) for word in candidates if word and not word.startswith("/"))
    return frozenset(os.fsencode(word) for word in plain if word != "." and word[:2] != "..")


def _path_and_folders(path: RepoPath) -> frozenset[bytes]:
    parts = path.split(b"/")
    return frozenset(b"/".join(parts[:count]) for count in range(1, len(parts) + 1))
