"""How two trees merge, and whose a conflict is.

rule        which of the two rules makes a merge (pure)
merging     the one merge function that every stage calls (the step)
"""
