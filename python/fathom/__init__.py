"""Fathom for Python programs: regions and counters (fathom.mark), traces (fathom.open), and recording a block of statements (fathom.record)."""

# A program that only marks regions loads neither the reader nor the rest.
_HOMES = {"open": "trace", "Trace": "trace", "Table": "trace", "Finding": "findings", "record": "recording"}


def __getattr__(name):
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'fathom' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_HOMES})


def load_ipython_extension(shell):
    """`%load_ext fathom`: the magics %fathom and %%fathom."""
    from . import magics

    magics.load(shell)
