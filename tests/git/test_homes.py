"""The private folder of a workshop, and what killed runs leave behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from mergequeue.git.homes import private_home, remove_left_behind

HOLDS = """
import sys
from pathlib import Path
from mergequeue.git.homes import private_home
with private_home(Path(sys.argv[1])) as home:
    (home / "box").mkdir()
    (home / "box").chmod(0)
    print(home, flush=True)
    sys.stdin.read()
"""


def start(root: Path) -> tuple[subprocess.Popen[str], Path]:
    program = subprocess.Popen(
        [sys.executable, "-I", "-c", HOLDS, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    return program, Path(program.stdout.readline().strip())


def test_a_home_is_for_its_user_alone_and_gone_after_the_block(tmp_path: Path) -> None:
    with private_home(tmp_path) as home:
        assert home.parent == tmp_path
        assert home.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_removed_by_the_next_one_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "mq-file").write_text("somebody's")
    (tmp_path / "mq-link").symlink_to(tmp_path / "other")
    (tmp_path / "mq-projects").mkdir()
    (tmp_path / "mq-projects" / "work").write_text("somebody's")
    others = {path.name for path in tmp_path.iterdir()}
    killed, left = start(tmp_path)
    alive, kept = start(tmp_path)
    try:
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        assert left.is_dir()
        with private_home(tmp_path) as home:
            names = {path.name for path in tmp_path.iterdir()}
            assert names == {*others, kept.name, home.name}
        assert os.access(kept, os.R_OK)
    finally:
        alive.communicate()
    assert {path.name for path in tmp_path.iterdir()} == others


def test_a_folder_that_cannot_be_listed_stops_nothing(tmp_path: Path) -> None:
    remove_left_behind(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()
