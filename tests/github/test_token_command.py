"""`mergequeue token`: a token for the steps of a job, masked, and printed nowhere."""

import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from mergequeue.cli import status_of
from mergequeue.vocabulary.errors import APP_FAILED, BAD_REMOTE, NO_CREDENTIAL, USAGE
from tests.fakes.github.story import GitHub
from tests.github.queue import _environment, _Stream
from tests.github.test_apps import keys
from tests.support.programs import environ, run_program


@pytest.fixture
def job(github: GitHub, tmp_path: Path) -> dict[str, str]:
    private, github.app.public_key = keys()
    (tmp_path / "output").touch()
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_REPOSITORY": "acme/acme",
        "GITHUB_API_URL": github.api_url,
        "GITHUB_SERVER_URL": github.url,
        "MERGEQUEUE_APP_CLIENT_ID": github.app.client_id,
        "MERGEQUEUE_APP_PRIVATE_KEY": private,
    }


def outputs(tmp_path: Path) -> dict[str, str]:
    text = (tmp_path / "output").read_text()
    found = re.findall(r"^(\w+)<<(\S+)\n(.*?)\n\2$", text, re.MULTILINE | re.DOTALL)
    return {name: value for name, _, value in found}


def here(env: dict[str, str], *words: str) -> tuple[int, str]:
    """Run the command in this process; return its status and all that it said."""
    said = _Stream()
    with _environment(env), redirect_stdout(said), redirect_stderr(said):
        status = status_of(["token", *words])
    return status, said.text()


def test_the_token_is_masked_and_left_for_the_job_and_printed_nowhere(
    github: GitHub, job: dict[str, str], tmp_path: Path
) -> None:
    ran = run_program(tmp_path, "token", env=environ(**job))
    assert ran.status == 0, ran.err
    left = outputs(tmp_path)
    number = github.users["acme-queue[bot]"].id
    bot = f"acme-queue[bot] <{number}+acme-queue[bot]@users.noreply.github.com>"
    assert (left["committer"], left["slug"]) == (bot, "acme-queue")
    lent = github.tokens[left["token"]]
    assert lent.repositories == {"acme/acme"}
    assert ran.out == ""
    mask, *rest = ran.err.splitlines()
    assert mask == f"::add-mask::{lent.text}"
    assert lent.text not in "".join(rest)
    github.wrote()


@pytest.mark.parametrize(
    ("words", "change", "code"),
    [
        ((), {"GITHUB_ACTIONS": ""}, USAGE.code),
        ((), {"GITHUB_OUTPUT": ""}, USAGE.code),
        ((), {"GITHUB_REPOSITORY": ""}, USAGE.code),
        (("--permission=actions",), {}, USAGE.code),
        (("--permission=actions=all",), {}, USAGE.code),
        (("--repository=acme",), {}, BAD_REMOTE.code),
        ((), {"MERGEQUEUE_APP_CLIENT_ID": ""}, NO_CREDENTIAL.code),
        ((), {"MERGEQUEUE_APP_PRIVATE_KEY": ""}, NO_CREDENTIAL.code),
        (
            (),
            {"MERGEQUEUE_APP_CLIENT_ID": "", "MERGEQUEUE_APP_PRIVATE_KEY": ""},
            NO_CREDENTIAL.code,
        ),
        (("--permission=administration=write",), {}, APP_FAILED.code),
    ],
)
def test_what_is_missing_is_named_and_nothing_is_left(
    github: GitHub,
    job: dict[str, str],
    tmp_path: Path,
    words: tuple[str, ...],
    change: dict[str, str],
    code: str,
) -> None:
    status, said = here({**job, **change}, *words)
    assert (status, code in said) == (1 if code == APP_FAILED.code else 2, True)
    assert outputs(tmp_path) == {}
    assert "BEGIN" not in said
    github.wrote()


def test_another_permission_is_asked_for_by_name(
    github: GitHub, job: dict[str, str], tmp_path: Path
) -> None:
    github.app.permissions["actions"] = "write"
    status, said = here(job, "--permission=actions=write")
    assert status == 0, said
    lent = github.tokens[outputs(tmp_path)["token"]]
    assert lent.permissions == {"metadata": "read", "actions": "write"}
    github.wrote()
