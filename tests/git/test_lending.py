"""A provider's credential in place of the person's own (seed 1, Setting it up on GitHub)."""

import base64

from mergequeue.git.lending import Loan

ADDRESS = "https://github.com/acme/app.git"
TOKEN = "ghs_lent"
BASIC = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()
OWN = (
    ("http.https://github.com/.extraheader", "AUTHORIZATION: basic job"),
    ("http.extraheader", "X: y"),
    ("http.proxy", "http://proxy"),
    ("credential.helper", "store"),
    ("credential.https://github.com.helper", "!gh auth git-credential"),
    ("url.git@github.com:.insteadof", "https://github.com/"),
    ("remote.queue.url", "git@github.com:acme/app.git"),
    ("remote.queue.pushurl", "git@github.com:acme/app.git"),
    ("remote.queue.proxy", "http://proxy"),
    ("core.sshcommand", "ssh -x"),
)


def test_the_remote_is_reached_at_the_providers_address_with_its_credential_alone() -> None:
    settings, secrets = Loan(ADDRESS, lambda: TOKEN).settings(OWN)
    assert settings == (
        ("http.proxy", "http://proxy"),
        ("remote.queue.proxy", "http://proxy"),
        ("core.sshcommand", "ssh -x"),
        ("remote.queue.url", ADDRESS),
        ("credential.helper", ""),
        ("http.https://github.com/.extraheader", f"AUTHORIZATION: basic {BASIC}"),
    )
    assert secrets == {TOKEN, BASIC}


def test_a_port_is_a_part_of_where_the_credential_goes() -> None:
    settings, _ = Loan("http://127.0.0.1:8080/acme/app.git", lambda: TOKEN).settings(())
    assert settings[-1][0] == "http.http://127.0.0.1:8080/.extraheader"


def test_a_token_is_asked_for_each_time_and_never_shown() -> None:
    tokens = iter(["one", "two"])
    loan = Loan(ADDRESS, lambda: next(tokens))
    assert [loan.settings(())[1] & {"one", "two"} for _ in range(2)] == [{"one"}, {"two"}]
    assert "one" not in repr(loan)
