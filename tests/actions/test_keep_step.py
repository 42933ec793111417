"""action-keep's step over the fake GitHub: as the app, with the keeper's rights alone."""

from pathlib import Path

from mergequeue.github.apps import KEEPER_PERMISSIONS
from tests.fakes.github.story import GitHub
from tests.github.queue import queue_of
from tests.github.test_applying_a_run import app_of
from tests.github.test_keeping import BOTH, FILE, START, turned_away


def test_the_step_keeps_what_was_turned_away_with_the_keepers_rights_and_leaves_its_number(
    github: GitHub, tmp_path: Path
) -> None:
    queue = queue_of(github, tmp_path)
    github.commit("main", {FILE: START}, by="admin")
    turned_away(github)
    output, summary = tmp_path / "output", tmp_path / "summary"
    environment = {
        **app_of(github),
        "GITHUB_ACTIONS": "true",
        "GITHUB_OUTPUT": str(output),
        "GITHUB_REPOSITORY": "acme/acme",
        "GITHUB_STEP_SUMMARY": str(summary),
        "MERGEQUEUE_INPUT_ATTEMPTS": "",
        "MERGEQUEUE_INPUT_BASE": "main",
        "MERGEQUEUE_INPUT_DRY_RUN": "false",
    }
    ran = queue._step(environment, "action", "keep")
    assert ran.status == 0, ran.err
    assert github.files("topic")[FILE] == BOTH
    assert '["1"]' in output.read_text().splitlines()
    assert "1: brought up to date with main at" in summary.read_text()
    lent = [token.permissions or {} for token in github.tokens.values() if "lent" in token.text]
    assert [{**held, "metadata": "read"} for held in lent] == [
        {**KEEPER_PERMISSIONS, "metadata": "read"}
    ]
    github.wrote()
