"""What applying says of generated files: in a status, in a kick-back's detail, and as a notice."""

from mergequeue.ports import Generation
from mergequeue.vocabulary.ids import BranchName, CommitId, short
from mergequeue.vocabulary.limits import CLAIM_BYTES
from mergequeue.vocabulary.text import code_span, cut, one_line, path_text

TAKEN = "its generated files are those that validation wrote, each checked"
"""The notice of a candidate that was taken from a bundle."""


def code_beneath(proof: Generation) -> str:
    """Return why a change waits that needs code which what is beneath it changes."""
    what = path_text(proof.code[0]) if proof.code else one_line(proof.unbounded_by)
    return f"what merges beneath it changes code that its generated files are made with: {what}"


def failed_here(refused: str) -> str:
    """Return why a change waits whose files validation could regenerate, and apply cannot."""
    said = cut(one_line(refused.replace("`", "")), CLAIM_BYTES)
    return f"its generated files could not be made again where it is applied: {said}"


def generated_otherwise() -> str:
    """Return the detail of a kick for files that the base's regeneration makes otherwise."""
    return (
        "The base's own regeneration, run on its merge, does not give what was gated. See that it "
        "writes the same each time, and queue it again."
    )


def needs_regeneration(base: BranchName, why: str) -> str:
    """Return the detail of a kick for files that only the change's own code can regenerate."""
    reason = f" ({code_span(cut(one_line(why), CLAIM_BYTES))})" if why else ""
    return (
        f"Merging it onto {code_span(base)} needs generated files made anew, by code that it may "
        f"change itself{reason}, and validation left none that could be checked."
    )


def bundle_refused(why: str) -> str:
    """Return the detail of a kick for a bundle that cannot be taken at all."""
    said = code_span(cut(one_line(why), CLAIM_BYTES))
    return f"The generated files that its validation left cannot be taken: {said}."


def bundle_elsewhere(merge: CommitId) -> str:
    """Return the detail of a kick for a bundle on another commit than apply's own merge."""
    return (
        "The generated files that its validation left do not stand on its merge, "
        f"{code_span(short(merge))}, alone."
    )


def bundle_beyond_outputs() -> str:
    """Return the detail of a kick for a bundle that changes source."""
    return (
        "Its validation changed files that nothing on the base declares as generated, and a review "
        "has to see those: bring the base in, run its regeneration, and push what that writes."
    )


def bundle_of_other_kinds() -> str:
    """Return the detail of a kick for a bundle that holds more than plain files."""
    return (
        "Its validation left a symbolic link, a submodule or another mode where a generated file "
        "belongs: let its regeneration write plain files, and keep their modes."
    )
