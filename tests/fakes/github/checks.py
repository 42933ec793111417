"""Check runs and check suites."""
