"""Answers in the shape that GitHub's REST API and GraphQL give them, as short as a test can say."""

from typing import Any

from mergequeue.documents.changes import Change
from mergequeue.github.answers import Body
from mergequeue.github.pulls import Pull
from mergequeue.vocabulary.ids import BranchName, ChangeId, CommitId
from mergequeue.vocabulary.words import Method

Json = dict[str, Any]

ORIGIN = {"id": 1, "full_name": "acme/acme"}


def sha(number: int) -> CommitId:
    return CommitId(f"{number:040x}")


def pull_json(number: int, **more: object) -> Json:
    """Return a pull request from `topic-<n>` onto main; `labels` are names, `auto` is a method."""
    labels = more.pop("labels", ())
    auto = more.pop("auto", None)
    base = more.pop("base", "main")
    assert isinstance(labels, tuple)
    made = {
        "number": number,
        "state": "open",
        "draft": False,
        "title": f"Change {number}",
        "head": {"ref": f"topic-{number}", "sha": sha(number), "repo": ORIGIN},
        "base": {"ref": base, "repo": ORIGIN},
        "labels": [{"name": name} for name in labels],
        "auto_merge": auto and {"merge_method": auto, "commit_title": None, "commit_message": None},
        "stack": None,
    }
    return {**made, **more}


def stack_json(position: int, size: int, id_: int = 9, base: str = "main") -> Json:
    return {"id": id_, "position": position, "size": size, "base": {"ref": base, "sha": sha(99)}}


def pull(number: int, **more: object) -> Pull:
    return Body(pull_json(number, **more), "GET /pulls").read(Pull)


def change(number: int, method: Method = Method.SQUASH) -> Change:
    return Change(
        id=ChangeId(str(number)),
        head=sha(number),
        base=BranchName("main"),
        method=method,
        repo="acme/acme",
        branch=BranchName(f"topic-{number}"),
    )
