set -eu
. ./parser.sh
test "$(echo 'a b c' | words)" -eq 3
