"""The repository that `mergequeue demo` shows the queue on: a real one, made fresh in a temporary folder."""
