"""The machine: its `clock`, its `files`, its `signals`, and the `console`, the one that prints."""
