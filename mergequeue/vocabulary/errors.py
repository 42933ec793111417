"""What the queue could not do. What it decided of a change is a value, never an exception.

    MergequeueError
    ├── UsageError      the caller's mistake: MQ1xxx, exit 2, nothing written
    └── QueueError      the queue ran and failed, exit 1: MQ2xxx (hooks), MQ3xxx (provider, trust)

Each kind of error has a stable code, a sentence on what it means and one on what to do. A place
that raises adds what exactly is wrong: `raise NO_GATE("mergequeue.toml of 1a2b names none")`.
"""

from dataclasses import dataclass


class MergequeueError(Exception):
    """An error with a code, what is wrong (`problem`) and what to do (`remedy`)."""

    exit_status = 1

    def __init__(self, code: str, problem: str, remedy: str) -> None:
        """Keep the three parts; the text of the exception is the first two."""
        super().__init__(f"{code}: {problem}")
        self.code = code
        self.problem = problem
        self.remedy = remedy


class UsageError(MergequeueError):
    """The caller's mistake; nothing was written."""

    exit_status = 2


class QueueError(MergequeueError):
    """The queue ran and failed."""


@dataclass(frozen=True)
class ErrorKind:
    """One row of the table of errors; calling it makes the exception to raise."""

    code: str
    """The stable code: MQ and four digits."""
    meaning: str
    """What is wrong, for the reference page."""
    remedy: str
    """What a person does about it."""

    def __call__(self, problem: str, remedy: str | None = None) -> MergequeueError:
        """Return the error for `problem`, with its own remedy where the kind's is too general."""
        maker = UsageError if self.code.startswith("MQ1") else QueueError
        return maker(self.code, problem, remedy or self.remedy)


def _kind(code: str, meaning: str, remedy: str) -> ErrorKind:
    kind = ErrorKind(code, meaning, remedy)
    if code in KINDS:
        msg = f"{code} stands twice"
        raise ValueError(msg)
    KINDS[code] = kind
    return kind


KINDS: dict[str, ErrorKind] = {}
"""Every kind of error by its code, in order; `docs/reference/errors.md` is made from it."""

USAGE = _kind(
    "MQ1001",
    "An option or argument is wrong.",
    "Run the command with --help to see what it takes.",
)
UNREADABLE = _kind(
    "MQ1002",
    "A document cannot be read: it is no JSON (or TOML), too large, or names a key twice.",
    "Make the document again with the command that writes it.",
)
BAD_DOCUMENT = _kind(
    "MQ1003",
    "A document was read and breaks one of its rules; the path in it is named.",
    (
        "Make the document again with the command that writes it; "
        "docs/reference/documents.md has its rules."
    ),
)
UNKNOWN_SCHEMA = _kind(
    "MQ1004",
    "A document names a schema that this version does not know.",
    "Use the version of mergequeue that wrote the document.",
)
OLD_GIT = _kind(
    "MQ1005",
    (
        "git is missing, or older than 2.39, "
        "the first that merges without a work tree as the queue needs it."
    ),
    "Install git 2.39 or later and put it first on PATH.",
)
SHALLOW = _kind(
    "MQ1006",
    "The clone is shallow, so what changes have in common cannot be told.",
    "Run `git fetch --unshallow`, or check out with `fetch-depth: 0`.",
)
PARTIAL = _kind(
    "MQ1007",
    "The clone is partial (made with --filter), so a merge may lack an object.",
    "Clone again without --filter.",
)
NOT_A_REPOSITORY = _kind(
    "MQ1008",
    "The folder is not in a git repository that the queue can work on.",
    "Run the command inside a clone, or name one with -C.",
)
BAD_REMOTE = _kind(
    "MQ1009",
    "The remote is not one that the checkout has configured; a URL is refused.",
    "Add it with `git remote add <name> <url>` and name it with --remote.",
)
NO_BASE = _kind(
    "MQ1010",
    "The base is not a branch of the remote.",
    "Name the branch that changes merge into with --base.",
)
BAD_CONFIGURATION = _kind(
    "MQ1011",
    "mergequeue.toml on the base is wrong; the key is named.",
    "Correct the file on the base; docs/reference/configuration.md has its keys.",
)
NO_GATE = _kind(
    "MQ1012",
    "Nothing names the gate, and a change is never green because nobody named one.",
    'Pass --gate "<command>", or set `gate` under [queue] in mergequeue.toml on the base.',
)
BAD_PROVIDER = _kind(
    "MQ1013",
    "The provider cannot be loaded, or lacks a function that it must have.",
    "docs/reference/provider.md lists the functions of a provider and how it is named.",
)
OTHER_PLAN = _kind(
    "MQ1014",
    "The verdicts' directory already holds the verdicts of another plan.",
    "Name an empty directory with --verdicts, or remove the old one.",
)
NO_SOURCE = _kind(
    "MQ1015",
    "The source of verdicts does not exist, or is of a kind this version does not know.",
    "Name the directory that `mergequeue validate --verdicts` writes.",
)
NO_SUCH_CHANGE = _kind(
    "MQ1016",
    "No such change is in the queue's records.",
    "`mergequeue ls` lists the changes that are known.",
)
NO_CREDENTIAL = _kind(
    "MQ1017",
    "GitHub is to be asked or written to, and nothing says as whom.",
    (
        "Set MERGEQUEUE_TOKEN (GITHUB_TOKEN will do for reading); apply takes "
        "MERGEQUEUE_APP_CLIENT_ID and MERGEQUEUE_APP_PRIVATE_KEY as well."
    ),
)
NOT_THE_APP = _kind(
    "MQ1018",
    (
        "The job's own token would write: a merge made with it starts no workflow, and its "
        "statuses are anybody's."
    ),
    (
        "Give apply the queue's app: MERGEQUEUE_APP_CLIENT_ID and MERGEQUEUE_APP_PRIVATE_KEY, or "
        "the token of `mergequeue token` as MERGEQUEUE_TOKEN; `mergequeue describe` sets it up."
    ),
)
NO_CACHE = _kind(
    "MQ1020",
    "Hooks are to look things up in the runner's cache, and its service cannot be read.",
    (
        "In a job of GitHub Actions, hand ACTIONS_RESULTS_URL and ACTIONS_RUNTIME_TOKEN to the "
        "step that validates; elsewhere, leave the option out."
    ),
)
NO_RUNTIME = _kind(
    "MQ1021",
    "A verdict is to be uploaded as an artifact, and the runner's results service is not named.",
    (
        "Use the action action-validate, which hands it on; by hand, `mergequeue validate` leaves "
        "its verdicts in a directory."
    ),
)
NO_WORKFLOW = _kind(
    "MQ1022",
    "The workflow that validates is not there, or the credential may not see or start it.",
    (
        "Name the workflow's file by its path, and give the credential actions: read to look at "
        "its runs, actions: write to start one."
    ),
)
NOT_A_COMMAND = _kind(
    "MQ1026",
    "A hook is not a plain command and its words: it holds something only a shell reads.",
    "Put the line in a script, and point the option at the script.",
)
HOOK_NOT_STARTED = _kind(
    "MQ2001",
    "A hook's program could not be started, which is the machine's fault and no change's.",
    (
        "Install the program, make it executable, or name it by a path that exists in every "
        "checkout; where a change deletes or moves it, take that change out of the queue."
    ),
)
BOX_FAILED = _kind(
    "MQ2002",
    "A candidate's checkout could not be made, or is not clean straight after it was made.",
    "See that the temporary folder has room and its file system keeps names apart by case.",
)
HOOK_CANCELLED = _kind(
    "MQ2003",
    "The queue was told to stop while a hook that a candidate is made with was running.",
    "Run the command again; what was decided stands.",
)
SANDBOX_GRANT = _kind(
    "MQ2004",
    "A grant in [sandbox] of mergequeue.toml on the base is not valid.",
    "Correct it on the base; docs/reference/configuration.md says what a grant looks like.",
)
SANDBOX_PARTIAL = _kind(
    "MQ2005",
    "A warning: this machine's kernel cannot confine hooks wholly, and they run all the same.",
    (
        "Run the queue on Linux 6.12 or later with landlock, or pass --sandbox=required to run no "
        "hook that is not confined."
    ),
)
PROGRAM_REFUSED = _kind(
    "MQ2007",
    (
        "A hook's program lies where the sandbox lets none run: it is neither on PATH, nor in a "
        "system or toolchain folder, nor in the checkout, nor beneath a path that the base allows."
    ),
    'Put its folder on PATH, or allow it on the base: [sandbox] allow = ["run:/its/folder"].',
)
WEAKER_SANDBOX = _kind(
    "MQ2010",
    "A queue that runs inside a hook is asked for a weaker sandbox than the hook's own.",
    "Leave --sandbox out: the mode of the hook around it then holds.",
)
NO_SANDBOX = _kind(
    "MQ2012",
    "A sandbox is required, and this machine's kernel cannot confine a hook; none was run.",
    (
        "Run the queue on Linux 6.2 or later with landlock, or ask for `best-effort` and trust "
        "whoever may queue a change with all that the queue's user can do."
    ),
)
GIT_FAILED = _kind(
    "MQ3001",
    "git failed at something that has nothing to do with any change.",
    "Read git's own words, put right what they name, and run the command again.",
)
PROVIDER_FAILED = _kind(
    "MQ3002",
    "The provider could not answer.",
    "Run the command again; where it fails again, the provider's words say why.",
)
BAD_ANSWER = _kind(
    "MQ3003",
    (
        "The provider's answer lacks a required key or holds a wrong value, "
        "which is never read as a default."
    ),
    "Correct the provider; docs/reference/provider.md lists what each function returns.",
)
FACTS_FAILED = _kind(
    "MQ3004",
    "The facts command failed, or printed something else than the answer asked for.",
    (
        "Run the command by hand with the fact's name, "
        "and see that it prints the JSON of docs/reference/configuration.md."
    ),
)
STATE_MOVED = _kind(
    "MQ3005",
    "Another run wrote the queue's records at the same time, again and again.",
    "Let one apply run at a time, then run it again.",
)
NOT_ADMITTED = _kind(
    "MQ3006",
    "The change is not one that the plan admitted.",
    "Plan again, or name a change that the plan holds in a partition.",
)
UNDATED = _kind(
    "MQ3007",
    "A commit that the plan rests on has no readable committer date.",
    "Take the change that holds it out of the queue, and rewrite the commit.",
)
SOURCE_INCOMPLETE = _kind(
    "MQ3008",
    "The source holds no plan, so nothing in it can be vouched for.",
    "Let `mergequeue validate --verdicts` write the directory, then apply it.",
)
MERGED_NOT_ON_BASE = _kind(
    "MQ3009",
    "The listing names a merged change whose commit the base does not carry.",
    "List again; where it stays so, the provider and the remote disagree about the base.",
)
NO_COMMITTER = _kind(
    "MQ3010",
    "A change needs a commit of the queue's own, and nothing names who commits it.",
    'Pass --committer "Name <address>", or set user.name and user.email.',
)
UNEXPECTED_TREE = _kind(
    "MQ3011",
    "After a merge the base does not carry the tree that was predicted, so applying stopped.",
    "Look at the base's newest commit by hand; the next run plans from it as it is.",
)
UNEXPECTED_SHAPE = _kind(
    "MQ3012",
    (
        "After a merge the base's history does not have the shape that the merge method leaves, "
        "so applying stopped."
    ),
    "Look at the base's newest commits by hand; the next run plans from them as they are.",
)
STATUS_FAILED = _kind(
    "MQ3013",
    "A status could not be posted, so applying stopped rather than leave a wrong one.",
    "See that the provider's credential may post statuses, and run apply again.",
)
PARTITIONS_FAILED = _kind(
    "MQ3014",
    "Some partitions stopped on an error; the others went on, and what they decided stands.",
    (
        "Put right what the errors name and run the command again; "
        "the changes concerned are still queued."
    ),
)
CREDENTIAL_REFUSED = _kind(
    "MQ3015",
    "GitHub does not accept the credential: it has expired, or was taken back.",
    "Give a new one and run the command again; what was decided stands.",
)
RATE_LIMITED = _kind(
    "MQ3016",
    "GitHub's rate limit is not over soon enough to wait for.",
    "Run the command again when it is over; what was decided stands.",
)
APP_FAILED = _kind(
    "MQ3017",
    "The app cannot get a token for the repository.",
    (
        "See that the app is installed on the repository with the permissions that "
        "`mergequeue describe` names, and that its client id and key belong together."
    ),
)
UPLOAD_FAILED = _kind(
    "MQ3018",
    "A verdict could not be uploaded as an artifact of the run, so apply will not see it.",
    "Run the job again; until then the change stays queued.",
)
WRONG_CREDENTIAL = _kind(
    "MQ3019",
    (
        "The base requires the queue's status from another app than the credential's, "
        "so it would count none."
    ),
    "Run `mergequeue describe`, and take the step that pins the status to this app.",
)
UNTRUSTED_RUN = _kind(
    "MQ3027",
    (
        "The validation run is not the base's own, so whoever wrote it could have written any "
        "plan and any verdict; nothing of it was downloaded."
    ),
    (
        "Name a run of the --workflow definition that a push or a dispatch started on --base of "
        "the repository itself."
    ),
)
PLAN_DISAGREES = _kind(
    "MQ3028",
    "The plan disagrees with what apply reads itself, so nothing that rests on it merges.",
    "Plan and validate again, with the same --base and --remote that apply is given.",
)
BAD_STATE = _kind(
    "MQ3029",
    "The queue's records, kept in the remote, do not read; the commit and the file are named.",
    (
        "Look at their history with `git log -p` on the reference named, "
        "and move it back to the last good commit."
    ),
)
