. ../lexer/lexer.sh
words() { tokens | wc -l; }
