"""What `describe` says of a repository on GitHub: what is left to do, and what would stall it."""

from mergequeue.vocabulary.text import one_line

NO_APP = "the queue writes as a GitHub App of your own, and none is named"
GIVE_THE_APP = "Give it as --app <slug>, or as --app <slug>:<App ID>, from the app's settings page."
NATIVE_QUEUE = "GitHub's own merge queue is on for the base, and two queues on one branch stall it"
TURN_ONE_OFF = "Turn the rule `Require merge queue` off, or leave this queue out."

ALLOW_AUTO_MERGE = "Allow auto-merge, by which a pull request is queued"
INSTALL = (
    "Install the app on this repository alone (for `dashboard: true`, give it Issues: Read and "
    "write first)"
)
ENVIRONMENT = (
    "Make the environment that holds the app's key, and give it to the default branch alone"
)
CLIENT_ID = "Say which app it is (its client id is on its settings page, under About)"
INTENT_LABELS = "Make the labels that queue what GitHub offers no auto-merge for"
PIN_NEW = "Require the queue's status, from the app alone"
PIN_OWN = "Let the queue's status come from the app alone"


def no_such_app(slug: str) -> str:
    """Return that a slug names no app."""
    return f"GitHub knows no app {one_line(slug)}"


def other_app_id(slug: str, known: str, given: str) -> str:
    """Return that an App ID is another app's."""
    return f"the App ID of {one_line(slug)} is {known}, and not {one_line(given)}"


def hidden_app(slug: str) -> str:
    """Return that GitHub does not show an app to this token."""
    return f"GitHub hides the App ID of {one_line(slug)} from this token"


def key_step(page: str) -> str:
    """Return the title of the step that stores the app's key."""
    return f"Generate a private key on {page} (it is downloaded), then store it and delete the file"


def pin_elsewhere(name: str) -> str:
    """Return the title of the step for a rule that is not the queue's own."""
    return (
        f"In {one_line(name)}, require the queue's status from the app alone, with `Require "
        "branches to be up to date before merging` off"
    )


def never_reported(context: str) -> str:
    """Return that nothing reports a check that the base requires."""
    return (
        f"the base requires {one_line(context)}, and nothing has reported it on the newest pull "
        "requests: until something does, nothing merges"
    )


def approvals_dismissed() -> str:
    """Return what dismissing stale approvals does to an update commit."""
    return (
        "a push dismisses approvals here, and the queue pushes an update commit where GitHub "
        "cannot make the tree that was gated: such a change waits for a new approval"
    )


def last_push_approval() -> str:
    """Return what asking for approval of the last push does to an update commit."""
    return (
        "the last push has to be approved by somebody else here: a change that needs an update "
        "commit of the queue's waits for that"
    )


def signatures_required() -> str:
    """Return what requiring signatures does."""
    return (
        "commits have to be signed here: rebasing is out, and an update commit, which the queue "
        "does not sign, is refused"
    )


def enterprise_lacks() -> tuple[str, ...]:
    """Return what an Enterprise Server may lack of what the queue uses, each by its name."""
    return (
        (
            "this is an Enterprise Server: where it has no results service for artifacts "
            "(upload-artifact@v4), `action-validate` cannot upload and `apply run:` finds nothing; "
            "there, hand a directory of verdicts on instead"
        ),
        (
            "this is an Enterprise Server: where it has no stacked pull requests (`merge-async`), "
            "each pull request is queued by itself"
        ),
        (
            "this is an Enterprise Server: it cannot call workflows of github.com, so copy this "
            "project's to it"
        ),
    )


def no_approval_required(base: str) -> str:
    """Return that nobody has to approve anything."""
    return f"{base} requires no approval, so the queue merges what nobody has looked at"


def unpinned(context: str) -> str:
    """Return that the queue's status may come from anybody."""
    return (
        f"anybody with write access can post {context}, until a rule pins it to the app of the "
        "queue"
    )
