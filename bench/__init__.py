"""Measurements, each a ratio against its floor in one run.

`bench/plan.py` measures planning and building; `bench/fidelity.py` replays the merges of the past.
"""
