"""The machine: its `clock`, its `files`, its `signals`, the `console`, the one that prints, and the
`runner` of a CI, which is told in files and in lines of the log.
"""
