"""`apply run:...` over the fake GitHub: from a run's artifacts to the merged base, as the app.

Seed 1, Applying as each candidate goes green; facts 1.10, 2.7, 6.5.
"""

import shutil
from pathlib import Path

import pytest

from mergequeue.providers.loading import REQUIRED
from mergequeue.vocabulary.errors import (
    BAD_PROVIDER,
    NO_CREDENTIAL,
    NO_SOURCE,
    NOT_THE_APP,
    UNTRUSTED_RUN,
    USAGE,
    WRONG_CREDENTIAL,
)
from tests.fakes.github.records import Pull
from tests.fakes.github.runrecords import Run
from tests.fakes.github.runverbs import QUEUE, finish, start_run, upload
from tests.fakes.github.story import GitHub
from tests.github.queue import Queue, queue_of
from tests.github.test_apps import keys
from tests.support.programs import Ran, environ, run_program
from tests.support.repositories import wrapped_git


@pytest.fixture
def queue(github: GitHub, tmp_path: Path) -> Queue:
    return queue_of(github, tmp_path)


def app_of(github: GitHub) -> dict[str, str]:
    """Return the environment of a job that holds the app's key."""
    private, github.app.public_key = keys()
    return {
        "MERGEQUEUE_APP_CLIENT_ID": github.app.client_id,
        "MERGEQUEUE_APP_PRIVATE_KEY": private,
    }


def queued(github: GitHub, *names: str) -> list[Pull]:
    pulls = [github.open_pull(name.replace("/", "-"), {name: "new\n"}) for name in names]
    for pull in pulls:
        github.enable_auto_merge(pull, "squash")
    return pulls


def validated(queue: Queue) -> tuple[Run, list[Path]]:
    """Plan and validate; return a run that has uploaded the plan, and the folders of verdicts."""
    queue.plan()
    queue.validate()
    folder = queue.clone / f"verdicts-{queue.rounds}"
    run = start_run(queue.github)
    upload(queue.github, run, "mergequeue-plan", {"plan.json": (folder / "plan.json").read_bytes()})
    return run, sorted(path for path in folder.iterdir() if path.is_dir())


def send(github: GitHub, run: Run, verdict: Path) -> None:
    files = {path.name: path.read_bytes() for path in verdict.iterdir()}
    upload(github, run, f"mergequeue-verdict-{verdict.name}", files)


def apply(queue: Queue, run: Run, env: dict[str, str], *words: str) -> Ran:
    source = f"run:acme/acme/runs/{run.id}"
    words = ("apply", source, "--provider=github", "--workflow", QUEUE, *words)
    queue.last = queue._step(env, *words)
    return queue.last


def test_a_run_is_applied_as_the_app_of_the_key(github: GitHub, queue: Queue) -> None:
    pull, bad = queued(github, "one/a", "two/bug")
    github.push(bad, {"two/text": "bug\n"})
    run, verdicts = validated(queue)
    for verdict in verdicts:
        send(github, run, verdict)
    finish(github, None, run)
    ran = apply(queue, run, app_of(github))
    assert ran.status == 0, ran.err
    assert queue.became() == {"1": "merged", "2": "KICK_RED"}
    assert github.files()["one/a"] == "new\n"
    assert pull.merged
    assert f"/actions/runs/{run.id}" in bad.comments[-1].body
    writers = {line.partition(":")[0] for line in github.wrote() if "lent a token" not in line}
    assert writers <= {"acme-queue[bot]"}


def test_each_is_merged_while_slower_ones_are_still_validated(github: GitHub, queue: Queue) -> None:
    first, second = queued(github, "one/a", "one/b")
    run, (one, two) = validated(queue)
    seen: list[tuple[bool, bool]] = []

    def meanwhile() -> None:
        seen.append((first.merged, second.merged))
        names = [artifact.name for artifact in run.artifacts]
        if "mergequeue-verdict-1" not in names:
            send(github, run, one)
        elif first.merged and "mergequeue-verdict-2" not in names:
            send(github, run, two)
        elif second.merged:
            finish(github, None, run)

    run.on_listed = meanwhile
    ran = apply(queue, run, app_of(github), "--interval=0.01")
    assert ran.status == 0, ran.err
    assert queue.became() == {"1": "merged", "2": "merged"}
    assert (True, False) in seen
    github.wrote()


def renamed_beneath(github: GitHub) -> Pull:
    """Return a queued pull request that GitHub would not merge by itself: it needs a push."""
    pull = github.open_pull("topic", {"one/text": "a\nb\nc\nd\nmine\n"})
    github.enable_auto_merge(pull, "squash")
    github.commit("main", {"one/text": None, "one/moved": "a\nb\nc\nd\ne\n"}, by="admin")
    return pull


def test_a_token_that_dies_on_the_way_is_replaced_for_calls_and_pushes(
    github: GitHub, queue: Queue
) -> None:
    pulls = [renamed_beneath(github), *queued(github, "two/b")]
    run, verdicts = validated(queue)

    def an_hour_passes() -> None:
        github.clock.advance(minutes=61)
        if verdicts:
            send(github, run, verdicts.pop(0))
        elif all(pull.merged for pull in pulls):
            finish(github, None, run)

    run.on_listed = an_hour_passes
    ran = apply(queue, run, app_of(github), "--interval=0.01")
    assert ran.status == 0, ran.err
    assert queue.became() == {"1": "merged", "2": "merged"}
    assert len(github.wrote("lent a token")) > 2
    assert github.files()["one/moved"] == "a\nb\nc\nd\nmine\n"
    assert any("pushed" in line for line in github.wrote("acme-queue"))
    github.wrote()


def test_once_applies_what_is_there_and_leaves_the_rest_queued(
    github: GitHub, queue: Queue
) -> None:
    queued(github, "one/a", "two/b")
    run, verdicts = validated(queue)
    send(github, run, verdicts[0])
    ran = apply(queue, run, app_of(github), "--once")
    assert ran.status == 0, ran.err
    assert queue.became() == {"1": "merged", "2": "WAIT_BEHIND"}
    github.wrote()


@pytest.mark.parametrize("words", [(), ("--once",)])
def test_a_run_that_left_no_plan_leaves_nothing_to_do(
    github: GitHub, queue: Queue, words: tuple[str, ...]
) -> None:
    run = start_run(github)
    finish(github, None, run, "cancelled")
    ran = apply(queue, run, app_of(github), *words)
    assert ran.status == 0, ran.err
    assert "there is no plan" in ran.err
    github.wrote("lent a token")


def test_a_run_that_is_not_the_bases_own_is_refused_before_anything_is_written(
    github: GitHub, queue: Queue
) -> None:
    queued(github, "one/a")
    run, verdicts = validated(queue)
    send(github, run, verdicts[0])
    run.event = "pull_request"
    ran = apply(queue, run, app_of(github))
    assert ran.status == 1
    assert UNTRUSTED_RUN.code in ran.err
    github.wrote("lent a token")


def test_a_dry_run_writes_nothing_and_needs_no_app(github: GitHub, queue: Queue) -> None:
    queued(github, "one/a")
    run, verdicts = validated(queue)
    send(github, run, verdicts[0])
    finish(github, None, run)
    ran = apply(queue, run, {"GITHUB_TOKEN": github.reader.text}, "--dry-run")
    assert ran.status == 0, ran.err
    assert github.wrote() == []


def test_run_does_it_all_over_github_where_it_holds_the_app(github: GitHub, queue: Queue) -> None:
    pull, bad = queued(github, "one/a", "two/b")
    github.push(bad, {"two/text": "bug\n"})
    ran = queue._step(app_of(github), "run", "--provider=github")
    assert ran.status == 0, ran.err
    assert pull.merged
    assert "KICK_RED" in bad.comments[-1].body
    assert len(github.wrote("lent a token")) == 1
    github.wrote()


def test_run_does_not_start_without_the_app(github: GitHub, queue: Queue) -> None:
    ran = queue._step({"GITHUB_TOKEN": github.reader.text}, "run", "--provider=github")
    assert (ran.status, NOT_THE_APP.code in ran.err) == (2, True)


# --- whose credential ----------------------------------------------------------------------------


def mistaken(queue: Queue, env: dict[str, str], *words: str) -> Ran:
    ran = queue._step(env, "apply", "verdicts", "--provider=github", *words)
    assert ran.status in {1, 2}
    return ran


def test_apply_does_not_start_without_the_app_and_says_why(github: GitHub, queue: Queue) -> None:
    job = {"GITHUB_TOKEN": github.reader.text, "GITHUB_ACTIONS": "true"}
    asked = len(github.log.requests)
    for env in (job, {**job, "MERGEQUEUE_TOKEN": github.reader.text}):
        ran = mistaken(queue, env)
        assert ran.status == 2
        assert NOT_THE_APP.code in ran.err
        assert "starts no workflow" in ran.err + NOT_THE_APP.meaning
    assert NO_CREDENTIAL.code in mistaken(queue, {}).err
    half = {"MERGEQUEUE_APP_CLIENT_ID": "Iv1.x"}
    assert "MERGEQUEUE_APP_PRIVATE_KEY" in mistaken(queue, half).err
    assert len(github.log.requests) == asked


@pytest.mark.parametrize("holds", ["the jobs token", "a persons", "another apps"])
def test_a_credential_of_another_than_the_app_named_is_refused(
    github: GitHub, queue: Queue, holds: str
) -> None:
    github.add_app("other", {"contents": "write"})
    token = {
        "the jobs token": github.reader,
        "a persons": github.token("maintainer"),
        "another apps": github.token("other[bot]", {"contents": "write"}),
    }[holds]
    ran = mistaken(queue, {"MERGEQUEUE_TOKEN": token.text}, "--app=acme-queue")
    assert ran.status == 1
    assert WRONG_CREDENTIAL.code in ran.err
    assert github.wrote() == []


def test_a_key_of_another_app_than_the_one_named_is_refused(github: GitHub, queue: Queue) -> None:
    ran = mistaken(queue, app_of(github), "--app=other:17")
    assert (ran.status, WRONG_CREDENTIAL.code in ran.err) == (1, True)
    github.wrote("lent a token")


# --- usage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("run:acme/acme/runs/1",), USAGE.code),
        (("verdicts", "--workflow", QUEUE), USAGE.code),
        (("run:", "--workflow", QUEUE), NO_SOURCE.code),
        (("ftp:x", "--workflow", QUEUE), NO_SOURCE.code),
        (("run:acme/acme/runs/1", "--workflow", QUEUE, "--once", "--interval=1"), USAGE.code),
        (("run:acme/acme/runs/1", "--workflow", QUEUE), BAD_PROVIDER.code),
    ],
)
def test_a_source_is_named_as_its_kind_asks(
    queue: Queue, words: tuple[str, ...], code: str
) -> None:
    queue.github.repository.git.git(
        "-C", str(queue.clone), "remote", "set-url", "origin", str(queue.github.repository.git.path)
    )
    ran = queue._step({}, "apply", *words)
    assert (ran.status, code in ran.err) == (2, True)


def test_a_provider_that_lists_no_artifacts_follows_no_run_and_is_asked_nothing(
    queue: Queue, tmp_path: Path
) -> None:
    asked = "".join(f"    def {name}(self, asked): raise SystemExit\n" for name in REQUIRED)
    (tmp_path / "own.py").write_text(f"class Own:\n{asked}")
    git = queue.github.repository.git
    git.git("-C", str(queue.clone), "remote", "set-url", "origin", str(git.path))
    own = f"--provider={tmp_path / 'own.py'}:Own"
    ran = queue._step({}, "apply", "run:7", "--workflow=x", own)
    assert (ran.status, BAD_PROVIDER.code in ran.err) == (2, True)
    assert "Own has no list_artifacts" in ran.err


# --- secrets -------------------------------------------------------------------------------------


def test_no_token_and_no_key_stands_in_an_argument_or_an_output(
    github: GitHub, queue: Queue, tmp_path: Path
) -> None:
    """The program as a process, with every word that its git is given written down."""
    pull = renamed_beneath(github)
    run, verdicts = validated(queue)
    for verdict in verdicts:
        send(github, run, verdict)
    finish(github, None, run)
    words = tmp_path / "words"
    given = {
        **app_of(github),
        **wrapped_git(tmp_path / "bin", f'printf "%s\\n" "$@" >> {words}'),
        "GITHUB_API_URL": github.api_url,
        "GITHUB_SERVER_URL": github.url,
        "GITHUB_ACTIONS": "true",
    }
    source = f"run:acme/acme/runs/{run.id}"
    command = ("apply", source, "--provider=github", "--workflow", QUEUE)
    ran = run_program(queue.clone, *command, env=environ(**given))
    assert ran.status == 0, ran.err
    assert pull.merged
    tokens = [text for text in github.tokens if text.startswith("ghs_lent")]
    assert tokens
    shown = "\n".join(line for line in ran.err.splitlines() if not line.startswith("::add-mask::"))
    for secret in (*tokens, keys()[0].splitlines()[3]):
        assert secret not in words.read_text() + ran.out + shown
    assert [f"::add-mask::{text}" in ran.err for text in tokens] == [True] * len(tokens)
    shutil.rmtree(queue.clone)
    github.wrote()
