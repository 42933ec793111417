"""`mergequeue.toml` is read from the base commit, and what is wrong in it is named by its key."""

from dataclasses import dataclass
from typing import cast

import pytest

from mergequeue.documents.config import Configuration
from mergequeue.facts.configuration import load_configuration
from mergequeue.ports import GitReads
from mergequeue.vocabulary.errors import BAD_CONFIGURATION, UsageError
from mergequeue.vocabulary.ids import CommitId, RepoPath, TreeId, Unit

BASE = CommitId("0123456789ab" + "0" * 28)


@dataclass
class OneFile:
    """A repository whose base holds one file, or none."""

    content: bytes | None

    def read_file(self, commit: CommitId | TreeId, path: RepoPath) -> bytes | None:
        assert (commit, path) == (BASE, b"mergequeue.toml")
        return self.content


def load(content: str | bytes | None) -> Configuration:
    raw = content.encode() if isinstance(content, str) else content
    return load_configuration(cast("GitReads", OneFile(raw)), BASE)


def test_a_base_without_the_file_has_an_empty_configuration() -> None:
    assert load(None) == Configuration()
    assert load("") == Configuration()


def test_every_key_of_this_version() -> None:
    found = load(
        """
        [queue]
        gate = "make check"
        depth = 4
        batch = 2
        rest = "rest of it"
        regenerate = "make generate"

        [unit.parser]
        paths = ["libs/parser/**", "!*.md"]
        depends = ["lexer", "rest of it"]
        outputs = ["libs/parser/gen/**"]
        updates = ["libs/parser/table.c"]
        generator = ["tools/gen/**"]

        [unit.lexer]
        paths = ["libs/lexer/"]
        """
    )
    assert (found.queue.gate, found.queue.depth, found.queue.batch) == ("make check", 4, 2)
    assert (found.queue.rest, found.queue.regenerate) == ("rest of it", "make generate")
    assert found.unit[Unit("parser")].paths == ("libs/parser/**", "!*.md")
    assert found.unit[Unit("parser")].depends == ("lexer", "rest of it")
    assert found.unit[Unit("parser")].outputs == ("libs/parser/gen/**",)
    assert found.unit[Unit("parser")].updates == ("libs/parser/table.c",)
    assert found.unit[Unit("parser")].generator == ("tools/gen/**",)
    assert list(found.unit) == ["parser", "lexer"]


UNIT = "[unit.a]\npaths = ['a']\n"

WRONG = {
    "no TOML": ("[queue", "cannot be read as TOML"),
    "no text": (b"\xff", "cannot be read as TOML"),
    "a repeated key": ("[queue]\ndepth = 1\ndepth = 2", "cannot be read as TOML"),
    "a table of no name": ("[queues]\ngate = 'x'", "queues is no key; known are queue"),
    "a key at the top": ("gate = 'x'", "gate is no key; known are queue"),
    "a misspelt option": (
        "[queue]\ngates = 'x'",
        "queue.gates is no key; known are queue.gate, queue.regenerate, queue.depth",
    ),
    "a misspelt unit key": (
        UNIT + "path = []",
        "unit.a.path is no key; known are unit.a.paths, unit.a.depends",
    ),
    "a number as text": ("[queue]\ndepth = '4'", "queue.depth"),
    "a depth of none": ("[queue]\ndepth = 0", "queue.depth"),
    "a batch below": ("[queue]\nbatch = -1", "queue.batch"),
    "a fraction": ("[queue]\nbatch = 1.5", "queue.batch"),
    "no number": ("[queue]\nbatch = nan", "queue.batch"),
    "a date": ("[queue]\ngate = 2024-01-01", "queue.gate is a date or time"),
    "a time": (UNIT + "depends = [07:32:00]", "unit.a.depends[0] is a date or time"),
    "a gate of words": ("[queue]\ngate = ['make', 'check']", "queue.gate"),
    "a queue that is no table": ("queue = 'x'", "queue"),
    "units that are no tables": ("unit = ['a']", "unit"),
    "a strange key of a pre-flight": (
        "[preflight.lint]\nrun = 'x'",
        "preflight.lint.run is no key; known are preflight.lint.check, preflight.lint.command",
    ),
    "a pre-flight that nothing runs": ("[preflight.lint]\ncheck = ' '", "preflight.lint"),
    "a pre-flight that is no table": ("[preflight]\nlint = 'x'", "preflight.lint"),
    "a pre-flight without a usable name": ("[preflight.'-x']\ncommand = 'x'", "preflight.-x"),
    "reviewers in one text": ("[reviewers]\nrequired = 'octocat'", "reviewers.required"),
    "a reviewer twice": ("[reviewers]\nrequired = ['a', 'a']", "required names a twice"),
    "a wait without a unit": ("[reviewers]\nwait = '30'", "reviewers.wait"),
    "one who comments and is not required": (
        "[reviewers]\ncomments = ['a']",
        "comments names a, which required does not",
    ),
    "a strange key of reviewers": ("[reviewers]\nteams = []", "reviewers.teams is no key"),
    "a field that is none": ("[message]\ntitle = '{number}'", "title has {number}, which is no"),
    "a field of a field": ("[message]\nbody = '{title.x}'", "body has {title.x}, which is no"),
    "a field without a name": ("[message]\nbody = '{}'", "body has {}, which is no field"),
    "a field with a form": ("[message]\nbody = '{title:>9}'", "body has {title}, which is no"),
    "people in a body": ("[message]\nbody = '{reviewer}'", "body has {reviewer}, which is no"),
    "a brace without its other": ("[message]\ntitle = '{title'", "title is no template"),
    "a title of two lines": ('[message]\ntitle = "a\\nb"', "the title is one line"),
    "a trailer without a key": ("[message]\ntrailers = ['by {reviewer}']", "as `Key: value`"),
    "a trailer of two kinds of people": (
        "[message]\ntrailers = ['By: {reviewer} {co_author}']",
        "names people in one way",
    ),
    "a unit that is no table": ("[unit]\na = 'x'", "unit.a"),
    "a unit without paths": ("[unit.a]", "unit.a.paths"),
    "a unit of no paths": ("[unit.a]\npaths = []", "unit.a.paths"),
    "an empty path": ("[unit.a]\npaths = ['']", "unit.a.paths"),
    "one path alone": ("[unit.a]\npaths = 'a'", "unit.a.paths"),
    "a comment for a path": ("[unit.a]\npaths = ['# a']", "unit.a.paths: # a matches no path"),
    "a broken pattern": ("[unit.a]\npaths = ['a', '[a']", "unit.a.paths: [a matches no path"),
    "a comment for an output": (UNIT + "outputs = ['# a']", "unit.a.outputs: # a matches no path"),
    "a broken update": (UNIT + "updates = ['[a']", "unit.a.updates: [a matches no path"),
    "an empty generator": (UNIT + "generator = ['']", "unit.a.generator"),
    "a regeneration of words": ("[queue]\nregenerate = ['make']", "queue.regenerate"),
    "a comment for prose": (
        "[auto_resolve]\nprose = ['# a']",
        "auto_resolve.prose: # a matches no path",
    ),
    "a broken opt-in": ("[auto_resolve]\nallow = ['[a']", "auto_resolve.allow: [a matches no path"),
    "prose of words": ("[auto_resolve]\nprose = '*.md'", "auto_resolve.prose"),
    "a misspelt opt-in": (
        "[auto_resolve]\nallowed = ['a']",
        "auto_resolve.allowed is no key; known are auto_resolve.prose, auto_resolve.allow",
    ),
    "a unit like an option": ("[unit.'-x']\npaths = ['a']", "unit"),
    "a unit like everything": ("[unit.'/']\npaths = ['a']", "unit"),
    "an empty unit": ("[unit.'']\npaths = ['a']", "unit"),
    "a unit of two lines": ('[unit."a\\nb"]\npaths = ["a"]', "unit"),
    "a dependency that is none": (UNIT + "depends = ['b']", "unit a depends on b"),
    "a rest like an option": ("[queue]\nrest = '-x'", "queue.rest"),
    "a sandbox without a kernel": ("[sandbox]\nmode = 'off'", "sandbox.mode"),
    "an unknown wish of the sandbox": ("[sandbox]\nnetwork = 'off'", "sandbox.network is no key"),
    "a port that is none": ("[sandbox]\ntcp_connect = [65536]", "sandbox.tcp_connect"),
}


@pytest.mark.parametrize(("content", "problem"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_by_its_key(content: str | bytes, problem: str) -> None:
    with pytest.raises(UsageError) as refused:
        load(content)
    assert refused.value.code == BAD_CONFIGURATION.code
    assert refused.value.problem.startswith("mergequeue.toml of 0123456789ab")
    assert problem in refused.value.problem
    assert refused.value.problem.isprintable()


def test_pre_flights_stand_in_the_order_of_the_file() -> None:
    found = load(
        """
        [preflight.test]
        check = "test (3.13)"
        command = "make test"

        [preflight.lint]
        command = "make lint"
        """
    )
    assert list(found.preflight) == ["test", "lint"]
    assert found.preflight["test"].check == "test (3.13)"
    assert (found.preflight["lint"].check, found.preflight["lint"].command) == ("", "make lint")
