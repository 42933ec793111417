# The gate: the program still says what it has to. The units it is given (`/`, everything) are not looked at.
set -eu
test "$(sh hello.sh)" = "hello"
