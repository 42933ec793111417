"""Who commits: `Name <address>`, and nothing that could end a line of a commit early."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergequeue.vocabulary.identity import (
    QUEUE,
    Identity,
    candidate_message,
    parse_identity,
    recording_message,
)
from mergequeue.vocabulary.ids import ChangeId, CommitId

GOOD = {
    "plain": ("Ada <ada@example.invalid>", Identity("Ada", "ada@example.invalid")),
    "two names": ("Ada King <a@b>", Identity("Ada King", "a@b")),
    "not in ASCII": ("Zoë 山 <zoë@b>", Identity("Zoë 山", "zoë@b")),
    "spaces before": ("  Ada <a@b>", Identity("Ada", "a@b")),
    "an app": ("x[bot] <1+x[bot]@users.invalid>", Identity("x[bot]", "1+x[bot]@users.invalid")),
}
BAD = {
    "empty": "",
    "no address": "Ada",
    "an empty address": "Ada <>",
    "no name": "<a@b>",
    "a name of spaces": "  <a@b>",
    "no space between": "Ada<a@b>",
    "two addresses": "Ada <a@b> <c@d>",
    "a line break in the name": "Ada\nparent x <a@b>",
    "a line break in the address": "Ada <a@b\n>",
    "a line break behind": "Ada <a@b>\n",
    "NUL": "Ada\0 <a@b>",
    "a space in the address": "Ada <a b>",
    "a name in no UTF-8": "Ad\udce4 <a@b>",
    "an address in no UTF-8": "Ada <a\udce4@b>",
    "more behind": "Ada <a@b> 0 +0000",
}


@pytest.mark.parametrize(("text", "identity"), GOOD.values(), ids=GOOD)
def test_a_name_and_an_address_are_an_identity(text: str, identity: Identity) -> None:
    assert parse_identity(text) == identity


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_anything_else_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="not of the form 'Name <address>'"):
        parse_identity(text)


@given(st.text(max_size=6), st.text(max_size=6))
def test_an_identity_is_whole_and_reads_back_as_it_is_shown(name: str, email: str) -> None:
    try:
        identity = parse_identity(f"{name} <{email}>")
    except ValueError:
        return
    assert identity.name != ""
    assert identity.email == email
    assert not set("<>\n\0") & set(identity.name + identity.email)
    assert parse_identity(str(identity)) == identity


def test_the_queue_itself_is_an_identity() -> None:
    assert parse_identity(str(QUEUE)) == QUEUE


def test_messages_name_the_change_and_end_a_line() -> None:
    assert candidate_message(ChangeId("one")) == "Candidate of change one\n"
    message = recording_message(ChangeId("one"), CommitId("a" * 40))
    assert message == "Stack base aaaaaaaaaaaa of change one, already merged\n"
