# The regeneration: lists the pages of the interface. It is given the affected units, and the generated files to
# write on its standard input.
set -eu
cd api
ls -- *.txt > INDEX
