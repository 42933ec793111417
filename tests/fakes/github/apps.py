"""Apps, their installations and tokens."""
