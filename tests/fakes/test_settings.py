"""What a person sets up: settings, environments, variables, secrets."""

import base64

from nacl.public import PublicKey, SealedBox

from tests.fakes.client import Client
from tests.fakes.github.story import GitHub

ENVIRONMENT = "environments/merge-queue"


def test_a_setting_is_changed_by_an_administrator(
    github: GitHub, admin: Client, app: Client
) -> None:
    github.repository.settings.allow_auto_merge = False
    assert admin.ask("PATCH", "", json={"allow_auto_merge": True}).ok
    assert app.get("").json()["allow_auto_merge"] is True
    assert app.ask("PATCH", "", json={"allow_auto_merge": False}).status_code == 403
    assert github.wrote() == [
        "admin: setting allow_auto_merge is True",
        "acme-queue[bot]: refused 403: PATCH /repos/acme/acme",
    ]


def test_an_environment_is_set_up_for_one_branch_and_again(github: GitHub, admin: Client) -> None:
    policy = {"protected_branches": False, "custom_branch_policies": True}
    assert admin.get(ENVIRONMENT).status_code == 404
    for _ in range(2):
        body = {"deployment_branch_policy": policy}
        assert admin.ask("PUT", ENVIRONMENT, json=body).status_code == 200
    branch = {"name": "main", "type": "branch"}
    path = f"{ENVIRONMENT}/deployment-branch-policies"
    assert admin.ask("POST", path, json=branch).status_code == 200
    assert admin.ask("POST", path, json=branch, allow_redirects=False).status_code == 303
    (held,) = admin.every(path, inside="branch_policies")
    assert held["name"] == "main"
    assert admin.get(ENVIRONMENT).json()["deployment_branch_policy"] == policy
    github.explain("environment merge-queue set up")
    github.explain("branch main may deploy")


def test_a_secret_is_sealed_and_never_shown(github: GitHub, admin: Client) -> None:
    admin.ask("PUT", ENVIRONMENT, json={})
    for place in ("actions", ENVIRONMENT):
        key = admin.get(f"{place}/secrets/public-key").json()
        sealed = SealedBox(PublicKey(base64.b64decode(key["key"]))).encrypt(b"hush")
        body = {
            "encrypted_value": base64.b64encode(sealed).decode(),
            "key_id": key["key_id"],
        }
        assert admin.ask("PUT", f"{place}/secrets/KEY", json=body).status_code == 201
        assert admin.ask("PUT", f"{place}/secrets/KEY", json=body).status_code == 204
        assert "hush" not in admin.get(f"{place}/secrets/KEY").text
        (shown,) = admin.every(f"{place}/secrets", inside="secrets")
        assert shown["name"] == "KEY"
    assert github.repository.secrets == {"KEY": b"hush"}
    assert github.repository.environments["merge-queue"].secrets == {"KEY": b"hush"}
    github.explain("secret KEY set")
    github.explain("environment")


def test_a_variable_is_made_once_and_changed_after(github: GitHub, admin: Client) -> None:
    made = {"name": "client_id", "value": "one"}
    assert admin.ask("POST", "actions/variables", json=made).status_code == 201
    assert admin.ask("POST", "actions/variables", json=made).status_code == 409
    change = {"value": "two"}
    assert admin.ask("PATCH", "actions/variables/CLIENT_ID", json=change).status_code == 204
    assert admin.get("actions/variables/CLIENT_ID").json()["value"] == "two"
    assert admin.get("actions/variables/OTHER").status_code == 404
    assert github.repository.variables == {"CLIENT_ID": "two"}
    github.explain("variable CLIENT_ID")


def test_somebody_who_cannot_write_sees_no_secret(app: Client) -> None:
    assert app.get("actions/secrets").status_code == 403
