"""What `describe` prints: run with the real gh, nothing is left to do."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mergequeue.cli import status_of
from tests.fakes.github.story import GitHub
from tests.github.person import GH


class Wiring:
    """A clone of a repository on GitHub, and its administrator at a shell."""

    def __init__(self, github: GitHub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.github = github
        github.users["acme"].owners.add("admin")
        github.app.public_key = "what it is installed with"
        self.home = folder / "home"
        (self.home / "Downloads").mkdir(parents=True)
        self.clone = folder / "clone"
        subprocess.run(["git", "init", "-q", self.clone], check=True)
        web = "http://github.localhost"
        remote = f"{web}/{github.repository.full_name}"
        subprocess.run(["git", "-C", self.clone, "remote", "add", "origin", remote], check=True)
        monkeypatch.setenv("GITHUB_SERVER_URL", web)
        monkeypatch.setenv("GITHUB_API_URL", github.api_url)
        monkeypatch.setenv("GITHUB_TOKEN", github.token("admin").text)

    def describe(
        self, capfdbinary: pytest.CaptureFixture[bytes], *words: str, ok: bool = True
    ) -> str:
        status = status_of(["-C", str(self.clone), "describe", "--provider", "github", *words])
        printed = capfdbinary.readouterr()
        assert (status == 0) == ok, printed.err.decode()
        return (printed.out if ok else printed.err).decode()

    def setup(self, capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> dict[str, Any]:
        found = json.loads(self.describe(capfdbinary, "-o", "json", *words))["setup"]
        assert isinstance(found, dict)
        return found

    def paste(self, text: str) -> str:
        """Run text in a shell, as the administrator would."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            cwd=self.clone,
            env={
                "PATH": f"{GH.parent}:{os.environ['PATH']}",
                "HOME": str(self.home),
                "TMPDIR": str(self.home),
                "XDG_CACHE_HOME": str(self.home),
                "GH_CONFIG_DIR": str(self.home),
                "GH_HOST": "github.localhost",
                "GH_TOKEN": self.github.token("admin").text,
                "GH_NO_UPDATE_NOTIFIER": "1",
                "HTTP_PROXY": self.github.url,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def wiring(github: GitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wiring:
    return Wiring(github, tmp_path, monkeypatch)


def test_the_printed_commands_set_everything_up_and_nothing_is_left_to_do(
    github: GitHub, wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    github.repository.settings.allow_auto_merge = False
    key = wiring.home / "Downloads" / "acme-queue.2026-01-01.private-key.pem"
    key.write_text("-----BEGIN RSA PRIVATE KEY-----\n")
    text = wiring.describe(capfdbinary, "--app", "acme-queue")
    wiring.paste(text)

    assert not key.exists()
    environment = github.repository.environments["merge-queue"]
    assert environment.secrets == {"MERGEQUEUE_APP_PRIVATE_KEY": b"-----BEGIN RSA PRIVATE KEY-----"}
    assert github.repository.variables == {"MERGEQUEUE_APP_CLIENT_ID": github.app.client_id}
    assert github.repository.settings.allow_auto_merge
    after = wiring.setup(capfdbinary, "--app", "acme-queue")
    assert after.get("steps", []) == []
    assert after["credential"] == {"id": str(github.app.id), "name": "acme-queue"}
    assert [(one["context"], one["integration"]) for one in after["required_checks"]] == [
        ("merge-queue", str(github.app.id))
    ]
    # Once more, and nothing is broken by it.
    wiring.paste(text)
    github.explain(".")


def test_another_base_needs_its_own_ruleset_and_no_other_environment(
    github: GitHub, wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    github.commit("release/1", {"r": "r\n"}, by="admin")
    key = wiring.home / "Downloads" / "acme-queue.2026-01-01.private-key.pem"
    key.write_text("-----BEGIN RSA PRIVATE KEY-----\n")
    for base in ("release/1", "main"):
        wiring.paste(wiring.describe(capfdbinary, "--app", "acme-queue", "--base", base))
    environment = github.repository.environments["merge-queue"]
    assert [policy["name"] for policy in environment.policies] == ["main"]
    assert sorted(one.name for one in github.repository.rulesets.values()) == [
        "merge queue",
        "merge queue into release/1",
    ]
    for base in ("release/1", "main"):
        after = wiring.setup(capfdbinary, "--app", "acme-queue", "--base", base)
        assert after.get("steps", []) == []
    github.explain(".")


def test_without_an_app_it_says_where_one_is_registered_and_what_to_type_next(
    wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    said = wiring.describe(capfdbinary, ok=False)
    assert "/organizations/acme/settings/apps/new?name=acme-merge-queue" in said
    for permission in ("contents", "pull_requests", "statuses", "actions", "workflows"):
        assert f"{permission}=write" in said
    assert "--app <slug>" in said


def test_an_app_that_does_not_exist_is_no_app(
    wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert "GitHub knows no app nobody" in wiring.describe(capfdbinary, "--app", "nobody", ok=False)


def test_of_a_private_app_an_owner_sees_the_id_and_others_are_asked_for_it(
    github: GitHub,
    wiring: Wiring,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    github.app.private = True
    assert wiring.setup(capfdbinary, "--app", "acme-queue")["credential"]["id"] == "4711"
    monkeypatch.setenv("GITHUB_TOKEN", github.token("maintainer").text)
    said = wiring.describe(capfdbinary, "--app", "acme-queue", ok=False)
    assert "/organizations/acme/settings/apps/acme-queue" in said
    assert "--app acme-queue:<App ID>" in said
    known = wiring.setup(capfdbinary, "--app", "acme-queue:4711")
    assert known["credential"]["id"] == "4711"


@pytest.mark.parametrize("app", ["acme-queue:0", "acme-queue:01", "acme-queue:x", "a/b", "-x"])
def test_what_is_no_slug_or_no_app_id_is_refused(
    wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes], app: str
) -> None:
    assert "MQ1001" in wiring.describe(capfdbinary, f"--app={app}", ok=False)


def test_an_app_id_that_is_another_than_githubs_is_an_error(
    wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert "is 4711, and not 12" in wiring.describe(capfdbinary, "--app", "acme-queue:12", ok=False)


def test_a_rule_of_somebody_elses_is_linked_and_never_rewritten(
    github: GitHub, wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    made = github.require_checks("merge-queue", "build", name="ours")
    steps = wiring.setup(capfdbinary, "--app", "acme-queue")["steps"]
    assert steps[-1]["url"] == f"http://github.localhost/acme/acme/rules/{made.id}"
    assert not any("rulesets" in step.get("command", "") for step in steps)


def test_the_queues_own_rule_gets_its_pin(
    github: GitHub, wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    made = github.require_checks("merge-queue", name="merge queue", strict=True)
    setup = wiring.setup(capfdbinary, "--app", "acme-queue")
    assert "anybody with write access can post merge-queue" in " ".join(setup["warnings"])
    (step,) = [one for one in setup["steps"] if "rulesets" in one.get("command", "")]
    assert f"PUT repos/acme/acme/rulesets/{made.id}" in step["command"]
    wiring.paste(step["command"])
    after = wiring.setup(capfdbinary, "--app", "acme-queue")
    assert not any("rulesets" in one.get("command", "") for one in after["steps"])
    github.explain("ruleset")


def test_two_queues_on_one_branch_are_refused(
    github: GitHub, wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    github.add_ruleset({"type": "merge_queue"})
    said = wiring.describe(capfdbinary, "--app", "acme-queue", ok=False)
    assert "GitHub's own merge queue is on" in said


def test_what_would_stall_the_queue_is_named(
    github: GitHub, wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    github.require_checks("build", "docs", strict=True)
    pull = github.open_pull("one", {"one": "1\n"})
    github.check(pull, "build")
    said = wiring.setup(capfdbinary, "--app", "acme-queue")
    assert [one for one in said["warnings"] if "docs" in one]
    assert not [one for one in said["warnings"] if "build" in one]
    assert {
        "name": "Require branches to be up to date before merging",
        "value": "on",
        "want": "off",
    } in said["settings"]


def test_every_fact_is_a_comment_so_that_all_of_it_can_be_pasted(
    wiring: Wiring, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = wiring.describe(capfdbinary, "--app", "acme-queue")
    assert text.startswith("# ")
    assert "\n# 1. " in text


def test_what_an_enterprise_server_may_lack_is_said_by_name(
    github: GitHub,
    wiring: Wiring,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "Enterprise" not in wiring.describe(capfdbinary, "--app", "acme-queue")
    github.enterprise = True
    monkeypatch.setenv("GITHUB_API_URL", github.api_url)
    said = wiring.describe(capfdbinary, "--app", "acme-queue")
    for lacking in ("upload-artifact@v4", "merge-async", "workflows of github.com"):
        assert lacking in said
    assert "--hostname github.localhost" in said
