"""Addresses of every GitHub, and of what is in it (facts 1.1; CASES D, hosts)."""

import pytest

from mergequeue.github.addresses import (
    Addresses,
    RepoName,
    addresses_of,
    api_path,
    repo_named,
    repo_of,
)
from mergequeue.vocabulary.errors import BAD_REMOTE, PROVIDER_FAILED, USAGE, MergequeueError

GITHUB = Addresses("https://api.github.com", "https://api.github.com/graphql", "https://github.com")
TENANT = Addresses(
    "https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql", "https://acme.ghe.com"
)
SERVER = Addresses("https://ghe.x/api/v3", "https://ghe.x/api/graphql", "https://ghe.x")
PORT = Addresses(
    "https://ghe.x:8443/api/v3", "https://ghe.x:8443/api/graphql", "https://ghe.x:8443"
)
LOCAL = Addresses("http://127.0.0.1:9", "http://127.0.0.1:9/graphql", "http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("api", "server", "expected"),
    [
        ("", "", GITHUB),
        ("https://api.github.com", "https://github.com", GITHUB),
        ("https://api.github.com/", "https://github.com//", GITHUB),
        ("", "https://github.com", GITHUB),
        ("https://api.github.com", "", GITHUB),
        ("https://api.acme.ghe.com", "https://acme.ghe.com", TENANT),
        ("", "https://acme.ghe.com", TENANT),
        ("https://api.acme.ghe.com/", "", TENANT),
        ("https://ghe.x/api/v3", "https://ghe.x", SERVER),
        ("https://ghe.x/api/v3/", "https://ghe.x/", SERVER),
        ("", "https://ghe.x", SERVER),
        ("https://ghe.x/api/v3", "", SERVER),
        ("https://ghe.x:8443/api/v3", "", PORT),
        ("", "https://ghe.x:8443", PORT),
        ("http://127.0.0.1:9", "http://127.0.0.1:9", LOCAL),
    ],
)
def test_two_variables_say_where_everything_is(api: str, server: str, expected: Addresses) -> None:
    assert addresses_of({"GITHUB_API_URL": api, "GITHUB_SERVER_URL": server}) == expected


def test_nothing_set_is_github_com() -> None:
    assert addresses_of({}) == GITHUB
    assert not GITHUB.is_enterprise_server
    assert SERVER.is_enterprise_server


@pytest.mark.parametrize(
    "text",
    [
        "api.github.com",
        "http://api.github.com",
        "http://127.0.0.1.example.com",
        "http://localhost.example.com",
        "ftp://api.github.com",
        "https://",
        "https://user:secret@api.github.com",
        "https://api.github.com?a=b",
        "https://api.github.com#a",
        "https://api.github.com:port",
        "https://[::1",
    ],
)
@pytest.mark.parametrize("variable", ["GITHUB_API_URL", "GITHUB_SERVER_URL"])
def test_a_credential_goes_to_an_https_address_or_nowhere(variable: str, text: str) -> None:
    with pytest.raises(MergequeueError) as caught:
        addresses_of({variable: text})
    assert caught.value.code == USAGE.code
    assert variable in caught.value.problem
    assert "secret" not in caught.value.problem


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "http://[::1]:1", "http://localhost:1"])
def test_this_machine_itself_may_be_asked_without_tls(address: str) -> None:
    assert addresses_of({"GITHUB_API_URL": address}).rest == address


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        (("users", "queue[bot]"), "/users/queue%5Bbot%5D"),
        (("branches", "release/1.0"), "/branches/release%2F1.0"),
        (("labels", "merge-queue: queued"), "/labels/merge-queue%3A%20queued"),
        (("a", "ü+&=?#%2F"), "/a/%C3%BC%2B%26%3D%3F%23%252F"),
        (("pulls", 7), "/pulls/7"),
        (("keep", "Az09-._~"), "/keep/Az09-._~"),
    ],
)
def test_only_letters_digits_and_four_signs_stay_bare(
    segments: tuple[str | int, ...], expected: str
) -> None:
    assert api_path(*segments) == expected


@pytest.mark.parametrize("segment", ["", ".", ".."])
def test_a_segment_that_would_name_another_path_is_refused(segment: str) -> None:
    with pytest.raises(MergequeueError) as caught:
        api_path("repos", "acme", segment)
    assert caught.value.code == PROVIDER_FAILED.code


@pytest.mark.parametrize(
    "remote",
    [
        "git@github.com:acme/app",
        "git@github.com:acme/app.git",
        "github.com:acme/app.git",
        "https://github.com/acme/app",
        "https://github.com/acme/app.git",
        "https://github.com/acme/app/",
        "https://GitHub.com/acme/app.git",
        "https://token@github.com/acme/app.git",
        "ssh://git@github.com/acme/app",
        "ssh://git@github.com/acme/app.git",
        "ssh://git@github.com:22/acme/app.git",
        "ssh://git@ssh.github.com:443/acme/app.git",
        "git@work:acme/app.git",
    ],
)
def test_every_form_of_a_remote_names_its_repository(remote: str) -> None:
    assert repo_of(remote, GITHUB) == RepoName("acme", "app")


def test_a_port_of_the_host_is_a_part_of_it() -> None:
    assert str(repo_of("https://ghe.x:8443/acme/app", PORT)) == "acme/app"
    assert str(repo_of("ssh://git@ghe.x:7999/acme/app", PORT)) == "acme/app"
    with pytest.raises(MergequeueError):
        repo_of("https://ghe.x/acme/app", PORT)


@pytest.mark.parametrize(
    "remote",
    [
        "",
        "/srv/git/app.git",
        "file:///srv/git/app.git",
        "../app",
        "http://github.com/acme/app",
        "https://github.com/acme",
        "https://github.com/acme/app/tree/main",
        "https://github.com/acme/..",
        "https://github.com/acme/a b",
        "https://github.com:x/acme/app",
        "https://gitlab.com/acme/app",
        "git@gitlab.com:acme/app.git",
        "ssh://git@gitlab.com/acme/app",
        "https://github.com.example.com/acme/app",
        "git://github.com/acme/app",
    ],
)
def test_any_other_remote_is_refused_before_a_credential_is_sent(remote: str) -> None:
    with pytest.raises(MergequeueError) as caught:
        repo_of(remote, GITHUB)
    assert caught.value.code == BAD_REMOTE.code


def test_a_repository_has_one_name_however_it_is_written() -> None:
    name = repo_named("Acme/App")
    assert name.is_same(RepoName("acme", "app"))
    assert name.path("pulls", 7) == "/repos/Acme/App/pulls/7"
    assert name.clone_address(SERVER) == "https://ghe.x/Acme/App.git"
    with pytest.raises(MergequeueError):
        repo_named("acme")
