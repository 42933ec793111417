"""What the tests of the workflows share."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from tests.actions.acting import Runner, stand_ins
from tests.fakes.github.story import GitHub
from tests.support.wheels import fetched


@pytest.fixture(scope="session")
def app_keys() -> tuple[str, str]:
    """The app's private key and its public one."""
    made = generate_private_key(public_exponent=65537, key_size=2048)
    private = made.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = made.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private.decode(), public.decode()


@pytest.fixture
def runner(github: GitHub, tmp_path: Path, real_home: str) -> Runner:
    """What runs the workflows of the fake GitHub's repository."""
    return Runner(github, tmp_path / "runs", stand_ins(real_home), fetched(real_home))
