"""The first command of the README, and the repository that it leaves."""

import re
import subprocess
from pathlib import Path

from tests.support.programs import run_program


def test_the_demo_shows_what_it_says_and_leaves_a_whole_repository(tmp_path: Path) -> None:
    ran = run_program(tmp_path, "demo", "--in", "made")
    assert ran.status == 0, ran.err
    assert told_of(ran.out) == {
        "parser-speed": ("merged", ""),
        "parser-speed-too": ("kicked back", "KICK_CONFLICT"),
        "web-broken": ("kicked back", "KICK_RED"),
        "web-title": ("merged", ""),
        "docs-spelling": ("merged", ""),
        "store-1-table": ("merged", ""),
        "store-2-index": ("merged", ""),
        "store-3-query": ("merged", ""),
        "billing-vat": ("waits", "WAIT_BASE_RED"),
        "readme-old": ("kicked back", "KICK_CONFLICT"),
        "search-idea": ("waits", "WAIT_WITHDRAWN"),
    }
    assert ran.events == []  # It is for people, in a pipe too.
    assert "| Commits of `main` that touched them:" in ran.out
    assert "Rename the project in its README`" in ran.out
    for commit in re.findall(r"is on the base as (\w+)", ran.out):
        assert f"  {commit}  " in ran.out.partition("The base's history")[2]
    whole = ran.err.rpartition("waiting\n")[0]
    assert whole.count("docs-spelling     merged") == 2  # After its pass, and at the end.
    origin = ("git", "-C", str(tmp_path / "made/origin.git"))
    assert _said(*origin, "fsck", "--strict", "--no-dangling") == ""
    subjects = _said(*origin, "log", "--first-parent", "--format=%s", "main").splitlines()
    assert {"Merge web-title", "docs-spelling: step 2 of 2"} <= set(subjects)
    assert _said(*origin, "rev-list", "--count", "refs/mergequeue/state/main").strip() != "0"


def told_of(out: str) -> dict[str, tuple[str, str]]:
    """Return the word and the code that each change's part of the text says."""
    told = re.findall(
        r"^  (\S+): ([a-z ]+)\n    \(it .*\)\n    (?:((?:WAIT|KICK)_\w+)|.*)", out, re.MULTILINE
    )
    return {change: (word, code) for change, word, code in told}


def test_the_demo_touches_no_folder_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("k")
    ran = run_program(tmp_path, "demo", "--in", ".")
    assert ran.status == 2
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
