"""The words everything else is written in: codes, ids, names that others see, limits, errors, text.

Nothing here does anything; it imports the standard library alone, and every other package may
import it.
"""
