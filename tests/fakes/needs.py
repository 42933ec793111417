"""What a test needs of the machine."""

import os
import shutil

import pytest

NOTHING_IS_SKIPPED = os.environ.get("NOTHING_IS_SKIPPED") == "1"
"""Whether a test may not be left out for want of a program, as .ci/run says."""

NPM = pytest.mark.skipif(
    shutil.which("npm") is None and not NOTHING_IS_SKIPPED,
    reason="it needs node and npm (set NOTHING_IS_SKIPPED=1 to have it fail instead)",
)
