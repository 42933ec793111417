set -eu
. ./lexer.sh
test "$(echo 'a b' | tokens | wc -l)" -eq 2
