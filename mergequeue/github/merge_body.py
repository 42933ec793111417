"""What a merge is asked with. Pure."""

from mergequeue.documents.provider import MergeRequest
from mergequeue.github.pulls import Pull
from mergequeue.report import github as words


def merge_body(request: MergeRequest, pull: Pull) -> dict[str, object]:
    """Return what GitHub is asked with: the pin, the method, and both parts of the message.

    The message is always given, or the repository's default would decide it; a rebase keeps the
    messages of its commits, and GitHub ignores one.
    """
    method = request.change.method
    body: dict[str, object] = {"sha": request.commit, "merge_method": method.value}
    title, message = words.merge_words(
        method,
        words.Authored(
            number=pull.number,
            title=pull.title,
            branch=pull.head.ref,
            owner=pull.head.repo.full_name.partition("/")[0] if pull.head.repo else "",
            commit_title=(pull.auto_merge.commit_title or "") if pull.auto_merge else "",
            commit_message=(pull.auto_merge.commit_message or "") if pull.auto_merge else "",
        ),
        words.Worded(request.message, request.title, request.body),
    )
    return {**body, "commit_title": title, "commit_message": message} if title else body
