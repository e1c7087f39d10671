"""Fathom for Python programs: regions and counters (fathom.mark), and traces (fathom.open)."""


def __getattr__(name):
    # A program that only marks regions does not load the reader.
    if name in ("open", "Trace", "Table"):
        from . import trace

        return getattr(trace, name)
    raise AttributeError(f"module 'fathom' has no attribute {name!r}")
