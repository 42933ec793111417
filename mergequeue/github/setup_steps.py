"""The steps that are left of setting a repository up, as commands to paste (facts 1.12; pure).

Each is safe to repeat, and left out where it is known to be done. A value from GitHub is one word
of the shell, whatever it holds; JSON goes through a quoted here-document.
"""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mergequeue.documents.capabilities import Step
from mergequeue.github.addresses import RepoName
from mergequeue.github.identity import AppIdentity, Pages
from mergequeue.github.labels import INTENT
from mergequeue.github.wiring import CLIENT_ID, ENVIRONMENT, PRIVATE_KEY, Rule, Ruleset, Wiring
from mergequeue.report import github_setup as words
from mergequeue.vocabulary.ids import BranchName, branch_ref
from mergequeue.vocabulary.words import Method

RULESET = "merge queue"
"""What the queue's own ruleset is called."""
_PUBLIC = "github.com"
_LABEL_COLOR = "1d76db"


@dataclass(frozen=True)
class Place:
    """What the steps are for."""

    repo: RepoName
    host: str
    base: BranchName
    context: str
    """The name of the queue's status."""
    methods: tuple[Method, ...]

    @property
    def named(self) -> str:
        """The repository as `gh -R` takes it."""
        return shlex.quote(str(self.repo) if self.is_public else f"{self.host}/{self.repo}")

    @property
    def is_public(self) -> bool:
        """Whether it is github.com, which `gh` means unless it is told."""
        return self.host == _PUBLIC

    def api(self, method: str, path: str, *rest: str) -> str:
        """Return a call of the API by `gh`, saying nothing where it goes well."""
        host = [] if self.is_public else ["--hostname", self.host]
        words = ["gh", "api", *host, "--method", method, f"repos/{self.repo}{path}", "--silent"]
        return " ".join([shlex.join(words), *rest])


def steps_of(place: Place, app: AppIdentity, pages: Pages, wiring: Wiring) -> tuple[Step, ...]:
    """Return the steps that are left, in the order in which they work."""
    return tuple(_steps(place, app, pages, wiring))


def _steps(place: Place, app: AppIdentity, pages: Pages, wiring: Wiring) -> Iterator[Step]:
    if wiring.auto_merge is False:
        command = place.api("PATCH", "", "-F allow_auto_merge=true")
        yield Step(title=words.ALLOW_AUTO_MERGE, command=command)
    if not app.installed:
        yield Step(title=words.INSTALL, url=pages.installation(app.slug))
    if not wiring.environment:
        command = _environment(place, wiring.default_branch)
        yield Step(title=words.ENVIRONMENT, command=command)
    if not wiring.client_id or (app.client_id and wiring.client_id != app.client_id):
        body = f" --body {shlex.quote(app.client_id)}" if app.client_id else ""
        command = f"gh variable set {CLIENT_ID} -R {place.named}{body}"
        yield Step(title=words.CLIENT_ID, command=command)
    if not wiring.has_key:
        title = words.key_step(pages.settings(app.slug))
        yield Step(title=title, command=_key(place, app))
    labels = [name for name, method in INTENT.items() if method in place.methods]
    missing = [name for name in labels if name not in wiring.labels]
    if missing:
        yield Step(title=words.INTENT_LABELS, command=_labels(place, missing))
    yield from _pins(place, app, pages, wiring)


def _environment(place: Place, branch: str) -> str:
    path = f"/environments/{ENVIRONMENT}"
    policies = f"{path}/deployment-branch-policies"
    allowed = {"protected_branches": False, "custom_branch_policies": True}
    made = place.api("PUT", path, _json({"deployment_branch_policy": allowed}))
    listed = place.api("GET", policies, "--jq '.branch_policies[].name'").replace(" --silent", "")
    added = place.api("POST", policies, f"-f {shlex.quote(f'name={branch}')} -f type=branch")
    return f"{made}\n{listed} | grep -Fxq {shlex.quote(branch)} ||\n  {added}"


def _key(place: Place, app: AppIdentity) -> str:
    """Return the lines that store the newest downloaded key, and delete every one of them.

    `find`, since some shells stop at a pattern that matches nothing (facts 1.12, step 5).
    """
    pattern = shlex.quote(f"{app.slug}.*.private-key.pem")
    found = f"find ~/Downloads -maxdepth 1 -name {pattern}"
    stored = f"gh secret set {PRIVATE_KEY} --env {ENVIRONMENT} -R {place.named}"
    return (
        f"( newest=$({found} -exec ls -t {{}} + 2>/dev/null | head -n 1)\n"
        f'  if [ -n "$newest" ]; then {stored} < "$newest"; {found} -exec rm -f {{}} +; fi\n'
        f"  gh secret list --env {ENVIRONMENT} -R {place.named} )"
    )


def _labels(place: Place, missing: list[str]) -> str:
    return "\n".join(
        f"gh label create {shlex.quote(name)} --force --color {_LABEL_COLOR} "
        f"--description {shlex.quote(f'Queue it, to land by {INTENT[name]}')} -R {place.named}"
        for name in missing
    )


def _pins(place: Place, app: AppIdentity, pages: Pages, wiring: Wiring) -> Iterator[Step]:
    """Give every place that requires the status its pin, and one where there is none yet."""
    requiring = [rule for rule in wiring.rules if rule.requires(place.context)]
    for ruleset in wiring.rulesets:
        own = [rule for rule in requiring if rule.ruleset_id == ruleset.id]
        if all(_is_right(rule, place, app) for rule in own):
            continue
        name = _ruleset_name(place, wiring.default_branch)
        if _is_own(ruleset, place, name):
            body = _ruleset(place, app, name)
            command = place.api("PUT", f"/rulesets/{ruleset.id}", _json(body))
            yield Step(title=words.PIN_OWN, command=command)
        else:
            url = f"{pages.web}/{place.repo}/rules/{ruleset.id}"
            yield Step(title=words.pin_elsewhere(ruleset.name), url=url)
    if not requiring:
        name = _ruleset_name(place, wiring.default_branch)
        command = place.api("POST", "/rulesets", _json(_ruleset(place, app, name)))
        yield Step(title=words.PIN_NEW, command=command)


def _is_right(rule: Rule, place: Place, app: AppIdentity) -> bool:
    strict = rule.parameters.strict_required_status_checks_policy
    return rule.pins(place.context, app.id) and not strict


def _ruleset_name(place: Place, default_branch: str) -> str:
    """Return what the base's own ruleset is called: GitHub takes a name once a repository."""
    return RULESET if place.base == default_branch else f"{RULESET} into {place.base}"


def _is_own(ruleset: Ruleset, place: Place, name: str) -> bool:
    """Whether a ruleset is the queue's: of its name, with its one rule of its one check."""
    if ruleset.name != name or len(ruleset.rules) != 1:
        return False
    (rule,) = ruleset.rules
    checks = [check.context for check in rule.parameters.required_status_checks]
    return rule.type == "required_status_checks" and checks == [place.context]


def _ruleset(place: Place, app: AppIdentity, name: str) -> Mapping[str, object]:
    check = {"context": place.context, "integration_id": int(app.id)}
    return {
        "name": name,
        "target": "branch",
        "enforcement": "active",
        "conditions": {"ref_name": {"include": [branch_ref(place.base)], "exclude": []}},
        "rules": [
            {
                "type": "required_status_checks",
                "parameters": {
                    "strict_required_status_checks_policy": False,
                    "required_status_checks": [check],
                },
            }
        ],
    }


def _json(body: Mapping[str, object]) -> str:
    return f"--input - <<'JSON'\n{json.dumps(body, indent=2)}\nJSON"
