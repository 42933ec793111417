# The gate: each affected unit's own test. A unit that is a folder is named by its folder.
set -eu
for unit; do
    test ! -e "$unit/test.sh" || (cd "$unit" && sh test.sh)
done
