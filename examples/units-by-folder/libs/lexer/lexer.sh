tokens() { tr -s " " "\n"; }
