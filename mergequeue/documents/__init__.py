"""The contract: one pydantic module a document, checked when it is written and when it is read.

`reading` turns bytes into a document and back, and touches no file; `record` is what all are made
of.
"""
