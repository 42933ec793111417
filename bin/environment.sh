# shellcheck shell=sh
# Sourced by the programs beside it, which set `root` (the project, absolute) first.
#
#   environment .venv requirements.lock    sets `venv` to an environment that holds that lock
#
# It is beside the project, or in the folder that MERGEQUEUE_ENVIRONMENTS names (a CI's, which is
# gone after the job), or in the user's cache where the project cannot be written to.
# Built on first use and again whenever the lock, the Python or the place of the project changes;
# otherwise found in a few milliseconds, without network. Only stderr is written to.
#
# The caller's folder may be a checkout full of somebody's code, so whatever runs here runs with -I,
# without PYTHON* variables, and from /: pip, venv and version managers all look into their folder.

: "${root:?}"

complain() {
    printf 'mergequeue: %s\n' "$1" >&2
}

# Says what ends the program; in GitHub Actions, beside the run as well.
fail_with() { # <what is wrong, and what to do>
    complain "$1"
    if [ "${GITHUB_ACTIONS:-}" = true ]; then
        printf '::error title=mergequeue cannot start::%s\n' "$(printf '%s' "$1" | sed 's/%/%25/g')" >&2
    fi
}

# The absolute path of a Python that is new enough, on stdout.
find_python() {
    for name in python3 python3.13 python3.12 python3.11; do
        # Run it rather than look for it: a version manager's shim exists for versions it refuses to start.
        if (cd / && "$name" -I -c 'import sys; sys.version_info >= (3, 11) or sys.exit(1); print(sys.executable)') 2>/dev/null; then
            return
        fi
    done
    fail_with 'no Python 3.11 or newer was found; install one and put it on PATH as python3.'
    return 2
}

# What a finished environment says of itself: with any of it changed, it is another environment.
stamp_of() { # <python> <lock>
    # The project's place is in it because a copied project would otherwise run the original's code.
    (cd / && "$1" -V) && printf '%s\n' 'layout 2' "$root" && cat -- "$2"
}

is_current() { # <environment> <lock>
    [ -x "$1/bin/python" ] && [ -f "$1/stamp" ] && stamp_of "$1/bin/python" "$2" 2>/dev/null | cmp -s - "$1/stamp"
}

without_python_variables() {
    # A line inside some variable's value may look like a name too; unsetting that does no harm.
    for name in $(env | sed -n 's/^\(PYTHON[A-Z0-9_]*\)=.*/\1/p'); do
        unset "$name"
    done
}

# Whether a Python's own pip can install into another environment, which then needs none itself.
has_pip() { # <python>
    "$1" -I -m pip --python "$1" --version >/dev/null 2>&1
}

make_empty() { # <python> <new environment>; with a pip of its own where that is needed
    if has_pip "$1"; then
        "$1" -I -m venv --without-pip "$2"
    else
        "$1" -I -m venv "$2"
    fi
}

pip_into() { # <python> <environment> <arguments...>
    with=$1 into=$2
    shift 2
    if [ -x "$into/bin/pip" ]; then
        "$into/bin/python" -I -m pip "$@"
    else
        "$with" -I -m pip --python "$into/bin/python" "$@"
    fi
}

# Where pip finds packages (PIP_INDEX_URL, PIP_CERT, its configuration) is the user's business; what
# it installs, and where to, is the lock's and ours. The lock names every package, so nothing has to
# be resolved; a module is compiled when it is first imported, and most never are.
install_into() { # <new environment> <lock> <python>
    pip_into "$3" "$1" install --quiet --quiet --no-input --disable-pip-version-check --no-user \
        --no-deps --no-compile --require-hashes --only-binary :all: --requirement "$2" || return
    # Requirements with hashes cannot name a folder, so the project is put on the path instead.
    purelib=$("$1/bin/python" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))') || return
    printf '%s\n' "$root" >"$purelib/mergequeue-project.pth" || return
    stamp_of "$1/bin/python" "$2" >"$1/stamp"
}

# Puts a finished environment in its place. Renaming is what keeps two builders apart, whatever
# becomes of the lock: a folder is never renamed onto one that holds something.
put_in_place() { # <new environment> <place>
    "$1/bin/python" -I - "$1" "$2" <<'PYTHON'
import os, pathlib, shutil, sys

new, place = sys.argv[1:]
for script in pathlib.Path(new, "bin").iterdir():  # they name the folder they were installed in
    if not script.is_symlink() and new.encode() in (text := script.read_bytes()):
        script.write_bytes(text.replace(new.encode(), place.encode()))
old = f"{place}.old.{os.getpid()}"
try:
    if os.path.lexists(place):
        os.rename(place, old)
    os.rename(new, place)
except OSError as error:
    print(f"mergequeue: {error}", file=sys.stderr)
    sys.exit(1)
finally:
    shutil.rmtree(old, ignore_errors=True)
PYTHON
}

build() { # <place> <lock>; in a subshell, so that its traps, folder and variables stay its own
    (
        new=$1.new.$$
        trap 'rm -rf "$new" "$1.lock"' EXIT
        trap 'exit 130' HUP INT TERM
        echo $$ >"$1.lock/pid"
        # What a killed builder left. Only after days, because a process id says nothing across containers.
        find "$1".new.* "$1".old.* -prune -mtime +1 -exec rm -rf {} + 2>/dev/null
        # Ours are finished when they get there, so one without a stamp is somebody's own.
        if [ -e "$1" ] && [ ! -f "$1/stamp" ]; then
            fail_with "$1 is in the way, and not of its making; move it elsewhere."
            exit 2
        fi
        python=$(find_python) || exit
        complain "setting up $1 (once; the packages of ${2##*/})"
        without_python_variables
        unset PIP_CONSTRAINT PIP_DRY_RUN PIP_NO_DEPS PIP_PREFIX PIP_PYTHON PIP_REQUIREMENT PIP_ROOT PIP_TARGET
        cd / || exit
        rm -rf "$new"
        if ! said=$(make_empty "$python" "$new" 2>&1); then
            printf '%s\n' "$said" >&2
            fail_with "$python cannot make a virtual environment; install its venv module (Debian and Ubuntu: apt install python3-venv)."
            exit 1
        fi
        if ! install_into "$new" "$2" "$python"; then
            fail_with "the packages of ${2##*/} could not be installed; the lines above say why. Run it again once that is mended."
            exit 1
        fi
        if ! put_in_place "$new" "$1" && ! is_current "$1" "$2"; then
            fail_with "$1 could not be put in its place; the lines above say why. Run it again once that is mended."
            exit 1
        fi
    ) </dev/null >&2
}

# Waits for whoever is building. The lock only saves work, so it is broken rather than trusted:
# when its holder is gone, or after five minutes.
take_lock() { # <place> <lock>; fails when there is nothing left to build
    waited=0
    until mkdir "$1.lock" 2>/dev/null; do
        if [ ! -d "$1.lock" ] && [ ! -w "${1%/*}" ]; then
            fail_with "${1%/*} cannot be written to, so its packages have no place; make it writable."
            exit 2
        fi
        [ $waited -gt 0 ] || complain "waiting for another process to set up $1"
        sleep 1
        waited=$((waited + 1))
        is_current "$1" "$2" && return 1
        holder=$(cat "$1.lock/pid" 2>/dev/null)
        # A lock without a holder is a second old at most, or its maker died in that second.
        if [ $waited -ge 300 ] || { [ -z "$holder" ] && [ $waited -ge 10 ]; } ||
            { [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; }; then
            rm -rf "$1.lock"
            waited=1
        fi
    done
    # It may have been finished between the look and the lock.
    if is_current "$1" "$2"; then
        rm -rf "$1.lock"
        return 1
    fi
}

# Where another place than the project keeps its environments: a folder a project, since the stamp
# names the project, and two that share a checksum only rebuild.
place_in() { # <folder> <environment>; sets `venv`
    venv=$1/$(printf '%s' "$root" | cksum | tr ' ' -)/$2
}

environment() { # <folder name> <lock name>; sets `venv`, or ends the program
    lock=$root/$2
    venv=$root/$1
    case ${MERGEQUEUE_ENVIRONMENTS:-} in
    /*) place_in "$MERGEQUEUE_ENVIRONMENTS" "$1" ;;
    esac
    is_current "$venv" "$lock" && return
    if [ "$venv" = "$root/$1" ] && [ ! -w "$root" ]; then
        case ${XDG_CACHE_HOME:-} in
        /*) cache=$XDG_CACHE_HOME/mergequeue ;;
        *) cache=${HOME:-}/.cache/mergequeue ;;
        esac
        place_in "$cache" "$1"
        is_current "$venv" "$lock" && return
    fi
    if [ "$venv" != "$root/$1" ] && ! (umask 077 && mkdir -p -- "${venv%/*}"); then
        fail_with "there is no place for its packages: ${venv%/*} cannot be made; set MERGEQUEUE_ENVIRONMENTS to a folder that can be written to."
        exit 2
    fi
    if take_lock "$venv" "$lock"; then
        build "$venv" "$lock" || exit
    fi
}
