"""The packages of requirements.lock as files, fetched once and shared by every process and run."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

LOCK = Path(__file__).parents[2] / "requirements.lock"


def fetched(home: str) -> Path:
    """Return the folder that they are in, beside the packages of this Python.

    They are what the first Python on PATH installs; pip's settings in `home` say where from.
    """
    place = Path(sys.prefix) / f"wheels-{hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]}"
    with Path(sys.prefix, "wheels.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other workers of this run wait for the one that fetches
        if not place.exists():
            new = place.with_suffix(".new")
            shutil.rmtree(new, ignore_errors=True)
            words = ["python3", "-I", "-m", "pip", "download", "--quiet", "--no-deps"]
            words += ["--require-hashes", "--only-binary", ":all:", "--requirement", str(LOCK)]
            subprocess.run(
                [*words, "--dest", str(new)], cwd="/", check=True, env={**os.environ, "HOME": home}
            )
            new.rename(place)
    return place
