"""The comment that tells on GitHub what a try run came to."""

from mergequeue.documents.trying import TryReport
from mergequeue.report.github_comment import run_link
from mergequeue.vocabulary.limits import CLAIM_BYTES
from mergequeue.vocabulary.text import code_block


def try_comment(report: TryReport, web: str) -> str:
    """Return the comment; `web` is the address that people open."""
    claim = f"Its verdict says:\n\n{code_block(report.claim, CLAIM_BYTES)}" if report.claim else ""
    parts = [report.report, claim, run_link(report.source, web)]
    return "\n\n".join(part for part in parts if part)
