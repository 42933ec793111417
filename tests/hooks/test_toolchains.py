"""Real build tools work inside the sandbox, each with the real one that is on this machine."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from mergequeue.ports import GateResult
from tests.support.hooks import Bench, confining, make_box, needs_landlock

pytestmark = needs_landlock


def bench_in(folder: Path, home: str, files: Mapping[str, str]) -> Bench:
    """Return a gate's box with these files, for a user whose home this is."""
    environ = {"PATH": os.environ["PATH"], "HOME": home}
    bench = Bench(make_box(folder), environ=environ, sandbox=confining(environ=environ))
    for name, content in files.items():
        path = Path(bench.box.checkout) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return bench


def needs(*programs: str) -> pytest.MarkDecorator:
    missing = [name for name in programs if shutil.which(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not on this machine: {', '.join(missing)}")


BACKEND = """
import zipfile
INFORMATION = {
    "METADATA": ["Metadata-Version: 2.1", "Name: small", "Version: 1", ""],
    "WHEEL": ["Wheel-Version: 1.0", "Root-Is-Purelib: true", "Tag: py3-none-any", ""],
}
def build_wheel(folder, *_, **__):
    name = "small-1-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr("small.py", "print('installed')\\n")
        for file, lines in INFORMATION.items():
            wheel.writestr(f"small-1.dist-info/{file}", "\\n".join(lines))
        wheel.writestr("small-1.dist-info/RECORD", "")
    return name
"""
MULTIPROCESSING = """
import concurrent.futures, multiprocessing
from multiprocessing.shared_memory import SharedMemory
if __name__ == "__main__":
    multiprocessing.Lock()
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        assert list(pool.map(abs, [-1, -2])) == [1, 2]
    with multiprocessing.Manager() as manager:
        assert manager.dict(a=1)["a"] == 1
    shared = SharedMemory(create=True, size=8)
    shared.close()
    shared.unlink()
"""
TOOLS = {
    "python": pytest.param(
        {
            "small/pyproject.toml": (
                '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
                '[project]\nname = "small"\nversion = "1"\n'
            ),
            "small/backend.py": BACKEND,
        },
        "python3 -m venv --without-pip made && "
        "python3 -m pip --python made/bin/python install -q --no-index ./small && "
        "made/bin/python -c 'import small' | grep -x installed",
        marks=[needs("python3"), pytest.mark.slow],
    ),
    "python's processes": pytest.param(
        {"many.py": MULTIPROCESSING}, "python3 many.py", marks=needs("python3")
    ),
    "node": pytest.param(
        {
            "near/package.json": '{"name": "near", "version": "1.0.0", "main": "i.js"}',
            "near/i.js": "module.exports = 42",
            "package.json": (
                '{"name": "a", "version": "1.0.0", "scripts": {"test": "node t.js"}, '
                '"dependencies": {"near": "file:./near"}}'
            ),
            "t.js": "if (require('near') !== 42 || !process.memoryUsage().rss) process.exit(1)",
        },
        "npm install --offline --no-audit --no-fund && rm -r node_modules && "
        "npm ci --offline --no-audit --no-fund && npm test",
        marks=[needs("node", "npm"), pytest.mark.slow],
    ),
    "cargo": pytest.param(
        {
            "Cargo.toml": '[package]\nname = "small"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/main.rs": 'fn main() { println!("built"); }\n#[test]\nfn holds() {}\n',
        },
        "cargo build --offline && cargo test --offline && target/debug/small | grep -x built",
        marks=[needs("cargo"), pytest.mark.slow],
    ),
    "make": pytest.param(
        {
            "a.c": '#include <stdio.h>\nint main(void) { return puts("built") < 0; }\n',
            "Makefile": "check: a\n\t./a | grep -x built\n",
        },
        "make check",
        marks=needs("make", "cc"),
    ),
    "java": pytest.param(
        {
            "A.java": "class A { public static void main(String[] a) { System.out.println(6); } }",
        },
        "javac A.java && java A | grep -x 6",
        marks=[needs("java", "javac"), pytest.mark.slow],
    ),
}


@pytest.mark.parametrize(("files", "script"), TOOLS.values(), ids=TOOLS)
def test_a_real_build_tool_works_in_a_hook(
    real_home: str, files: Mapping[str, str], script: str
) -> None:
    # A short path, as boxes have: Unix sockets have to fit.
    with tempfile.TemporaryDirectory() as folder:
        bench = bench_in(Path(folder), real_home, files)
        end = bench.sh(script)
    assert end.result is GateResult.GREEN, bench.shown.lines
