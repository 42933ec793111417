"""How a candidate is made, and what the base will carry once it has landed (facts 3.4, 3.7).

- `recipe` says which commits make a candidate, to the last bit;
- `prediction` says what the base will carry, or that nobody knows;
- `builder` is the step: it merges, and writes the commits.
"""
