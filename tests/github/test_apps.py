"""The app's proof and its tokens, over real HTTP (facts 1.2, 1.4; CASES D)."""

from datetime import timedelta
from functools import cache

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from mergequeue.github.addresses import RepoName, addresses_of
from mergequeue.github.apps import APPLY_PERMISSIONS, AppToken, app_token, bot_of, writer_of
from mergequeue.github.client import Client
from mergequeue.github.credentials import (
    AppKey,
    FixedToken,
    app_key,
    read_token,
    write_token,
)
from mergequeue.github.transport import Transport
from mergequeue.vocabulary.errors import (
    APP_FAILED,
    NO_CREDENTIAL,
    NOT_THE_APP,
    MergequeueError,
)
from mergequeue.vocabulary.identity import Identity
from tests.fakes.github.faults import Fault
from tests.fakes.github.story import GitHub
from tests.support.answering import PassingClock

ACME = RepoName("acme", "acme")


@cache
def keys() -> tuple[str, str]:
    """Return a private key and its public one, made once: it takes a while."""
    made = generate_private_key(public_exponent=65537, key_size=2048)
    private = made.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    public = made.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return private.decode(), public.decode()


@pytest.fixture
def clock(github: GitHub) -> PassingClock:
    return PassingClock(github.clock.now)


@pytest.fixture
def lent(github: GitHub, clock: PassingClock) -> AppToken:
    return token_of(github, clock)


def token_of(github: GitHub, clock: PassingClock, repo: RepoName = ACME) -> AppToken:
    private, public = keys()
    github.app.public_key = public
    addresses = addresses_of({"GITHUB_API_URL": github.api_url, "GITHUB_SERVER_URL": github.url})
    key = AppKey(github.app.client_id, private)
    return app_token(key, repo, Transport(clock), addresses, clock)


def client_of(lent: AppToken) -> Client:
    clock = lent.proof.clock
    return Client(Transport(clock), lent.proof.addresses, lent, clock)


def test_a_token_is_lent_for_one_repository_with_the_permissions_of_apply(
    github: GitHub, lent: AppToken
) -> None:
    made = github.tokens[lent.token()]
    assert made.repositories == {"acme/acme"}
    assert made.permissions == {"metadata": "read", **APPLY_PERMISSIONS}
    assert made.login == "acme-queue[bot]"
    assert github.wrote() == ["nobody: lent a token of acme-queue for acme/acme"]


def test_a_token_is_kept_until_less_than_five_minutes_are_left(
    github: GitHub, clock: PassingClock, lent: AppToken
) -> None:
    first = lent.token()
    clock.sleep(54 * 60)
    assert lent.token() == first
    clock.sleep(90)
    github.clock.now = clock.now()
    assert lent.token() != first
    assert len(github.wrote("lent a token")) == 2


@pytest.mark.parametrize("hours", [-3.0, -0.2, 0.2, 3.0])
def test_a_clock_that_is_off_is_allowed_for(github: GitHub, hours: float) -> None:
    """A proof from the future or the past is refused; GitHub says what time it is."""
    clock = PassingClock(github.clock.now + timedelta(hours=hours))
    lent = token_of(github, clock)
    first = lent.token()
    assert lent.token() == first
    clock.sleep(54 * 60)
    assert lent.token() == first
    clock.sleep(90)
    github.clock.advance(minutes=56)
    assert lent.token() != first
    assert len(github.wrote("lent a token")) == 2


def test_a_token_that_was_taken_back_is_replaced_and_the_call_made_again(
    github: GitHub, lent: AppToken
) -> None:
    github.tokens[lent.token()].revoked = True
    assert client_of(lent).get(ACME.path()).body.at("full_name").value == "acme/acme"
    assert len(github.wrote("lent a token")) == 2


def test_a_write_that_met_an_expired_token_is_made_once(github: GitHub, lent: AppToken) -> None:
    pull = github.open_pull("fix", {"a": "1"})
    github.tokens[lent.token()].expires_at = 0
    client_of(lent).write("POST", ACME.path("issues", pull.number, "comments"), {"body": "hi"})
    assert [comment.body for comment in pull.comments] == ["hi"]
    github.wrote()


def test_a_lost_answer_to_the_asking_for_a_token_asks_again(github: GitHub, lent: AppToken) -> None:
    github.faults.add("POST .*/access_tokens", Fault.DONE_AND_LOST)
    assert lent.token() in github.tokens
    assert len(github.wrote("lent a token")) == 2


@pytest.mark.parametrize("private", [False, True])
def test_the_bot_commits_under_its_own_number(
    github: GitHub, lent: AppToken, *, private: bool
) -> None:
    github.app.private = private
    bot = bot_of("acme-queue", client_of(lent))
    number = github.users["acme-queue[bot]"].id
    name = "acme-queue[bot]"
    assert bot.identity == Identity(name, f"{number}+{name}@users.noreply.github.com")
    assert writer_of(client_of(lent)) == name
    assert lent.slug() == "acme-queue"
    github.wrote()


def test_the_jobs_own_token_is_seen_as_what_it_is(github: GitHub, lent: AppToken) -> None:
    job = Client(
        Transport(lent.proof.clock),
        lent.proof.addresses,
        FixedToken(github.reader.text),
        lent.proof.clock,
    )
    assert writer_of(job) == "github-actions[bot]"


# --- what goes wrong -----------------------------------------------------------------------------


def failed(lent: AppToken) -> MergequeueError:
    with pytest.raises(MergequeueError) as caught:
        lent.token()
    assert "BEGIN" not in f"{caught.value!r}{caught.value.remedy}"
    return caught.value


def test_an_app_that_is_not_installed_says_so(github: GitHub, lent: AppToken) -> None:
    github.not_installed.add(github.app.id)
    error = failed(lent)
    assert error.code == APP_FAILED.code
    assert "not installed on acme/acme" in error.problem


def test_an_installation_without_the_repository_says_so(github: GitHub, lent: AppToken) -> None:
    github.app.left_out.add("acme/acme")
    assert "not installed on acme/acme" in failed(lent).problem


def test_a_permission_that_was_not_granted_is_named(github: GitHub, lent: AppToken) -> None:
    del github.app.permissions["workflows"]
    error = failed(lent)
    assert error.code == APP_FAILED.code
    assert "workflows: write" in error.problem
    github.wrote()


def test_a_key_of_another_app_does_not_belong_to_its_id(github: GitHub, lent: AppToken) -> None:
    del lent
    other = PassingClock(github.clock.now)
    wrong = token_of(github, other)
    github.app.public_key = keys()[1].replace("A", "B", 1)
    assert failed(wrong).code == APP_FAILED.code


@pytest.mark.parametrize("pem", ["", "secret", "-----BEGIN RSA PRIVATE KEY-----\nsecret\n"])
def test_a_key_that_does_not_read_is_never_shown(clock: PassingClock, pem: str) -> None:
    lent = app_token(AppKey("Iv1.x", pem), ACME, Transport(clock), addresses_of({}), clock)
    error = failed(lent)
    assert error.code == NO_CREDENTIAL.code
    assert "secret" not in f"{error.problem}{error.remedy}"


def test_no_record_shows_a_secret(lent: AppToken, github: GitHub) -> None:
    held = lent.token()
    shown = f"{lent!r} {FixedToken('ghs_secret')!r} {AppKey('id', 'secretpem')!r}"
    assert held not in shown
    assert "secret" not in shown
    assert "BEGIN" not in shown
    github.wrote()


# --- the environment -----------------------------------------------------------------------------

JOB = {"GITHUB_TOKEN": "job", "GITHUB_ACTIONS": "true"}


def test_reading_takes_its_own_token_or_the_jobs() -> None:
    assert read_token({"MERGEQUEUE_TOKEN": "own", **JOB}).value == "own"
    assert read_token({"MERGEQUEUE_TOKEN": "", **JOB}).value == "job"
    with pytest.raises(MergequeueError, match="neither MERGEQUEUE_TOKEN nor GITHUB_TOKEN") as none:
        read_token({"GH_TOKEN": "other", "GITHUB_TOKEN": " "})
    assert none.value.code == NO_CREDENTIAL.code


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, NO_CREDENTIAL.code),
        (JOB, NOT_THE_APP.code),
        ({**JOB, "MERGEQUEUE_TOKEN": ""}, NOT_THE_APP.code),
        ({**JOB, "MERGEQUEUE_TOKEN": "job"}, NOT_THE_APP.code),
        ({"GH_TOKEN": "other"}, NO_CREDENTIAL.code),
    ],
)
def test_the_jobs_own_token_never_writes(environment: dict[str, str], code: str) -> None:
    with pytest.raises(MergequeueError) as caught:
        write_token(environment)
    assert caught.value.code == code


@pytest.mark.parametrize("text", ["two words", "two\nlines", "\u00fcml", "a\x00b"])
def test_what_is_no_token_is_refused_and_never_shown(text: str) -> None:
    for read in (read_token, write_token):
        with pytest.raises(MergequeueError) as caught:
            read({"MERGEQUEUE_TOKEN": text})
        assert caught.value.code == NO_CREDENTIAL.code
        assert text not in caught.value.problem


def test_writing_takes_its_own_token() -> None:
    assert write_token({**JOB, "MERGEQUEUE_TOKEN": "own"}).value == "own"
    same = {"MERGEQUEUE_TOKEN": "mine", "GITHUB_TOKEN": "mine"}
    assert write_token(same).value == "mine"


@pytest.mark.parametrize("missing", ["MERGEQUEUE_APP_CLIENT_ID", "MERGEQUEUE_APP_PRIVATE_KEY"])
def test_of_an_apps_two_values_both_are_set_or_neither(missing: str) -> None:
    whole = {"MERGEQUEUE_APP_CLIENT_ID": "Iv1.x", "MERGEQUEUE_APP_PRIVATE_KEY": "a\\nb"}
    assert app_key(dict.fromkeys(whole, "")) is None
    assert app_key(whole) == AppKey("Iv1.x", "a\nb")
    with pytest.raises(MergequeueError, match=missing) as caught:
        app_key({**whole, missing: ""})
    assert caught.value.code == NO_CREDENTIAL.code
