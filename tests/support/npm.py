"""Packages of npm for a test: installed once from a lock, and shared by every process and run."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path


def installed(folder: Path, home: str, finish: Callable[[Path], None] = lambda _: None) -> Path:
    """Return a copy of a folder with what its package-lock.json names.

    It lies beside the packages of this Python. npm's settings in `home` say where packages come
    from; `finish` does what has to be done once after they are there.
    """
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    place = Path(sys.prefix) / f"{folder.name}-{digest.hexdigest()[:16]}"
    with Path(sys.prefix, f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other workers of this run wait for the one that installs
        if not place.exists():
            new = place.with_suffix(".new")
            shutil.rmtree(new, ignore_errors=True)
            shutil.copytree(folder, new)
            words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
            subprocess.run(words, cwd=new, check=True, env={**os.environ, "HOME": home})
            finish(new)
            new.rename(place)
    return place
