"""Reviews of a pull request."""
