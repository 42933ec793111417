"""How a candidate is made, and what the base will carry once it has landed (facts 3.4, 3.7).

- `recipe` says which commits make a candidate, to the last bit;
- `regeneration` says where files may be regenerated, and which of what it writes counts;
- `prediction` says what the base will carry, or that nobody knows;
- `builder` is the step: it merges, regenerates and writes the commits; its part `_regenerating`
  runs the regeneration in a box.
"""
