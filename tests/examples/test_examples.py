"""Each example is run as its page says, in a repository of its own."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.programs import Ran, environ, run_program

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDERS = sorted(path.parent.name for path in EXAMPLES.glob("*/mergequeue.toml"))


class Try:
    """An example in a repository, with a remote."""

    def __init__(self, example: str, folder: Path) -> None:
        self.work = folder / "work"
        self.remote = folder / "remote.git"
        self.git("init", "-q", "-b", "main", str(self.work), inside=folder)
        subprocess.run(["cp", "-r", f"{EXAMPLES / example}/.", self.work], check=True)
        self.git("init", "-q", "--bare", str(self.remote), inside=folder)
        self.git("config", "user.name", "Author")
        self.git("config", "user.email", "author@example.com")
        self.git("remote", "add", "origin", str(self.remote))
        self.git("add", "-A")
        self.git("commit", "-qm", "Begin")
        self.git("push", "-q", "origin", "main")

    def git(self, *words: str, inside: Path | None = None) -> str:
        ran = subprocess.run(
            ["git", *words],
            cwd=inside or self.work,
            env=environ(),
            check=True,
            capture_output=True,
            text=True,
        )
        return ran.stdout

    def queue(self, name: str, files: Mapping[str, str]) -> None:
        """Queue a change of these files, made on the base as it began."""
        self.git("switch", "-q", "--detach", "origin/main")
        for path, content in files.items():
            (self.work / path).write_text(content)
        self.git("add", "-A")
        self.git("commit", "-qm", name)
        self.git("push", "-q", "origin", f"HEAD:refs/heads/mq/squash/{name}")

    def run(self) -> Ran:
        return run_program(self.work, "run")

    def landed(self, path: str) -> str:
        return self.git("show", f"main:{path}", inside=self.remote)


def endings(ran: Ran) -> dict[str, str]:
    assert ran.status == 0, ran.err
    return {change: event["kind"] for change, event in ran.last().items()}


def test_every_example_is_on_the_page_and_tried_here() -> None:
    page = (EXAMPLES / "README.md").read_text()
    assert FOLDERS == ["generated-files", "one-unit", "units-by-folder"]
    assert all(f"[{name}]({name})" in page for name in FOLDERS)


def test_with_one_unit_changes_land_one_after_the_other_and_a_broken_one_goes_back(
    tmp_path: Path,
) -> None:
    tried = Try("one-unit", tmp_path)
    tried.queue("good", {"hello.sh": "printf 'hello\\n'\n"})
    tried.queue("bad", {"check-me": "x\n", "hello.sh": "echo goodbye\n"})
    ran = tried.run()
    assert endings(ran)["good"] == "merged"
    assert endings(ran)["bad"] == "kicked"
    assert tried.landed("hello.sh") == "printf 'hello\\n'\n"


def test_units_by_folder_stand_in_lines_of_their_own_and_what_depends_is_gated_too(
    tmp_path: Path,
) -> None:
    tried = Try("units-by-folder", tmp_path)
    tried.queue("lexer", {"libs/lexer/lexer.sh": "tokens() { tr -s ' ' '\\n'; } # quick\n"})
    tried.queue("web", {"apps/web/index.html": "<h1>Welcome</h1>\n"})
    tried.queue("breaks-parser", {"libs/lexer/lexer.sh": "tokens() { echo a; echo b; }\n"})
    ran = tried.run()
    assert endings(ran) == {"lexer": "merged", "web": "merged", "breaks-parser": "kicked"}
    lines = [event["changes"] for event in ran.events if event["kind"] == "partition"]
    assert ["web"] in lines


@pytest.mark.parametrize("order", [("get", "put"), ("put", "get")])
def test_two_changes_that_both_regenerate_land_with_the_file_made_anew(
    tmp_path: Path, order: tuple[str, str]
) -> None:
    tried = Try("generated-files", tmp_path)
    for name in order:
        index = "".join(f"{page}.txt\n" for page in sorted(["list", name]))
        tried.queue(name, {f"api/{name}.txt": "Do it.\n", "api/INDEX": index})
    assert endings(tried.run()) == dict.fromkeys(order, "merged")
    assert tried.landed("api/INDEX") == "get.txt\nlist.txt\nput.txt\n"
