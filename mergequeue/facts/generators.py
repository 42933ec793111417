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
    buf.yaml buf.gen.yaml buf.lock .bazeliskrc WORKSPACE.bzlmod gradle-wrapper.jar
    gradle-wrapper.properties build.sbt build.sc mix.exs mix.lock rebar.config composer.json
    composer.lock Package.swift Package.resolved pubspec.yaml pubspec.lock build.zig
    build.zig.zon stack.yaml cabal.project dune dune-project SConstruct SConscript wscript
    magefile.go Earthfile .pnpmfile.cjs .yarnrc bunfig.toml deno.jsonc mise.local.toml
    conftest.py Directory.Build.props Directory.Build.targets Directory.Packages.props
    global.json nuget.config dotnet-tools.json
    """.lower().split()
)
"""Definitions, pins and locks that a tool reads where it finds them, by their names."""
_BUILD_ENDS = (b".mk", b".cmake", b".bzl", b".csproj", b".fsproj", b".cabal", b".gemspec")
_BUILD_FOLDERS = frozenset({b".cargo", b".mvn", b".yarn", b".mise", b"buildsrc"})
"""What configures a build tool by the folder that it lies in, such as `.cargo/config.toml`."""
_UNSPOKEN = re.compile(r"[\s;&|()<>\"'`$=:,]+")
"""What no name of a file is expected to hold, where a word holds more than one."""


def is_build_file(path: RepoPath) -> bool:
    """Whether a build tool reads a file by itself, so that whoever changes it may run anything."""
    *folders, name = path.lower().split(b"/")
    is_named = name in _BUILD_FILES or name.endswith(_BUILD_ENDS)
    return is_named or not _BUILD_FOLDERS.isdisjoint(folders)


def code_of_words(words: Sequence[str], changed: Collection[RepoPath]) -> frozenset[RepoPath]:
    """Return the changed paths that are `mergequeue.toml`, or that the words name.

    A word names a file of the checkout, or a folder and what is in it, either of them as a module
    of Python's too; so does each part of one (`sh -c "python tools/gen"`, `--config=gen.yml`,
    `-Ctools`). The first word without a `/` is a program of PATH, which is never in the checkout.
    """
    named = {FILE.encode(), *_named_by(words)}
    return frozenset(path for path in changed if not named.isdisjoint(_path_and_folders(path)))


def _named_by(words: Sequence[str]) -> frozenset[bytes]:
    program, *rest = words or ("",)
    candidates = [*([program] if "/" in program else []), *rest]
    candidates += [part for word in rest for part in _UNSPOKEN.split(word)]
    candidates += [word[2:] for word in candidates if word.startswith("-")]
    modules = [word.replace(".", "/") for word in candidates if _MODULE.fullmatch(word)]
    candidates += [*modules, *(f"{module}.py" for module in modules)]
    packages = [module[: end.start()] for module in modules for end in re.finditer("/", module)]
    candidates += [f"{package}/__init__.py" for package in packages]
    plain = (os.path.normpath(word) for word in candidates if word and not word.startswith("/"))
    return frozenset(os.fsencode(word) for word in plain if word != "." and word[:2] != "..")


def _path_and_folders(path: RepoPath) -> frozenset[bytes]:
    parts = path.split(b"/")
    return frozenset(b"/".join(parts[:count]) for count in range(1, len(parts) + 1))
