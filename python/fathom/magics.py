"""Magics of IPython and Jupyter: `%load_ext fathom`, then

    %fathom np.save("a.npy", data)      records one statement
    %%fathom step.fathom --lines        records a cell, into this trace, with options of `fathom attach`

The trace is the value: `run = _`."""

import os
import tempfile

from .recording import record


def _record(shell, path, options, code):
    with record(path, *options, force=True) as recording:
        result = shell.run_cell(code)
    result.raise_error()
    return recording.trace


def load(shell):
    """Registers the magics."""
    folder = tempfile.TemporaryDirectory(prefix="fathom-")  # for traces without a name, until the interpreter ends
    shell.fathom_traces = folder
    count = [0]

    def fathom(line, cell=None):
        count[0] += 1
        path = os.path.join(folder.name, f"{count[0]}.fathom")
        if cell is None:
            return _record(shell, path, [], line)
        words = line.split()
        if words and not words[0].startswith("-"):
            path = words.pop(0)
        return _record(shell, path, words, cell)

    shell.register_magic_function(fathom, "line_cell", "fathom")
