"""Put in front of PYTHONPATH by `fathom record --python`: functions of the user's own files become regions. Python imports this by itself when it starts; a
sitecustomize that it hides is imported behind it, and sys.path is as it would be without."""

import os
import sys


def _start(package):
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    sys.path.insert(0, package)
    try:
        from fathom import functions

        functions.start()
    except Exception as problem:  # the program runs all the same
        sys.stderr.write(f"fathom: functions of Python are not marked: {problem}\n")
    finally:
        sys.path.remove(package)
        sys.dont_write_bytecode = before


def _import_hidden(ours):
    try:
        import sitecustomize  # noqa: F401
    except ImportError as problem:
        sys.modules.setdefault("sitecustomize", ours)
        if problem.name != "sitecustomize":
            raise


_here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != _here]
if os.environ.get("FATHOM_PYTHON"):
    _start(os.path.dirname(_here))
_import_hidden(sys.modules.pop("sitecustomize", None))
