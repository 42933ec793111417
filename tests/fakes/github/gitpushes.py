"""What a push asks for, what GitHub refuses of it, and what it changes."""

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.fakes.github import access, lifecycle
from tests.fakes.github.githost import EMPTY, GITHUB
from tests.fakes.github.records import Json, Repository, Token
from tests.fakes.github.requirements import bypasses, check_state, rules_of, word_faults

if TYPE_CHECKING:
    from tests.fakes.github.world import World

_WORKFLOWS = ".github/workflows/"
_RULES = "push declined due to repository rule violations"
_PROTECTED = "protected branch hook declined"
_ALWAYS = {
    "update": "Cannot update this protected ref.",
    "pull_request": "Changes must be made through a pull request.",
    "merge_queue": "Changes must be made through the merge queue",
}


@dataclass(frozen=True)
class Command:
    """One ref of a push."""

    old: str
    new: str
    ref: str

    def words(self) -> str:
        """Return it as a test wants to read it."""
        name = self.ref.removeprefix("refs/heads/")
        if self.new == EMPTY:
            return f"the removal of {name}"
        return name


@dataclass(frozen=True)
class Push:
    """A push as it came: the commands in front of the pack, and what the client can be told."""

    repository: Repository
    token: Token
    body: bytes
    commands: tuple[Command, ...]
    pack: bytes
    sideband: bool

    @classmethod
    def read(cls, repository: Repository, token: Token, body: bytes) -> "Push":
        """Read git's own form of a push."""
        body_read = gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
        commands: list[Command] = []
        capabilities = b""
        place = 0
        while (size := int(body_read[place : place + 4] or b"0", 16)) != 0:
            line = body_read[place + 4 : place + size]
            place += size
            line, _, found = line.partition(b"\0")
            capabilities = capabilities or found
            parts = line.decode().strip().split(" ", 2)
            if len(parts) == 3:
                commands.append(Command(*parts))
        pack = body_read[place + 4 :]
        return cls(repository, token, body, tuple(commands), pack, b"side-band-64k" in capabilities)


def refusals(world: "World", push: Push) -> dict[str, str]:
    """Return the refs that GitHub refuses, with its reasons; one refuses the whole push."""
    found: dict[str, str] = {}
    _take_objects(push)
    for command in push.commands:
        for reason in _reasons(world, push, command):
            found.setdefault(command.ref, reason)
    return found


def _take_objects(push: Push) -> None:
    """Store what the push brings, so that it can be looked at; without a ref it is nothing."""
    if push.pack.startswith(b"PACK"):
        push.repository.git.git("index-pack", "--stdin", "--fix-thin", stdin=push.pack, ok=128)


def _reasons(world: "World", push: Push, command: Command) -> Iterator[str]:
    if not command.ref.startswith("refs/heads/"):
        return
    if workflow := _forbidden_workflow(push, command):
        who = "a GitHub App" if push.token.app else "an OAuth App"
        need = "`workflows` permission" if push.token.app else "`workflow` scope"
        yield f"refusing to allow {who} to create or update workflow `{workflow}` without {need}"
    branch = command.ref.removeprefix("refs/heads/")
    if branch in world.refused_pushes:
        yield world.refused_pushes[branch]
    if broken := list(rule_faults(world, push.repository, push.token.login, command)):
        yield f"{_RULES}\n" + "\n".join(broken)
    if said := classic_fault(push.repository, push.token.login, command):
        yield f"{_PROTECTED}\n{said}"


def _forbidden_workflow(push: Push, command: Command) -> str | None:
    """Return a workflow file that the push changes and the token may not."""
    token, git = push.token, push.repository.git
    if token.permissions is None or access.holds(token, "workflows:write"):
        return None
    if command.new == EMPTY or not git.has(command.new):
        return None
    old = command.old
    if old == EMPTY:
        tips = [tip for branch in git.branches() if (tip := git.tip(branch))]
        if any(git.contains(tip, command.new) for tip in tips):
            return None
        base = git.tip(push.repository.default_branch)
        old = (git.merge_base(base, command.new) if base else None) or EMPTY
    changes = git.changes(None if old == EMPTY else old, command.new)
    touched = [one.path for one in changes if one.path.startswith(_WORKFLOWS)]
    return touched[0] if touched else None


def rule_faults(
    world: "World", repository: Repository, login: str, command: Command
) -> Iterator[str]:
    """Yield what the rulesets say against a push, each as GitHub's line of it."""
    branch = command.ref.removeprefix("refs/heads/")
    for ruleset, rule in rules_of(repository, branch):
        if not bypasses(world, repository, ruleset, login):
            if command.new == EMPTY:
                if rule["type"] == "deletion":
                    yield "Cannot delete this branch"
            elif command.old == EMPTY:
                if rule["type"] == "creation":
                    yield "Cannot create ref due to creations being restricted."
            else:
                yield from _update_faults(repository, rule, command)
            if rule["type"] == "required_signatures" and unsigned(repository, command):
                yield "Commits must have verified signatures."
    if EMPTY not in {command.old, command.new}:
        messages = [one.message for one in repository.git.between(command.old, command.new)]
        yield from word_faults(world, repository, branch, login, messages)


def _update_faults(repository: Repository, rule: Json, command: Command) -> Iterator[str]:
    git, kind = repository.git, rule["type"]
    if kind in _ALWAYS:
        yield _ALWAYS[kind]
    elif kind == "non_fast_forward" and not git.contains(command.new, command.old):
        yield "Cannot force-push to this branch"
    elif kind == "required_status_checks":
        checks = rule["parameters"]["required_status_checks"]
        yield from _missing_checks(repository, command.new, checks)
    elif kind == "required_linear_history" and any(
        len(one.parents) > 1 for one in git.between(command.old, command.new)
    ):
        yield "This branch must not contain merge commits."


def _missing_checks(
    repository: Repository, sha: str, checks: list[dict[str, object]]
) -> Iterator[str]:
    for check in checks:
        context = str(check["context"])
        if check_state(repository, sha, context, None) != "success":
            yield f'Required status check "{context}" is expected.'


def unsigned(repository: Repository, command: Command) -> bool:
    """Whether a push brings commits that GitHub did not make; nobody else signs here."""
    git = repository.git
    if command.new == EMPTY:
        return False
    old = command.old
    if old == EMPTY:
        base = git.tip(repository.default_branch)
        old = (git.merge_base(base, command.new) if base else None) or EMPTY
    if old == EMPTY:
        return True
    return any(one.committer.email != GITHUB.email for one in git.between(old, command.new))


def classic_fault(repository: Repository, login: str, command: Command) -> str | None:
    """Return what classic protection says against a push."""
    said = _classic_words(repository, login, command)
    return said and f"GH006: Protected branch update failed for {command.ref}.\n{said}"


def _classic_words(repository: Repository, login: str, command: Command) -> str | None:
    branch = command.ref.removeprefix("refs/heads/")
    protection = repository.protections.get(branch)
    if protection is None:
        return None
    is_update = EMPTY not in {command.old, command.new}
    if command.new == EMPTY:
        return "Cannot delete a protected branch"
    if is_update and not repository.git.contains(command.new, command.old):
        return "Cannot force-push to a protected branch"
    if repository.may(login, "admin") and not protection.enforce_admins:
        return None
    if protection.approvals:
        return "Changes must be made through a pull request."
    missing = list(
        _missing_checks(
            repository, command.new, [{"context": name} for name, _ in protection.checks]
        )
    )
    return "\n".join(missing) or None


def _line(data: bytes) -> bytes:
    return f"{len(data) + 4:04x}".encode() + data


def report(push: Push, refused: Mapping[str, str]) -> bytes:
    """Return the answer that git shows as `remote:` lines and `[remote rejected]`."""
    lines = [_line(b"unpack ok\n")]
    said: list[str] = []
    for command in push.commands:
        reason, _, details = refused.get(command.ref, "pre-receive hook declined").partition("\n")
        lines.append(_line(f"ng {command.ref} {reason}\n".encode()))
        if reason == _RULES:
            said.append(f"error: GH013: Repository rule violations found for {command.ref}.")
            said += ["", *(f"- {one}" for one in details.split("\n")), ""]
        elif details:
            said += [f"error: {details}"]
    status = b"".join(lines) + b"0000"
    if not push.sideband:
        return status
    out = b""
    if said:
        out += _line(b"\x02" + ("\n".join(said) + "\n").encode())
    return out + _line(b"\x01" + status) + b"0000"


def follow(
    world: "World",
    repository: Repository,
    ref: str,
    before: Mapping[str, str],
    after: Mapping[str, str],
    by: str,
) -> None:
    """Let GitHub see that a ref moved."""
    if ref.startswith("refs/heads/"):
        branch = ref.removeprefix("refs/heads/")
        lifecycle.pushed(world, repository, branch, before.get(ref), after.get(ref), by)
