"""A real browser, and the page in it."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

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
    """How a test opens the page of a queue."""

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


@pytest.fixture
def opens(browser: Browser, tmp_path: Path) -> Iterator[Opens]:
    """Open the page of a queue, at the moment that it was written, and fail if it complains."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(
        view: WebView, screen: Screen = Screen(), *, at: datetime = AT, anchor: str = ""
    ) -> Page:
        context = browser.new_context(
            viewport={"width": screen.width, "height": screen.height},
            color_scheme="dark" if screen.dark else "light",
            java_script_enabled=screen.scripts,
            timezone_id="UTC",
            locale="en-GB",
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.clock.install(time=at)
        path = tmp_path / f"{len(contexts)}.html"
        path.write_bytes(page_of(view))
        page.goto(f"{path.as_uri()}{anchor}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def axe(real_home: str) -> str:
    """axe-core, as a script."""
    folder = installed(Path(__file__).parent / "axe", real_home)
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
