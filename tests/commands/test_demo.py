"""The first command of the README, and the repository that it leaves."""

import subprocess
from pathlib import Path

from tests.support.programs import run_program


def test_the_demo_shows_what_it_says_and_leaves_a_whole_repository(tmp_path: Path) -> None:
    ran = run_program(tmp_path, "demo", "--in", "made")
    assert ran.status == 0, ran.err
    assert {change: e.get("code", e["kind"]) for change, e in ran.last().items()} == {
        "parser-speed": "merged",
        "parser-speed-too": "KICK_CONFLICT",
        "web-broken": "KICK_RED",
        "web-title": "merged",
        "docs-spelling": "merged",
        "store-1-table": "merged",
        "store-2-index": "merged",
        "store-3-query": "merged",
        "billing-vat": "WAIT_BASE_RED",
        "readme-old": "KICK_CONFLICT",
        "search-idea": "WAIT_WITHDRAWN",
    }
    for change in ran.last():
        assert f"  {change}: " in ran.out
    origin = ("git", "-C", str(tmp_path / "made/origin.git"))
    assert _said(*origin, "fsck", "--strict", "--no-dangling") == ""
    subjects = _said(*origin, "log", "--first-parent", "--format=%s", "main").splitlines()
    assert {"Merge web-title", "docs-spelling: step 2 of 2"} <= set(subjects)
    assert _said(*origin, "rev-list", "--count", "refs/mergequeue/state/main").strip() != "0"


def test_the_demo_touches_no_folder_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("k")
    ran = run_program(tmp_path, "demo", "--in", ".")
    assert ran.status == 2
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
