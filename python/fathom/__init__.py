"""Fathom for Python programs: regions and counters (fathom.mark)."""
