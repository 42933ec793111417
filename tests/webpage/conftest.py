"""A real browser, and the page in it."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, sync_playwright

from mergequeue.report.web_view import WebView
from mergequeue.webpage.rendering import page_of
from tests.fakes.needs import NOTHING_IS_SKIPPED
from tests.support.npm import installed
from tests.webpage.queues import AT

# It is started as root in a container, and is to look nothing up at its start.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass(frozen=True)
class Screen:
    """What somebody looks at the page with."""

    width: int = 1200
    height: int = 800
    dark: bool = False
    scripts: bool = True


class Opens(Protocol):
    """How a test opens the page of a queue: the one before it is gone then."""

    def __call__(
        self, view: WebView, screen: Screen = ..., *, at: datetime = ..., anchor: str = ""
    ) -> Page: ...


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None and not NOTHING_IS_SKIPPED:
        pytest.skip("it needs chromium (set NOTHING_IS_SKIPPED=1 to have it fail instead)")
    with sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=path, args=FLAGS)


@pytest.fixture(scope="module")
def tabs(browser: Browser) -> dict[bool, Page]:
    """A tab that runs scripts, and one that runs none: opening one takes a second."""
    return {
        scripts: browser.new_context(
            java_script_enabled=scripts,
            timezone_id="UTC",
            locale="en-GB",
            reduced_motion="reduce",
        ).new_page()
        for scripts in (True, False)
    }


@pytest.fixture
def opens(tabs: dict[bool, Page], tmp_path: Path) -> Iterator[Opens]:
    """Open the page of a queue, at the moment that it was written, and fail if it complains."""
    complaints: list[str] = []
    opened = count(1)

    def hear(said: ConsoleMessage) -> None:
        complaints.append(said.text)

    def fail(error: Error) -> None:
        complaints.append(str(error))

    def open_page(
        view: WebView, screen: Screen = Screen(), *, at: datetime = AT, anchor: str = ""
    ) -> Page:
        page = tabs[screen.scripts]
        page.set_viewport_size({"width": screen.width, "height": screen.height})
        page.emulate_media(color_scheme="dark" if screen.dark else "light")
        page.clock.install(time=at)
        path = tmp_path / f"{next(opened)}.html"
        path.write_bytes(page_of(view))
        page.goto(f"{path.as_uri()}{anchor}")
        return page

    for page in tabs.values():
        page.on("console", hear)
        page.on("pageerror", fail)
    yield open_page
    for page in tabs.values():
        page.remove_listener("console", hear)
        page.remove_listener("pageerror", fail)
    assert complaints == []


@pytest.fixture(scope="session")
def axe(real_home: str) -> str:
    """axe-core, as a script."""
    folder = installed(Path(__file__).parent / "axe", real_home)
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
