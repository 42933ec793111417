"""The rules of DESIGN that import contracts cannot express, over the syntax tree of a module.

A rule takes a `Module` and yields what is wrong with it, each as `path:line: sentence`. The tables
on top are the rules' data; an exception is a line in one of them, with its reason.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

STAGES = {
    "changes": "lister",
    "conflicts": "merging",
    "plan": "planner",
    "candidates": "builder",
    "verdicts": "validator",
    "apply": "applier",
    "merge": "merger",
    "keep": "keeper",
}
"""Each stage and its one step."""

THREADED = ("mergequeue/verdicts/_slots.py",)
"""The part of a step that runs gates beside each other, in threads."""
PURE_PACKAGES = ("vocabulary", "documents", "report", *STAGES)

# --- what a pure module may not touch ------------------------------------------------------------

IMPURE_IMPORTS = frozenset(
    {
        "_thread",
        "asyncio",
        "builtins",
        "click",
        "concurrent",
        "ctypes",
        "fcntl",
        "getpass",
        "glob",
        "http",
        "importlib",
        "io",
        "multiprocessing",
        "os",
        "pathlib",
        "platform",
        "pty",
        "pwd",
        "pygit2",
        "random",
        "requests",
        "resource",
        "secrets",
        "select",
        "selectors",
        "shutil",
        "signal",
        "socket",
        "ssl",
        "subprocess",
        "sys",
        "tempfile",
        "termios",
        "threading",
        "time",
        "urllib.request",
        "uuid",
    }
)
PURE_EXCEPTIONS = ("pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.PureWindowsPath")
IMPURE_BUILTINS = frozenset({"__import__", "breakpoint", "eval", "exec", "input", "open", "print"})
CLOCK_CALLS = frozenset(
    {
        "datetime.date.today",
        "datetime.datetime.now",
        "datetime.datetime.today",
        "datetime.datetime.utcnow",
    }
)

# --- doors: what -> the files or folders that may -------------------------------------------------

# The warden is what a hook is started through: it forks, and one half becomes the hook.
PROCESS_DOORS = (
    "mergequeue/git/process.py",
    "mergequeue/hooks/process.py",
    "mergequeue/hooks/warden.py",
)
PROCESS_IMPORTS = frozenset({"multiprocessing", "pty", "subprocess"})
PROCESS_CALLS = re.compile(
    r"os\.(system|popen|fork|forkpty|(exec|spawn|posix_spawn)\w*)|asyncio\.create_subprocess\w*"
)

PRINT_DOOR = "mergequeue/host/console.py"
PRINT_NAMES = frozenset(
    {
        "click.echo",
        "click.echo_via_pager",
        "click.secho",
        "rich.get_console",
        "rich.inspect",
        "rich.print",
        "sys.__stderr__",
        "sys.__stdout__",
        "sys.stderr",
        "sys.stdout",
    }
)

CLOCK_DOOR = "mergequeue/host/clock.py"

# To GitHub; and to the runner's cache service, for hooks that may only read it.
SOCKET_DOORS = ("mergequeue/github/transport.py", "mergequeue/cache/proxy.py")
SOCKET_IMPORTS = frozenset({"http.client", "http.server", "requests", "socket", "urllib.request"})

# demo builds its example repository; the others own what they write.
FILE_DOORS = (
    "mergequeue/demo/",
    "mergequeue/git/",
    "mergequeue/hooks/",
    "mergequeue/host/files.py",
    "mergequeue/sources/",
)
FILE_HINT = "host/files.py writes"
FILE_CALLS = re.compile(
    r"os\.(chmod|link|makedirs|mkdir|mkfifo|open|remove|rename|replace|rmdir|symlink|truncate"
    r"|unlink)|shutil\.(copy\w*|move|rmtree)|tempfile\.\w+"
)
FILE_METHODS = frozenset(
    {
        "hardlink_to",
        "mkdir",
        "rename",
        "rmdir",
        "symlink_to",
        "touch",
        "unlink",
        "write_bytes",
        "write_text",
    }
)

# --- rights: port -> the steps that may name it (the table in ports.py) ---------------------------

RIGHTS = {
    "ProviderReads": ("changes/lister", "plan/planner", "apply/applier", "merge/merger"),
    "ProviderWrites": ("apply/applier", "merge/merger"),
    "GitBuilds": ("candidates/builder", "apply/applier", "merge/merger", "keep/keeper"),
    "GitPushes": ("apply/applier", "keep/stepwise"),
    "ReadsTurnedAway": ("keep/keeper",),
    "LeavesNotes": ("keep/keeper", "keep/stepwise"),
    "QueuesAgain": ("keep/stepwise",),
    "BringsUpToDate": ("keep/keeper",),
    "WritesMemory": ("apply/applier",),
    "Gates": ("verdicts/validator",),
    "Boxes": ("verdicts/validator",),
}
_WRITERS = (
    "ProviderWrites",
    "CheckedWrites",
    "GitHubWrites",
    "PlainGitWrites",
    "WritingDoor",
    "for_writing",
    "for_dashboard",
    "for_keeping",
    "PlainGitKeeping",
    "GitHubKeeping",
    "CheckedKeeping",
    "open_plain_git",
    "writing_door",
)
_WRITING = (*_WRITERS, "RemoteMemory", "GitPushes", "pushes", "make_applier", "StatusMerger")
_READERS = (
    "ProviderReads",
    "CheckedReads",
    "GitHub",
    "GitHubReads",
    "PlainGitReads",
    "ReadingDoor",
    "reading_door",
)
COMMANDS_WITHOUT = {
    "describe": _WRITING,
    "ls": _WRITING,
    "page": _WRITING,
    "plan": _WRITING,
    "status": _WRITING,
    "validate": (*_WRITING, *_READERS, "load_provider"),
    "gate": (*_WRITING, *_READERS, "load_provider"),
    "apply": ("Gates", "CommandGates", "make_gates", "boxes"),
    "keep": ("Gates", "CommandGates", "make_gates", "boxes", "ProviderWrites"),
}
"""What a command may not say: the ports, and what makes or hands out their tools."""

# --- sizes ----------------------------------------------------------------------------------------

MODULE_LINES = 350
FUNCTION_LINES = 60
LARGER: dict[str, tuple[int, str]] = {
    "mergequeue/vocabulary/errors.py": (500, "one table, a row an error, read from its top"),
}
"""`path` or `path:function` -> the lines allowed, and why it is one thing all the same."""

# --- words ----------------------------------------------------------------------------------------

# The brackets keep this file from saying them. A letter before the last would make another word.
FOREIGN_WORDS = re.compile(
    r"(?i:magu[s]|knotles[s]|\bmgs\d|\bbuz[z]\b)|(?<![A-Za-z])[Ee]jec[t]|(?<![A-Z])EJEC[T]"
)


@dataclass(frozen=True)
class Module:
    """A module's path from the project's root, and its text."""

    path: str
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source, self.path)

    @cached_property
    def imports(self) -> tuple[tuple[int, str, str], ...]:
        """Line, name it is bound to and full name of all that is imported, wherever it is written.

        `import a.b` binds `a`; it is listed as bound to `a.` so that the difference can be seen.
        """
        found = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for name in node.names:
                    local = name.asname or f"{name.name.partition('.')[0]}."
                    found.append((node.lineno, local, name.name))
            elif isinstance(node, ast.ImportFrom):
                for name in node.names:
                    full = f"{node.module or '.'}.{name.name}"
                    found.append((node.lineno, name.asname or name.name, full))
        return tuple(found)

    @cached_property
    def names(self) -> tuple[tuple[int, str], ...]:
        """Line and full name of every dotted name that begins with an import or a bare name."""
        known = {local: full for _, local, full in self.imports}
        found = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name | ast.Attribute):
                parts: list[str] = []
                inner: ast.expr = node
                while isinstance(inner, ast.Attribute):
                    parts.append(inner.attr)
                    inner = inner.value
                if isinstance(inner, ast.Name):
                    first = known.get(inner.id, inner.id)
                    found.append((node.lineno, ".".join([first, *reversed(parts)])))
        return tuple(found)

    @property
    def package(self) -> str:
        """The part of mergequeue it belongs to; its own name where it stands alone."""
        return Path(self.path).parts[1].removesuffix(".py")

    @property
    def is_step(self) -> bool:
        step = STAGES.get(self.package)
        return self.path == f"mergequeue/{self.package}/{step}.py"

    @property
    def is_part(self) -> bool:
        """Whether it is one of the `_x.py` that a step is spread over."""
        name = Path(self.path).name
        return self.package in STAGES and name.startswith("_") and not name.startswith("__")

    @property
    def is_pure(self) -> bool:
        if self.is_step or self.path in THREADED:
            return False
        return self.package in (*PURE_PACKAGES, "ports")

    def at(self, line: int, sentence: str) -> str:
        return f"{self.path}:{line}: {sentence}"


def is_one_of(full: str, modules: frozenset[str]) -> bool:
    """Whether a dotted name is one of the modules, or something inside one."""
    parts = full.split(".")
    return any(".".join(parts[:count]) in modules for count in range(1, len(parts) + 1))


def impurities(module: Module) -> Iterator[str]:
    """What a pure module takes from the outside."""
    if not module.is_pure:
        return
    for line, _, full in module.imports:
        if is_one_of(full, IMPURE_IMPORTS) and full not in PURE_EXCEPTIONS:
            yield module.at(line, f"a pure module imports {full}")
    for line, name in module.names:
        if name in IMPURE_BUILTINS or name in CLOCK_CALLS:
            yield module.at(line, f"a pure module uses {name}")


def other_starters(module: Module) -> Iterator[str]:
    """Ways to start a process outside the two modules that may."""
    if module.path in PROCESS_DOORS:
        return
    for line, _, full in module.imports:
        if is_one_of(full, PROCESS_IMPORTS):
            yield module.at(line, f"imports {full}; only {' and '.join(PROCESS_DOORS)} may")
    for line, name in module.names:
        if PROCESS_CALLS.fullmatch(name):
            yield module.at(line, f"uses {name}; only {' and '.join(PROCESS_DOORS)} may")


def other_printers(module: Module) -> Iterator[str]:
    """Ways to reach the terminal outside the one module that prints."""
    if module.path == PRINT_DOOR:
        return
    for line, name in module.names:
        if name == "print" or is_one_of(name, PRINT_NAMES):
            yield module.at(line, f"uses {name}; only {PRINT_DOOR} prints")
    for line, _, full in module.imports:
        if full in PRINT_NAMES:
            yield module.at(line, f"imports {full}; only {PRINT_DOOR} prints")
    known = {local: full for _, local, full in module.imports}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            is_console = known.get(node.func.id) == "rich.console.Console"
            if is_console and all(keyword.arg != "file" for keyword in node.keywords):
                yield module.at(node.lineno, f"a Console with no file; only {PRINT_DOOR} prints")


def other_clocks(module: Module) -> Iterator[str]:
    """Ways to tell the time outside the one module that reads the clock."""
    if module.path == CLOCK_DOOR:
        return
    for line, _, full in module.imports:
        if is_one_of(full, frozenset({"time"})):
            yield module.at(line, f"imports {full}; only {CLOCK_DOOR} reads the clock")
    for line, name in module.names:
        if name in CLOCK_CALLS:
            yield module.at(line, f"uses {name}; only {CLOCK_DOOR} reads the clock")


def other_sockets(module: Module) -> Iterator[str]:
    """Imports that open sockets outside the modules that may."""
    if module.path in SOCKET_DOORS:
        return
    for line, _, full in module.imports:
        if is_one_of(full, SOCKET_IMPORTS):
            yield module.at(line, f"imports {full}; only {' and '.join(SOCKET_DOORS)} may")


def other_writers(module: Module) -> Iterator[str]:
    """Ways to change files outside the folders that own them."""
    if module.path.startswith(FILE_DOORS):
        return
    for line, name in module.names:
        first, _, method = name.rpartition(".")
        of_path = first.startswith("pathlib.Path") and method in FILE_METHODS
        if of_path or FILE_CALLS.fullmatch(name):
            yield module.at(line, f"uses {name}; {FILE_HINT}")
    ours = {local for _, local, full in module.imports if full.startswith("mergequeue.")}
    for node in ast.walk(module.tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))) if owner in ours:
                pass  # a function of ours that is named as a method of Path is
            case ast.Call(func=ast.Attribute(attr=method)) if method in FILE_METHODS:
                yield module.at(node.lineno, f"calls .{method}(); {FILE_HINT}")
            case ast.Call(func=ast.Name(id="open")) if not only_reads(node):
                yield module.at(node.lineno, f"opens a file to write; {FILE_HINT}")


def only_reads(call: ast.Call) -> bool:
    """Whether a call of `open` gives a mode, if any, that can be seen to read."""
    modes = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "mode")]
    return all(isinstance(mode, ast.Constant) and mode.value in {"r", "rb", "rt"} for mode in modes)


def words_of(module: Module) -> Iterator[tuple[int, str]]:
    """Every identifier and import, and every identifier within a string that is no docstring."""
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if node.body and isinstance(node.body[0], ast.Expr)
    }
    for line, _, full in module.imports:
        yield from ((line, word) for word in full.split("."))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = () if id(node) in documentation else re.findall(r"\w+", node.value)
            yield from ((node.lineno, word) for word in words)


def foreign_rights(module: Module) -> Iterator[str]:
    """Ports that a step or a command names without having that right."""
    inside = module.path.removeprefix("mergequeue/").removesuffix(".py")
    if module.package in STAGES:
        if module.is_part:
            inside = f"{module.package}/{STAGES[module.package]}"
        denied = [right for right, steps in RIGHTS.items() if inside not in steps]
    elif module.package == "commands":
        denied = list(COMMANDS_WITHOUT.get(inside.removeprefix("commands/"), ()))
    else:
        return
    for line, word in sorted(set(words_of(module))):
        if word in denied:
            yield module.at(line, f"names {word}, a right it does not have")


def codes_given_by_steps(module: Module) -> Iterator[str]:
    """Codes that a step, or a part of one, gives by itself: a decision belongs in a pure module."""
    if not (module.is_step or module.is_part):
        return
    for line, name in module.names:
        if name.startswith("mergequeue.vocabulary.codes.Code."):
            yield module.at(line, f"gives {name.rpartition('.')[2]}; a pure module decides")


def oversizes(module: Module) -> Iterator[str]:
    """Modules and functions that have grown past reading."""
    lines = len(module.source.splitlines())
    allowed, _ = LARGER.get(module.path, (MODULE_LINES, ""))
    if lines > allowed:
        yield module.at(1, f"has {lines} lines, more than {allowed}")
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        documented = 0
        if body is not node.body:
            documented = (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
        length = (node.end_lineno or 0) - node.lineno + 1 - documented
        allowed, _ = LARGER.get(f"{module.path}:{node.name}", (FUNCTION_LINES, ""))
        if length > allowed:
            yield module.at(node.lineno, f"{node.name} has {length} lines, more than {allowed}")


def foreign_words(path: str, text: str) -> Iterator[str]:
    """Words that came with the specifications and are not ours."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in FOREIGN_WORDS.finditer(line):
            yield f"{path}:{number}: says {match.group()!r}"


RULES = (
    impurities,
    other_starters,
    other_printers,
    other_clocks,
    other_sockets,
    other_writers,
    foreign_rights,
    codes_given_by_steps,
    oversizes,
)
