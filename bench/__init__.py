"""Measurements, each a ratio against its floor in one run.

They are `bench/plan.py`, `bench/candidates.py` and `bench/checkout.py`.
"""
