"""`python -I -m mergequeue`: the same program as the `mergequeue` script."""

from mergequeue.cli import main

main()
