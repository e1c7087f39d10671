"""What the trace of `units` must hold: what is in the files was written, and where."""

import os

from lib import *


def is_about(call, name):
    return call["file"] is not None and os.path.basename(call["file"]) == name


def written(name):
    """The bytes of a file that the recorded calls wrote, by their positions."""
    at, covered = 0, set()
    for call in dump():
        if not is_about(call, name) or call["errno"]:
            continue
        if call["kind"] == "open":
            at = 0
        elif call["kind"] == "seek":
            at = call["ret"]
        elif call["kind"] in ("read", "write"):
            if call["kind"] == "write":
                covered.update(range(at, at + call["bytes"]))
            at += call["bytes"]
    return covered


for name in ("sequential.txt", "records", "stream"):
    size = os.path.getsize(os.path.join("traced", name))
    expect_equal(written(name), set(range(size)), f"bytes written to {name}")
    expect(any(is_about(call, name) and call["bytes"] for call in calls(kind="read")), f"{name} is read")
    expect_equal(len([call for call in calls(kind="close") if is_about(call, name)]), 1, f"{name} is closed")
opens = calls(kind="open")
expect_equal([call["error"] for call in opens if is_about(call, "missing")], ["ENOENT"], "a file that is missing")
expect(any(is_about(call, "scratch") for call in calls("remove", "unlink")), "a file that is deleted")
expect(all(call["language"] == "C" for call in dump()), "libgfortran calls functions of C")
