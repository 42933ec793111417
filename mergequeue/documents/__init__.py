"""The contract: one pydantic module a document, checked when it is written and when it is read.

`reading` turns bytes into a document and `writing` back into bytes; neither touches a file.
"""
