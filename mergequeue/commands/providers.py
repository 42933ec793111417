"""Who lists and merges the changes: the built-in providers by name, a person's own by file."""
