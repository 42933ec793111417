"""DESIGN's three rules held over the package, and each rule seen to report what it should."""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.house import rules
from tests.house.rules import RULES, STAGES, Module

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "mergequeue"

_TEXT = {".cfg", ".json", ".md", ".py", ".pyi", ".sh", ".toml", ".txt", ".yaml", ".yml", ""}
_NOT_OURS = re.compile(r"(\.git|\.venv.*|\..*_cache|\.hypothesis|__pycache__|build|dist)")


def modules() -> list[Module]:
    paths = sorted(PACKAGE.rglob("*.py"))
    return [Module(str(path.relative_to(ROOT)), path.read_text("utf-8")) for path in paths]


def texts(folder: Path = ROOT) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or _NOT_OURS.fullmatch(path.name):
            continue
        if path.is_dir():
            yield from texts(path)
        elif path.suffix in _TEXT:
            yield path


# --- the package ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.__name__))
def test_the_package_keeps_the_rule(rule: Callable[[Module], Iterator[str]]) -> None:
    assert [found for module in modules() for found in rule(module)] == []


def test_the_rules_have_something_to_look_at() -> None:
    scanned = modules()
    assert len(scanned) > 10
    assert any(module.is_pure for module in scanned)


def test_every_stage_has_its_step() -> None:
    steps = [f"{stage}/{step}.py" for stage, step in STAGES.items()]
    assert [step for step in steps if not (PACKAGE / step).is_file()] == []


def test_the_contracts_protect_the_very_steps_that_the_rules_know() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    protected = [c["protected_modules"] for c in contracts["contracts"] if c["type"] == "protected"]
    assert protected == [[f"mergequeue.*.{step}" for step in STAGES.values()]]


def test_every_exception_to_a_size_is_still_needed() -> None:
    paths = {module.path: module for module in modules()}
    for place, (_, reason) in rules.LARGER.items():
        path, _, function = place.partition(":")
        assert reason
        assert function in paths[path].source


def test_no_file_says_a_word_of_another_program() -> None:
    found = [
        finding
        for path in texts()
        for finding in rules.foreign_words(str(path.relative_to(ROOT)), path.read_text("utf-8"))
    ]
    assert found == []


def test_the_search_for_words_reads_code_and_documents() -> None:
    seen = {str(path.relative_to(ROOT)) for path in texts()}
    named = {"CONTRIBUTING.md", "bin/test", "mergequeue/ports/__init__.py", "tests/conftest.py"}
    assert named <= seen


# --- the rules -----------------------------------------------------------------------------------

PURE = "mergequeue/plan/stacks.py"
STEP = "mergequeue/plan/planner.py"
TOOL = "mergequeue/facts/units.py"
CODE = "from mergequeue.vocabulary.codes import Code"

BAD = [
    # rule, path, source
    ("impurities", PURE, "import os"),
    ("impurities", PURE, "import os.path as p"),
    ("impurities", PURE, "from os import path"),
    ("impurities", PURE, "def f():\n    import subprocess"),
    ("impurities", PURE, "import pathlib"),
    ("impurities", PURE, "from pathlib import Path"),
    ("impurities", PURE, "from urllib.request import urlopen"),
    ("impurities", PURE, "import pygit2"),
    ("impurities", PURE, "open('x')"),
    ("impurities", PURE, "print('x')"),
    ("impurities", PURE, "from datetime import datetime\ndatetime.now()"),
    ("impurities", PURE, "from datetime import datetime as d\nx = dict(made=d.utcnow)"),
    ("impurities", PURE, "import datetime\ndatetime.date.today()"),
    ("impurities", "mergequeue/ports/__init__.py", "import sys"),
    ("impurities", "mergequeue/vocabulary/ids.py", "import random"),
    ("impurities", "mergequeue/documents/plan.py", "import time"),
    ("impurities", "mergequeue/report/page.py", "import threading"),
    ("other_starters", TOOL, "import subprocess"),
    ("other_starters", STEP, "from subprocess import run"),
    ("other_starters", "mergequeue/git/checkouts.py", "import subprocess"),
    ("other_starters", TOOL, "import os\nos.system('x')"),
    ("other_starters", TOOL, "import os\nos.execvp('x', [])"),
    ("other_starters", TOOL, "from os import posix_spawn\nposix_spawn()"),
    ("other_starters", "mergequeue/hooks/sandbox.py", "import os\nos.fork()"),
    ("other_printers", "mergequeue/cli.py", "print('x')"),
    ("other_printers", "mergequeue/cli.py", "import click\nclick.echo('x')"),
    ("other_printers", "mergequeue/cli.py", "from click import secho"),
    ("other_printers", TOOL, "import sys\nsys.stdout.write('x')"),
    ("other_printers", TOOL, "from sys import stderr as e\ne.write('x')"),
    ("other_printers", TOOL, "from rich.console import Console\nConsole(stderr=True)"),
    ("other_clocks", TOOL, "import time"),
    ("other_clocks", STEP, "from time import monotonic"),
    ("other_clocks", TOOL, "import datetime as d\nd.datetime.now(d.UTC)"),
    ("other_sockets", TOOL, "import socket"),
    ("other_sockets", TOOL, "import http.client"),
    ("other_sockets", TOOL, "from urllib import request"),
    ("other_sockets", "mergequeue/github/client.py", "import requests"),
    ("other_sockets", "mergequeue/cache/lookup.py", "import http.server"),
    ("other_writers", STEP, "import os\nos.replace('a', 'b')"),
    ("other_writers", TOOL, "from shutil import rmtree\nrmtree('a')"),
    ("other_writers", TOOL, "import tempfile\ntempfile.mkdtemp()"),
    ("other_writers", TOOL, "def f(path):\n    path.write_text('x')"),
    ("other_writers", TOOL, "from pathlib import Path\nf = Path.unlink"),
    ("other_writers", TOOL, "open('x', 'w')"),
    ("other_writers", TOOL, "open('x', mode='rb+')"),
    ("foreign_rights", STEP, "from mergequeue.ports import ProviderWrites"),
    ("foreign_rights", STEP, "import mergequeue.ports as p\nx: p.GitPushes"),
    ("foreign_rights", STEP, "def f(x: 'GitPushes | None'): ..."),
    ("foreign_rights", PURE, "from mergequeue.ports import ProviderReads"),
    ("foreign_rights", "mergequeue/verdicts/validator.py", "x: ProviderReads"),
    ("foreign_rights", "mergequeue/apply/applier.py", "x: Gates"),
    ("foreign_rights", "mergequeue/changes/lister.py", "x: ProviderWrites"),
    ("foreign_rights", "mergequeue/commands/describe.py", "x: ProviderWrites"),
    ("foreign_rights", "mergequeue/commands/ls.py", "x: GitPushes"),
    ("foreign_rights", "mergequeue/commands/plan.py", "x: ProviderWrites"),
    ("foreign_rights", "mergequeue/commands/validate.py", "x: ProviderReads"),
    ("foreign_rights", "mergequeue/commands/apply.py", "x: Gates"),
    ("foreign_rights", "mergequeue/commands/plan.py", "shop.pushes.push(moves)"),
    ("foreign_rights", "mergequeue/commands/ls.py", "made = writing_door(name)"),
    ("foreign_rights", "mergequeue/commands/describe.py", "from a.b import PlainGitWrites"),
    ("foreign_rights", "mergequeue/commands/validate.py", "reading_door(name)"),
    ("foreign_rights", "mergequeue/commands/apply.py", "shop.boxes()"),
    ("codes_given_by_steps", STEP, f"{CODE}\nx = Code.KICK_RED"),
    ("codes_given_by_steps", "mergequeue/apply/_telling.py", f"{CODE}\nwait(Code.WAIT_BEHIND)"),
    ("oversizes", TOOL, "x = 1\n" * 351),
    ("oversizes", TOOL, "def f():\n" + "    x = 1\n" * 60),
    ("oversizes", TOOL, "class C:\n    async def f():\n        'doc'\n" + "        x = 1\n" * 60),
]

GOOD = [
    ("impurities", PURE, "from pathlib import PurePosixPath"),
    ("impurities", PURE, "from urllib.parse import quote"),
    ("impurities", PURE, "import datetime\ndef f(now: datetime.datetime): return now.date()"),
    ("impurities", PURE, "def f(facts): return facts.now"),
    ("impurities", STEP, "import os"),
    ("impurities", TOOL, "import os"),
    ("other_starters", "mergequeue/git/process.py", "import subprocess"),
    ("other_starters", "mergequeue/hooks/process.py", "import subprocess"),
    ("other_starters", "mergequeue/hooks/warden.py", "import os\nos.execve('x', [], {})"),
    ("other_printers", "mergequeue/host/console.py", "import sys\nprint(sys.stdout)"),
    ("other_printers", TOOL, "from rich.console import Console\nConsole(file=x)"),
    ("other_clocks", "mergequeue/host/clock.py", "import time"),
    ("other_clocks", TOOL, "def f(clock): return clock.now()"),
    ("other_sockets", "mergequeue/github/transport.py", "import http.client"),
    ("other_sockets", "mergequeue/cache/proxy.py", "import http.server"),
    ("other_writers", "mergequeue/host/files.py", "import os\nos.replace('a', 'b')"),
    ("other_writers", TOOL, "from mergequeue.host import files\nfiles.write_bytes('a', b'')"),
    ("other_writers", TOOL, "open('x')\nopen('y', 'rb')\n'a'.replace('a', 'b')"),
    ("foreign_rights", "mergequeue/apply/applier.py", "x: ProviderWrites"),
    ("foreign_rights", "mergequeue/commands/run.py", "x: ProviderWrites"),
    ("foreign_rights", STEP, "'''It has no ProviderWrites.'''"),
    ("codes_given_by_steps", PURE, f"{CODE}\nx = Code.KICK_RED"),
    ("codes_given_by_steps", STEP, f"{CODE}\ncode: Code | None = verdict.code"),
    ("oversizes", TOOL, "x = 1\n" * 350),
    ("oversizes", TOOL, "def f():\n    '''a\n" + "    b\n" * 40 + "    '''\n" + "    x = 1\n" * 59),
]


def found(rule: str, path: str, source: str) -> list[str]:
    check: Callable[[Module], Iterator[str]] = getattr(rules, rule)
    return list(check(Module(path, source)))


@pytest.mark.parametrize(("rule", "path", "source"), BAD)
def test_a_rule_reports_what_breaks_it(rule: str, path: str, source: str) -> None:
    assert found(rule, path, source)


@pytest.mark.parametrize(("rule", "path", "source"), GOOD)
def test_a_rule_leaves_alone_what_keeps_it(rule: str, path: str, source: str) -> None:
    assert found(rule, path, source) == []


def test_every_rule_is_shown_a_bad_example_and_a_good_one() -> None:
    names = {rule.__name__ for rule in RULES}
    assert {rule for rule, _, _ in BAD} == names
    assert {rule for rule, _, _ in GOOD} == names


def test_a_finding_says_where_it_is() -> None:
    assert found("impurities", PURE, "x = 1\nimport os") == [
        f"{PURE}:2: a pure module imports os",
    ]


@pytest.mark.parametrize(
    "words", ["ma~gus", "Knot~less", "MG~S3005", "Bu~zz", "E~jected", "to_e~ject", "E~JECT"]
)
def test_a_word_of_another_program_is_reported(words: str) -> None:
    words = words.replace("~", "")  # so that this file does not say them
    assert list(rules.foreign_words("x", f"a\n{words} b"))


@pytest.mark.parametrize(
    "words", ["rejected", "REJECT", "a Reject", "pull request", "msgs1", "buzzer"]
)
def test_a_word_that_only_resembles_one_is_not(words: str) -> None:
    assert list(rules.foreign_words("x", words)) == []
