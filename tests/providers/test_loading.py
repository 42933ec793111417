"""A person's provider comes from the one file that is named, or is refused."""

import importlib.util
import py_compile
import sys
from pathlib import Path

import pytest

from mergequeue.providers.loading import (
    REQUIRED,
    ProviderName,
    load_provider,
    parse_name,
    refuse_inside,
)
from mergequeue.vocabulary.errors import BAD_PROVIDER, UsageError

WHOLE = "class Mine:\n" + "".join(
    f"    def {function}(self, asked): return {function!r}\n" for function in REQUIRED
)


def written(folder: Path, text: str) -> ProviderName:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "provider.py"
    path.write_text(text)
    return ProviderName(str(path), "Mine")


def problem(name: ProviderName) -> str:
    with pytest.raises(UsageError) as caught:
        load_provider(name)
    assert caught.value.code == BAD_PROVIDER.code
    return caught.value.problem


def test_a_class_with_every_function_is_loaded(tmp_path: Path) -> None:
    name = written(tmp_path, WHOLE)
    provider = load_provider(parse_name(f"{name.path}:Mine"))
    assert type(provider).__name__ == "Mine"


@pytest.mark.parametrize(
    "text",
    [
        "provider.py:Mine",
        "./provider.py:Mine",
        "~/provider.py:Mine",
        "/somewhere/provider.py",
        "/somewhere/provider.py:",
        "/somewhere/provider.py:not a name",
        ":Mine",
        "",
    ],
)
def test_a_name_without_an_absolute_path_and_a_class_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_name(text)
    assert caught.value.code == BAD_PROVIDER.code


def test_a_path_that_holds_a_colon_is_a_path() -> None:
    assert parse_name("/a:b/provider.py:Mine") == ProviderName("/a:b/provider.py", "Mine")


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    assert "gone.py" in problem(ProviderName(str(tmp_path / "gone.py"), "Mine"))


def test_every_function_that_is_missing_is_named(tmp_path: Path) -> None:
    lacking = WHOLE.replace("def mark", "def remark").replace("def describe", "def portray")
    assert "describe, mark" in problem(written(tmp_path, lacking))


def test_a_name_that_is_no_function_counts_as_missing(tmp_path: Path) -> None:
    assert "mark" in problem(written(tmp_path, WHOLE + "    mark = 1\n"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Other = 1\n", "no class Mine"),
        ("Mine = 1\n", "no class Mine"),
        ("def broken(:\n", "SyntaxError"),
        ("raise ValueError('no\\x1b[31m luck')\n", "ValueError: no\\x1b[31m luck"),
        ("import sys; sys.exit(0)\n", "SystemExit"),
        (WHOLE + "    def __init__(self): raise OSError('no disk')\n", "OSError: no disk"),
        (WHOLE + "    def __init__(self, needed): pass\n", "needed"),
    ],
)
def test_a_file_that_cannot_give_the_class_is_refused_in_its_own_words(
    tmp_path: Path, text: str, said: str
) -> None:
    assert said in problem(written(tmp_path, text))


def test_nothing_beside_the_file_is_imported(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("x = 1\n")
    before = list(sys.path)
    assert "beside" in problem(written(tmp_path, f"import beside\n{WHOLE}"))
    assert sys.path == before


def test_nothing_compiled_is_written_beside_the_file(tmp_path: Path) -> None:
    load_provider(written(tmp_path, WHOLE))
    assert [path.name for path in tmp_path.iterdir()] == ["provider.py"]


def test_nothing_compiled_beside_the_file_is_run(tmp_path: Path) -> None:
    name = written(tmp_path, "raise RuntimeError('somebody else')\n")
    cached = importlib.util.cache_from_source(name.path)
    py_compile.compile(
        name.path, cached, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    written(tmp_path, WHOLE)
    load_provider(name)


def test_a_provider_may_hold_dataclasses_with_names_for_types(tmp_path: Path) -> None:
    text = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Part:\n    name: str\n"
    )
    load_provider(written(tmp_path, text + WHOLE))


def refused(path: Path, checkout: Path) -> bool:
    try:
        refuse_inside(ProviderName(str(path), "Mine"), (path.parent / "no", checkout))
    except UsageError as error:
        return error.code == BAD_PROVIDER.code
    return False


def test_a_file_inside_the_checkout_is_refused(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    name = written(checkout / "tools", WHOLE)
    assert refused(Path(name.path), checkout)


def test_a_file_beside_the_checkout_is_taken(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    name = written(tmp_path / "checkout-tools", WHOLE)
    assert not refused(Path(name.path), checkout)


def test_a_link_into_the_checkout_is_refused(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    name = written(checkout / "tools", WHOLE)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file.py").symlink_to(name.path)
    (outside / "folder").symlink_to(checkout / "tools")
    (outside / "relative.py").symlink_to("../checkout/tools/provider.py")
    assert refused(outside / "file.py", checkout)
    assert refused(outside / "folder" / "provider.py", checkout)
    assert refused(outside / "relative.py", checkout)


def test_a_link_that_only_passes_through_the_checkout_is_refused(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    name = written(tmp_path / "outside", WHOLE)
    (checkout / "hop.py").symlink_to(name.path)
    (tmp_path / "start.py").symlink_to(checkout / "hop.py")
    assert refused(checkout / "hop.py", checkout)
    assert refused(tmp_path / "start.py", checkout)


def test_a_checkout_that_is_reached_through_a_link_is_the_same_checkout(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    name = written(checkout, WHOLE)
    (tmp_path / "alias").symlink_to(checkout)
    assert refused(Path(name.path), tmp_path / "alias")
    assert refused(tmp_path / "alias" / "provider.py", checkout)


def test_steps_up_out_of_and_back_into_the_checkout_are_followed(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    name = written(checkout, WHOLE)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "link").symlink_to(checkout)
    assert refused(tmp_path / "deep" / ".." / "checkout" / "provider.py", checkout)
    outside = written(tmp_path / "outside", WHOLE)
    assert refused(tmp_path / "deep" / "link" / ".." / "outside" / "provider.py", checkout)
    assert not refused(Path(outside.path), checkout)
    assert name.path != outside.path


def test_links_that_lead_nowhere_are_refused(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    assert refused(tmp_path / "one", tmp_path / "checkout")
