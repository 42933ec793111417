"""Every sentence and picture that a person reads, each a pure function of data.

A sentence says what happened, whose it is, and what comes next; what an author typed goes through
`vocabulary.text` or is not shown. Nothing here prints: `host.console` does.
"""
