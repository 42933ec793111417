"""Filling the templates of the page."""

import base64
import hashlib
import re
from datetime import datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mergequeue.report.web_view import WebView

_SPAN = re.compile(r"(?<!`)(?P<ticks>`+)(?!`) ?(?P<code>.+?) ?(?<!`)(?P=ticks)(?!`)")
_TEMPLATES = Path(__file__).parent / "templates"


def page_of(view: WebView) -> bytes:
    """Return the page as HTML in UTF-8.

    Whatever is in the view stands there as text, escaped; its addresses are the view's word.
    """
    style, script = (_text(name) for name in ("page.css", "page.js"))
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src {_source(style)}; script-src {_source(script)}"
    )
    page = _templates().get_template("page.html.j2")
    # The two are our own files, and an escaped one would be another.
    text = page.render(view=view, policy=policy, style=Markup(style), script=Markup(script))  # noqa: S704 (as above)
    return text.encode()


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["moment"] = _moment
    made.filters["clock"] = _clock
    made.filters["day"] = _day
    made.filters["spans"] = _spans
    return made


def _text(name: str) -> str:
    return (_TEMPLATES / name).read_text("utf-8")


def _source(text: str) -> str:
    """Return how a policy names a style or script that stands in the page."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _spans(text: str) -> Markup:
    """Return text whose code spans, as `vocabulary.text.code_span` writes them, look like code."""
    shown, at = list[str](), 0
    for span in _SPAN.finditer(text):
        shown += [text[at : span.start()], Markup("<code>{}</code>").format(span["code"])]
        at = span.end()
    return Markup("").join([*shown, text[at:]])  # which escapes what is no markup


def _moment(at: datetime) -> str:
    """Return a time as HTML's `datetime` attribute has it."""
    return f"{at.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def _clock(at: datetime) -> str:
    """Return a time of a day as it reads where no script tells the reader's own."""
    return at.strftime("%H:%M UTC")


def _day(at: datetime) -> str:
    """Return a day and a time, as `_clock` does."""
    return at.strftime("%-d %b %H:%M UTC")
