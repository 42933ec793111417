"""Fetching an artifact: https alone, and its headers to its own host alone (facts F4)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from werkzeug.wrappers import Response

from mergequeue.github.downloads import PatientDownloads
from mergequeue.github.transport import Downloader
from mergequeue.vocabulary import limits
from mergequeue.vocabulary.errors import CREDENTIAL_REFUSED, UNREADABLE, MergequeueError
from tests.support.answering import Answers, PassingClock, answering, cut

HEADERS = {"Authorization": "Bearer secret", "X-Own": "yes"}


@pytest.fixture(scope="module")
def _elsewhere() -> Iterator[Answers]:
    with answering() as answers:
        yield answers


@pytest.fixture
def elsewhere(_elsewhere: Answers) -> Answers:
    _elsewhere.asked.clear()
    return _elsewhere


@dataclass
class Fetching:
    downloads: PatientDownloads
    clock: PassingClock
    said: list[str] = field(default_factory=list)

    def refused(self, url: str) -> str:
        with pytest.raises(MergequeueError) as caught:
            self.downloads.fetch(url, HEADERS, "artifact x")
        assert caught.value.code == UNREADABLE.code
        assert "secret" not in f"{caught.value!r}{caught.value.__cause__!r}"
        return caught.value.problem


@pytest.fixture
def fetching() -> Fetching:
    clock, said = PassingClock(), list[str]()
    return Fetching(PatientDownloads(Downloader(clock), clock, said.append), clock, said)


def to(address: str, status: int = 302) -> Response:
    return Response(status=status, headers={"Location": address})


def test_the_headers_go_to_the_address_itself(server: Answers, fetching: Fetching) -> None:
    server.script(Response(b"zip"))
    assert fetching.downloads.fetch(f"{server.root}/zip", HEADERS, "artifact x") == b"zip"
    assert server.asked[0].headers["Authorization"] == "Bearer secret"
    assert server.asked[0].headers["X-Own"] == "yes"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_headers_stay_on_the_same_host(
    server: Answers, fetching: Fetching, status: int
) -> None:
    server.script(to("/other?sig=1", status), Response(b"zip"))
    assert fetching.downloads.fetch(f"{server.root}/zip", HEADERS, "artifact x") == b"zip"
    assert server.lines[1] == "GET /other?sig=1"
    assert server.asked[1].headers["Authorization"] == "Bearer secret"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_every_header_is_dropped_on_another_host_or_port(
    server: Answers, elsewhere: Answers, fetching: Fetching, host: str
) -> None:
    port = elsewhere.root.rpartition(":")[2]
    server.script(to(f"http://{host}:{port}/blob?sig=1"))
    elsewhere.script(Response(b"zip"))
    assert fetching.downloads.fetch(f"{server.root}/zip", HEADERS, "artifact x") == b"zip"
    assert not {"Authorization", "X-Own"} & set(elsewhere.asked[0].headers.keys())


def test_dropped_headers_do_not_come_back(
    server: Answers, elsewhere: Answers, fetching: Fetching
) -> None:
    server.script(to(f"{elsewhere.root}/there"), Response(b"zip"))
    elsewhere.script(to(f"{server.root}/back"))
    assert fetching.downloads.fetch(f"{server.root}/zip", HEADERS, "artifact x") == b"zip"
    assert "Authorization" not in server.asked[1].headers


@pytest.mark.parametrize(
    "address",
    ["http://example.invalid/x", "ftp://127.0.0.1/x", "file:///etc/passwd", "http://[", "data:,x"],
)
def test_nothing_leads_away_from_https(server: Answers, fetching: Fetching, address: str) -> None:
    server.script(to(address))
    assert "https" in fetching.refused(f"{server.root}/zip") or address == "http://["
    assert fetching.refused(address)


def test_ten_redirects_are_followed_and_no_eleventh(server: Answers, fetching: Fetching) -> None:
    server.script(*[to(f"/{number}") for number in range(10)], Response(b"zip"))
    assert fetching.downloads.fetch(f"{server.root}/zip", HEADERS, "artifact x") == b"zip"
    server.script(to("/again"))
    server.asked.clear()
    assert "more than 10 times" in fetching.refused(f"{server.root}/zip")
    assert len(server.asked) == 11


def test_a_download_over_the_limit_is_refused_and_none_is_cut_short(
    server: Answers, fetching: Fetching
) -> None:
    whole = bytes(limits.ARTIFACT_BYTES)
    server.script(Response(whole))
    assert fetching.downloads.fetch(f"{server.root}/zip", HEADERS, "artifact x") == whole
    server.script(Response(whole + b"x"))
    assert "more than" in fetching.refused(f"{server.root}/zip")


@pytest.mark.parametrize("step", [cut(b"half", 9), None, Response(status=500)])
def test_a_download_that_breaks_off_is_made_again(
    server: Answers, fetching: Fetching, step: Response | None
) -> None:
    server.script(step, step, Response(b"zip"))
    assert fetching.downloads.fetch(f"{server.root}/zip", HEADERS, "artifact x") == b"zip"
    assert fetching.clock.slept == [1.0, 2.0]
    server.script(step)
    assert "4 times" in fetching.refused(f"{server.root}/zip")


@pytest.mark.parametrize(("status", "words"), [(410, "has expired"), (404, "404"), (403, "403")])
def test_what_is_not_there_is_not_asked_for_again(
    server: Answers, fetching: Fetching, status: int, words: str
) -> None:
    server.script(Response(status=status))
    assert words in fetching.refused(f"{server.root}/zip")
    assert len(server.asked) == 1


def test_a_401_is_the_credentials_and_not_the_artifacts(
    server: Answers, fetching: Fetching
) -> None:
    server.script(Response(status=401))
    with pytest.raises(MergequeueError) as caught:
        fetching.downloads.fetch(f"{server.root}/zip", HEADERS, "artifact x")
    assert caught.value.code == CREDENTIAL_REFUSED.code
