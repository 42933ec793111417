"""Where the runner's cache service is, and that a run without one does not start (facts 6.6)."""

import pytest

from mergequeue.cache.service import Service, service_of, stand_ins
from mergequeue.vocabulary.errors import NO_CACHE, UsageError

GIVEN = {"ACTIONS_RESULTS_URL": "https://results.example/", "ACTIONS_RUNTIME_TOKEN": "real.token"}


@pytest.mark.parametrize(
    "address",
    [
        "https://results.example/",
        "https://results.example",
        "http://127.0.0.1:8080/",
        "http://[::1]/",
    ],
)
def test_the_service_is_where_the_runner_says(address: str) -> None:
    found = service_of({**GIVEN, "ACTIONS_RESULTS_URL": address, "ACTIONS_CACHE_URL": "x"})
    assert found == Service(address.rstrip("/") + "/", "real.token")
    assert "real.token" not in repr(found)


@pytest.mark.parametrize(
    "changed",
    [
        {"ACTIONS_RESULTS_URL": ""},
        {"ACTIONS_RUNTIME_TOKEN": ""},
        {"ACTIONS_RESULTS_URL": "http://results.example/"},
        {"ACTIONS_RESULTS_URL": "http://localhost.example/"},
        {"ACTIONS_RESULTS_URL": "https://user:word@results.example/"},
        {"ACTIONS_RESULTS_URL": "https://results.example/?to=elsewhere"},
        {"ACTIONS_RESULTS_URL": "https://results.example:port/"},
        {"ACTIONS_RESULTS_URL": "file:///etc/passwd"},
        {"ACTIONS_RESULTS_URL": "https:///"},
        {"ACTIONS_RUNTIME_TOKEN": "real.token\r\nHost: elsewhere"},
        {"ACTIONS_RUNTIME_TOKEN": "real token"},
    ],
)
def test_without_a_service_and_a_credential_for_it_nothing_starts(changed: dict[str, str]) -> None:
    with pytest.raises(UsageError) as raised:
        service_of({**GIVEN, **changed})
    assert raised.value.code == NO_CACHE.code
    assert "real" not in str(raised.value)
    assert "word" not in str(raised.value)


def test_a_hook_is_told_of_the_second_version_of_the_service_alone() -> None:
    assert stand_ins(8080, "stand-in") == {
        "ACTIONS_RESULTS_URL": "http://127.0.0.1:8080/",
        "ACTIONS_RUNTIME_TOKEN": "stand-in",
        "ACTIONS_CACHE_SERVICE_V2": "true",
    }
