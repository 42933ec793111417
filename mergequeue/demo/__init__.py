"""The repository that `mergequeue demo` shows the queue on.

It is a real one, made fresh in a temporary folder.
"""
