"""What is read of the user's configuration, and what of it is secret."""

import pytest

from mergequeue.git.remote import (
    is_partial,
    parse_configuration,
    remote_of,
    render_trusted,
    user_of,
    without_credentials,
)
from mergequeue.vocabulary.errors import BAD_REMOTE, MergequeueError
from mergequeue.vocabulary.identity import Identity

SETTINGS = (
    ("alias.push", "!false"),
    ("core.hookspath", "/bad"),
    ("core.sshcommand", "my-ssh"),
    ("credential.helper", "store"),
    ("http.https://host.invalid/.extraheader", "AUTHORIZATION: basic c2VjcmV0"),
    ("include.path", "/elsewhere"),
    ("remote.origin.fetch", "+refs/*:refs/*"),
    ("remote.origin.receivepack", "/bad"),
    ("remote.origin.url", "https://token@host.invalid/r.git"),
    ("remote.other.url", "/other"),
    ("url.https://me:pass%20word@host.invalid/.insteadof", "host:"),
)


def test_a_listing_reads_with_line_breaks_in_values_and_keys_without_one() -> None:
    listing = b"local\0a.b\none\ntwo\0global\0c.d\0local\0e.f\n\0"
    read = parse_configuration(listing).settings
    assert read == (("a.b", "one\ntwo"), ("c.d", "true"), ("e.f", ""))


def test_only_the_address_and_the_transport_settings_are_taken() -> None:
    keys = {key for key, _ in remote_of(SETTINGS, "origin").settings}
    assert keys == {
        "core.sshcommand",
        "credential.helper",
        "http.https://host.invalid/.extraheader",
        "remote.queue.url",
        "url.https://me:pass%20word@host.invalid/.insteadof",
    }


def test_of_several_addresses_the_first_is_the_remote() -> None:
    settings = [("remote.o.url", url) for url in ("", "/first", "/second")]
    made = remote_of(settings, "o")
    assert (made.address, made.settings) == ("/first", (("remote.queue.url", "/first"),))


def test_every_credential_in_them_is_known_as_a_secret() -> None:
    secrets = remote_of(SETTINGS, "origin").secrets
    assert {"token", "c2VjcmV0", "pass%20word", "pass word"} <= secrets


@pytest.mark.parametrize(
    "name",
    ["", "nowhere", "https://host.invalid/r.git", "https://me:pw@host.invalid", "/other", "../x"],
)
def test_anything_but_the_name_of_a_configured_remote_is_refused(name: str) -> None:
    with pytest.raises(MergequeueError) as error:
        remote_of(SETTINGS, name)
    assert error.value.code == BAD_REMOTE.code
    assert "pw" not in error.value.problem
    assert "origin, other" in error.value.problem


def test_a_remote_whose_name_has_dots_and_odd_letters_is_found() -> None:
    settings = (("remote.a.b;$(id).url", "/x"),)
    assert remote_of(settings, "a.b;$(id)").address == "/x"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://host.invalid/r", "https://host.invalid/r"),
        ("https://token@host.invalid/r", "https://host.invalid/r"),
        ("https://me:p@ss@host.invalid:8443/r@1", "https://host.invalid:8443/r@1"),
        ("HTTP://me:pw@host.invalid/", "HTTP://host.invalid/"),
        ("ssh://git@host.invalid:22/r", "ssh://git@host.invalid:22/r"),
        ("ssh://git:pw@host.invalid/r", "ssh://git@host.invalid/r"),
        ("git@host.invalid:o/r.git", "git@host.invalid:o/r.git"),
        ("/srv/a@b/r.git", "/srv/a@b/r.git"),
        ("file:///srv/a@b", "file:///srv/a@b"),
    ],
)
def test_an_address_is_shown_without_credentials(address: str, shown: str) -> None:
    assert without_credentials(address) == shown


@pytest.mark.parametrize(
    ("key", "value", "partial"),
    [
        ("extensions.partialclone", "origin", True),
        ("remote.origin.promisor", "true", True),
        ("remote.origin.promisor", "false", False),
        ("remote.x.partialclonefilter", "blob:none", True),
        ("remote.origin.url", "promisor", False),
    ],
)
def test_a_partial_clone_is_known_by_any_of_its_settings(
    key: str, value: str, *, partial: bool
) -> None:
    assert is_partial([(key, value)]) is partial


def test_a_repository_cannot_say_itself_that_it_is_trusted() -> None:
    values = {b"global": b'/a "b"\\', b"local": b"/bad", b"command": b"*"}
    listing = b"".join(b"%s\0safe.directory\n%s\0" % each for each in values.items())
    text = render_trusted(parse_configuration(listing))
    assert text == '[safe]\n\tdirectory = "/a \\"b\\"\\\\"\n\tdirectory = "*"\n'


def test_the_user_is_named_by_the_last_setting_of_each_kind_or_not_at_all() -> None:
    settings = [("user.name", "A"), ("user.email", "a@x.invalid"), ("user.name", "B\udcff")]
    assert user_of(settings) == Identity("B\N{REPLACEMENT CHARACTER}", "a@x.invalid")
    assert user_of([("user.name", "A")]) is None
