"""The `world` that `mergequeue demo` shows the queue on.

It is a real repository, made fresh in a temporary folder, with eleven changes that each show
something.
"""
