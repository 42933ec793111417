set -eu
grep -q '<h1>' index.html
