"""No trusted job restores a cache: what a validation planted in one decides nothing later."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for path in (*ROOT.glob(".github/workflows/*queue*.yaml"), *ROOT.glob("action-*/action.yml"))
)
USED = re.compile(
    r"(actions/checkout|actions/github-script|actions/(up|down)load-artifact"
    r"|actions/upload-pages-artifact|actions/deploy-pages)@|\./"
)
"""Steps that restore nothing: any other one is looked at before it may stand in these files."""


def steps(path: Path) -> list[dict[str, object]]:
    loaded = yaml.safe_load(path.read_text())
    found = loaded.get("runs", {}).get("steps", [])
    for job in loaded.get("jobs", {}).values():
        found += job.get("steps", [])
    assert all(isinstance(step, dict) for step in found)
    return list(found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_step_of_the_queues_jobs_restores_a_cache(path: Path) -> None:
    for step in steps(path):
        used = step.get("uses", "./")
        assert isinstance(used, str)
        assert USED.match(used), used
        given = step.get("with", {})
        assert isinstance(given, dict)
        assert [name for name in given if "cache" in name and name != "remote-cache-read"] == []
        assert "actions/cache" not in str(step)


def test_the_files_of_both_halves_are_looked_at() -> None:
    names = {f"{path.parent.name}/{path.name}" for path in FILES}
    assert {"workflows/reusable-queue.yaml", "workflows/reusable-queue-apply.yaml"} <= names
    assert {"action-validate/action.yml", "action-apply/action.yml"} <= names
    assert sum(len(steps(path)) for path in FILES) > len(FILES)
