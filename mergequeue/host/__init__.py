"""The machine: its clock, its files, its signals, and the one place that prints."""
