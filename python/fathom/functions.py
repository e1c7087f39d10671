"""Functions of the user's own Python files as regions (`fathom record --python`): those of files under the working folder that are of no installed package.

Each code object is decided about once. FATHOM_PYTHON is "1", or patterns with commas between them; then only functions that match one of them become regions, by
their name or by "file.py:name", the file relative to the working folder."""

import fnmatch
import os
import sys
import threading

from fathom import mark

OPTIMIZED = 1  # inspect.CO_OPTIMIZED, without importing that


def start():
    if mark._there is None:
        return
    begin, end = mark._there[:2]
    folder = os.path.join(os.getcwd(), "")
    wanted = os.environ["FATHOM_PYTHON"]
    patterns = [] if wanted == "1" else wanted.split(",")
    names = {}  # code object: name of the region, or None

    def decide(code):
        path = os.path.abspath(code.co_filename)
        own = path.startswith(folder) and "/site-packages/" not in path and "/dist-packages/" not in path
        name = getattr(code, "co_qualname", code.co_name)
        is_function = code.co_flags & OPTIMIZED  # and no module, no body of a class
        if not own or not is_function or code.co_name.startswith("<") or code.co_filename.startswith("<"):
            return None
        place = f"{path[len(folder):]}:{name}"
        if patterns and not any(fnmatch.fnmatchcase(text, pattern) for pattern in patterns for text in (name, place)):
            return None
        return mark._bytes(name)

    def seen(frame, event, _):
        if event != "call" and event != "return":
            return
        code = frame.f_code
        try:
            name = names[code]
        except KeyError:
            name = names[code] = decide(code)
        if name is not None:
            (begin if event == "call" else end)(name)

    threading.setprofile(seen)
    sys.setprofile(seen)
