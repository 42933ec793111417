"""A hook runs in the base's sandbox: it sees what the base lets it, and nothing of the queue's."""

from tests.support.programs import environ, make_project, run_program
from tests.support.repositories import Playground

SECRET = "s3cr3t-t0k3n"


def test_no_variable_of_the_queues_own_reaches_a_gate(playground: Playground) -> None:
    project = make_project(playground)
    project.queue("it", {"one/new": "n\n"})
    names = ("MERGEQUEUE_TOKEN", "GITHUB_TOKEN", "GITHUB_ENV", "ACTIONS_RUNTIME_TOKEN", "AWS_KEY")
    words = ("run", "--committer", "Q <q@example.invalid>", "--gate", "sh -c env")
    ran = run_program(project.clone, *words, env=environ(**dict.fromkeys(names, SECRET)))
    assert ran.last()["it"]["kind"] == "merged"
    assert "TMPDIR=" in ran.err
    assert SECRET not in ran.out + ran.err
