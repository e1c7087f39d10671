"""The calls of program.py in $TRACE are made where Python said that it was. Argument: program.py."""

import json
import sys

from lib import calls, expect, expect_equal


def line_of(mark):
    with open(sys.argv[1]) as file:
        return next(number for number, text in enumerate(file, 1) if f"line: {mark}" in text)


with open("work/expected.json") as file:
    expected = json.load(file)
announced = calls("open", "open64", "openat", "openat64", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "truncate", "truncate64", "chmod", "link", "symlink")
found = {}
for call in announced:
    arguments = call["args"]
    path = arguments.get("path") or arguments.get("from") or arguments.get("target")
    if call["parent"] is None and path:
        found.setdefault(path.split("/work/")[-1], []).append(call["source"])
expect(len(expected) > 30, f"{len(expected)} paths are expected")
for path, texts in expected.items():
    expect_equal(found.get(path), texts, f"lines of calls on {path}")
for function, mark in ("write", "write"), ("pread64", "pread"), ("stat64", "stat"):
    sources = {call["source"] for call in calls(function) if "t_data" in (call["file"] or "") or "t_missing" in str(call["args"])}
    expect_equal(sources, {f"program.py:{line_of(mark)} read_and_write"}, f"lines of {function}")
