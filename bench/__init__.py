"""Measurements, each a ratio against its floor in one run: `bench/plan.py`, `bench/candidates.py`, `bench/checkout.py`."""
