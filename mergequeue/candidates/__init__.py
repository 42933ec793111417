"""How a candidate is made, and what the base will carry once it has landed.

recipe          the commits that make a candidate (pure)
prediction      what the base will carry (pure)
builder         making candidates (the step)
"""
