"""Finding a person's provider: `<absolute path>/provider.py:Class`, and nothing but that file.

DESIGN, Rulings 10.
"""

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from types import CodeType, ModuleType

from mergequeue.vocabulary.errors import BAD_PROVIDER
from mergequeue.vocabulary.text import cut, one_line, quoted

REQUIRED = (
    "describe",
    "list_changes",
    "approvals_at",
    "list_green",
    "post_status",
    "retarget",
    "merge_change",
    "kick_back",
    "mark",
)
"""The functions that every provider has; it may have `required_checks` besides."""

_FORM = "name it as <absolute path>/provider.py:Class"
_LINKS = 40
"""How many links are followed before a path leads nowhere, as the kernel counts them."""
_MODULE = "mergequeue_provider_file"
_SHOWN = 300


@dataclass(frozen=True)
class ProviderName:
    """Where a provider is: a file, and a class in it."""

    path: str
    class_name: str

    def __str__(self) -> str:
        """Return it as it is given on the command line."""
        return f"{self.path}:{self.class_name}"


def parse_name(text: str) -> ProviderName:
    """Return the provider that an option names.

    Raises BAD_PROVIDER for anything but an absolute path and a class.
    """
    path, colon, class_name = text.rpartition(":")
    if not colon or not class_name.isidentifier():
        raise BAD_PROVIDER(f"{quoted(text)} names no class; {_FORM}")
    if not Path(path).is_absolute():
        raise BAD_PROVIDER(f"{quoted(path)} is no absolute path; {_FORM}")
    return ProviderName(path, class_name)


def refuse_inside(name: ProviderName, checkouts: Iterable[Path]) -> None:
    """Raise BAD_PROVIDER where the file is in one of the checkouts, or is reached through it.

    What a change can write may not say what merges: not the file, nor a link or folder on the way.
    """
    places = _places(name.path)
    for root in (checkout.resolve() for checkout in checkouts):
        if any(place.is_relative_to(root) for place in places):
            raise BAD_PROVIDER(
                f"{quoted(name.path)} is reached through the checkout at {quoted(str(root))}",
                "Keep the provider outside of the checkout, where no change can replace it.",
            )


def load_provider(name: ProviderName) -> object:
    """Return a new object of the class that the file holds.

    The file's folder is not searched for imports, and nothing compiled is read or written there.
    Raises BAD_PROVIDER where it cannot be had, naming every required function that it lacks.
    """
    module = _load_module(name)
    found = getattr(module, name.class_name, None)
    if not isinstance(found, type):
        raise BAD_PROVIDER(f"{quoted(name.path)} holds no class {name.class_name}")
    missing = [function for function in REQUIRED if not callable(getattr(found, function, None))]
    if missing:
        raise BAD_PROVIDER(f"{quoted(str(name))} lacks {', '.join(missing)}")
    try:
        return found()
    except (Exception, SystemExit) as error:
        raise BAD_PROVIDER(f"{quoted(str(name))} cannot be made: {said(error)}") from error


def said(error: BaseException) -> str:
    """Return what an exception of a provider says, on one line and cut."""
    return one_line(cut(f"{type(error).__name__}: {error}", _SHOWN))


class _SourceAlone(SourceFileLoader):
    """Compiles the source each time: a compiled file beside it would be somebody else's code."""

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 (the name is the loader's own)
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


def _load_module(name: ProviderName) -> ModuleType:
    if not Path(name.path).is_file():
        raise BAD_PROVIDER(f"{quoted(name.path)} is no file")
    loader = _SourceAlone(_MODULE, name.path)
    module = module_from_spec(ModuleSpec(_MODULE, loader, origin=name.path))
    module.__file__ = name.path
    # Dataclasses look their own module up by its name.
    sys.modules[_MODULE] = module
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise BAD_PROVIDER(f"{quoted(name.path)} cannot be loaded: {said(error)}") from error
    return module


def _places(path: str) -> list[Path]:
    """Return every file and folder on the way to what `path` names, through links too."""
    places: list[Path] = []
    todo = _steps(path)
    here = Path(os.sep)
    links = 0
    while todo:
        step = todo.pop()
        if step == os.pardir:
            here = here.parent
            continue
        places.append(here / step)
        if not places[-1].is_symlink():
            here = places[-1]
            continue
        links += 1
        if links > _LINKS:
            raise BAD_PROVIDER(f"{quoted(path)} leads through too many links")
        target = places[-1].readlink()
        here = Path(os.sep) if target.is_absolute() else here
        todo += _steps(str(target))
    return places


def _steps(path: str) -> list[str]:
    return [part for part in reversed(Path(path).parts) if part != os.sep]
