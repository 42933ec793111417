"""How GitHub merges a pull request: by a method, in its own words, or its refusal."""

from typing import TYPE_CHECKING, NamedTuple

from tests.fakes.github import gitmerges
from tests.fakes.github.calls import Refused
from tests.fakes.github.githost import Person
from tests.fakes.github.records import Method, Pull, Repository
from tests.fakes.github.requirements import mergeable, unmet, word_faults

if TYPE_CHECKING:
    from tests.fakes.github.world import World

_SETTING = {
    "merge": ("allow_merge_commit", "Merge commits are not allowed on this repository."),
    "squash": ("allow_squash_merge", "Squash merges are not allowed on this repository."),
    "rebase": ("allow_rebase_merge", "Rebase merges are not allowed on this repository."),
}


class Wish(NamedTuple):
    """How a pull request is to be merged; None for what GitHub is to choose."""

    method: Method = "merge"
    title: str | None = None
    message: str | None = None
    sha: str | None = None


def refuse_unready(world: "World", repository: Repository, pull: Pull, wish: Wish, by: str) -> None:
    """Raise GitHub's refusal of a merge that may not be."""
    if pull.merged or pull.state == "closed":
        raise Refused(405, "Pull Request is not mergeable")
    if wish.sha is not None and wish.sha != pull.head_sha:
        raise Refused(409, "Head branch was modified. Review and try the merge again.")
    if pull.draft:
        raise Refused(405, "Pull Request is still a draft")
    setting, sentence = _SETTING[wish.method]
    if not getattr(repository.settings, setting):
        raise Refused(405, sentence)
    if mergeable(world, repository, pull) is False:
        raise Refused(405, "Pull Request has merge conflicts")
    if faults := unmet(world, repository, pull, wish.method, by):
        if repository.rulesets:
            listed = "\n\n".join(faults)
            raise Refused(405, f"Repository rule violations found\n\n{listed}\n\n")
        raise Refused(405, " ".join(faults))


def merge(world: "World", repository: Repository, pull: Pull, wish: Wish, by: str) -> str:
    """Merge, and return the base's new tip; raises Refused for a replay that conflicts."""
    git = repository.git
    tip = git.tip(pull.base)
    assert tip is not None
    if wish.method == "rebase":
        made = gitmerges.replayed(git, tip, pull.head_sha)
        if made is None:
            raise Refused(405, "This branch can't be rebased")
    else:
        tree = gitmerges.merged_tree(git, tip, pull.head_sha)
        if tree is None:
            raise Refused(405, "Pull Request has merge conflicts")
        is_squash = wish.method == "squash"
        text = (
            squash_text(world, repository, pull, wish)
            if is_squash
            else _merge_text(repository, pull, wish)
        )
        author = world.person(pull.author if is_squash else by)
        parents = [tip] if is_squash else [tip, pull.head_sha]
        made = gitmerges.merge_commit(git, tree, parents, text, author)
    refuse_words(world, repository, pull.base, tip, made, by)
    git.set_ref(f"refs/heads/{pull.base}", made)
    mark_merged(world, pull, made, by)
    return made


def refuse_words(
    world: "World", repository: Repository, base: str, tip: str, made: str, by: str
) -> None:
    """Raise GitHub's refusal of commits whose messages a rule does not have."""
    messages = [one.message for one in repository.git.between(tip, made)]
    if faults := word_faults(world, repository, base, by, messages):
        listed = "\n\n".join(faults)
        raise Refused(405, f"Repository rule violations found\n\n{listed}\n\n")


def mark_merged(world: "World", pull: Pull, commit: str, by: str) -> None:
    """Let a pull request be a merged one."""
    pull.merge_commit = commit
    pull.merged_by = by
    pull.state = "closed"
    pull.auto_merge = None
    world.happen(pull, "merged", by, commit_id=commit)
    world.happen(pull, "closed", by)
    pull.merged_at = pull.closed_at = pull.updated_at


def _text(title: str, message: str) -> str:
    return f"{title}\n\n{message}" if message else title


def _merge_text(repository: Repository, pull: Pull, wish: Wish) -> str:
    settings = repository.settings
    own = f"Merge pull request #{pull.number} from {pull.head_owner}/{pull.head}"
    if settings.merge_commit_title == "PR_TITLE":
        own = f"{pull.title} (#{pull.number})"
    words = {"PR_TITLE": pull.title, "PR_BODY": pull.body or "", "BLANK": ""}
    message = words[settings.merge_commit_message] if wish.message is None else wish.message
    return _text(own if wish.title is None else wish.title, message)


def squash_text(
    world: "World", repository: Repository, pull: Pull, wish: Wish, *, since: str | None = None
) -> str:
    """Return the words of a squash: as wished, and else as the repository's settings say."""
    settings = repository.settings
    git = repository.git
    base = since or git.merge_base(git.tip(pull.base) or pull.base_sha, pull.head_sha)
    commits = git.between(base or pull.base_sha, pull.head_sha)
    messages = [commit.message.strip() for commit in commits if len(commit.parents) < 2]
    title = pull.title
    if settings.squash_merge_commit_title == "COMMIT_OR_PR_TITLE" and len(messages) == 1:
        title = messages[0].partition("\n")[0]
    if settings.squash_merge_commit_message == "PR_BODY":
        message = pull.body or ""
    elif settings.squash_merge_commit_message == "BLANK":
        message = ""
    elif len(messages) == 1:
        message = messages[0].partition("\n")[2].strip()
    else:
        message = "\n\n".join(f"* {one}" for one in messages)
    if wish.message is None:
        own = world.person(pull.author)
        others = dict.fromkeys(Person(one.author.name, one.author.email) for one in commits)
        others.pop(own, None)
        lines = "\n".join(f"Co-authored-by: {one.name} <{one.email}>" for one in others)
        message = "\n\n".join(part for part in (message, lines) if part)
    else:
        message = wish.message
    return _text(f"{title} (#{pull.number})" if wish.title is None else wish.title, message)
