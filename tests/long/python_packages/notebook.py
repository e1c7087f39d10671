"""Runs a notebook from its first cell to its last; a few of its outputs are what they must be."""
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=300).execute()  # raises what a cell raises
cells = {cell.id: cell for cell in notebook.cells if cell.cell_type == "code"}
said = "".join(output.get("data", {}).get("text/plain", "") for cell in cells.values() for output in cell.outputs)
pictures = sum("image/png" in output.get("data", {}) for cell in cells.values() for output in cell.outputs)
for text in ("write     2000  16000.0", "fathom trace"):
    if text not in said:
        sys.exit(f"FAILED: the notebook does not show {text!r}: {said}")
if pictures != 3:
    sys.exit(f"FAILED: {pictures} pictures in the notebook")
