"""A person at the command line: GitHub's own program `gh`, against the fake."""

import os
import subprocess
import sys
from pathlib import Path

from tests.fakes.github.story import GitHub

GH = Path(sys.executable).with_name("gh")


def gh(github: GitHub, folder: Path, *words: str, by: str = "maintainer") -> str:
    """Run a command as somebody, and return what it says; it must succeed.

    `gh` reaches `github.localhost` through the fake as its proxy.
    """
    folder.mkdir(exist_ok=True)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "XDG_CACHE_HOME": str(folder),
        "GH_CONFIG_DIR": str(folder),
        "GH_HOST": "github.localhost",
        "GH_REPO": f"github.localhost/{github.repository.full_name}",
        "GH_TOKEN": github.token(by).text,
        "GH_NO_UPDATE_NOTIFIER": "1",
        "HTTP_PROXY": github.url,
    }
    done = subprocess.run(
        [GH, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout
