"""Compares the bytes per file in the trace with those that strace has seen: check.py STRACE_OUTPUT FOLDER."""

import glob
import re
import sys
from collections import Counter

from lib import *

log, folder = sys.argv[1:]
CALL = re.compile(r"(?:^|\] |^\d+ +)(read|write|pread64|pwrite64|readv|writev)\(\d+<([^>]*)>.*\) += (\d+)$")
RESUMED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>.*\) += (\d+)$")
UNFINISHED = re.compile(r"^(\d+) +(read|write|pread64|pwrite64|readv|writev)\(\d+<([^>]*)>.*<unfinished \.\.\.>$")


def name_of(path):
    """Pipes have other numbers in each run; what is outside of the folder is not looked at."""
    path = path.removesuffix(" (deleted)")
    if path.startswith("pipe:"):
        return "pipe"
    if not path.startswith(folder + "/work/"):
        return None
    name = path[len(folder) + 6 :]
    return "temporary" if name.startswith("#") else name


def seen_by_strace():
    moved, begun = Counter(), {}
    for line in open(log, errors="replace"):
        line = line.rstrip("\n")
        if found := UNFINISHED.match(line):
            begun[found[1]] = found[2], found[3]
        elif found := RESUMED.match(line):
            call, path = begun.pop(found[1], (None, None))
            if call == found[2]:
                moved["write" in call, name_of(path)] += int(found[3])
        elif found := CALL.search(line):
            moved["write" in found[1], name_of(found[2])] += int(found[3])
    return {key: count for key, count in moved.items() if key[1] and count}


def seen_by_fathom():
    moved = Counter()
    for row in stats()["files"]:
        moved[False, name_of(row["path"])] += row["bytes_read"]
        moved[True, name_of(row["path"])] += row["bytes_written"]
    return {key: count for key, count in moved.items() if key[1] and count}


theirs, ours = seen_by_strace(), seen_by_fathom()
expect(theirs, "strace has seen no bytes")
different = [
    f"{'written to' if key[0] else 'read from'} {key[1]}: {ours.get(key, 0)} in the trace, {theirs.get(key, 0)} in strace"
    for key in sorted(theirs.keys() | ours.keys())
    if theirs.get(key) != ours.get(key)
]
expect(not different, "bytes " + "; ".join(different))

# Every byte of a file that began empty was written where the trace says.
for path in glob.glob(os.path.join(folder, "traced", "*")):
    name = os.path.basename(path)
    writes = [call for call in calls("stdio_write") if call["file"] and name_of(call["file"]) == name and call["bytes"]]
    if not writes or any(name_of(call["file"] or "") == name for call in calls("write", "pwrite")):
        continue
    end = 0
    for call in sorted(writes, key=lambda call: call["args"]["offset"]):
        expect(call["args"]["offset"] <= end or name == "updated", f"nobody wrote bytes {end} to {call['args']['offset']} of {name}")
        end = max(end, call["args"]["offset"] + call["ret"])
    expect_equal(end, os.path.getsize(path), f"end of {name}")

parents = {call["id"]: call for call in dump()}
for call in calls("stdio_read", "stdio_write"):
    expect(call["parent"] is None or parents[call["parent"]]["layer"] in ("stdio", "process"), f"{call} has a strange parent")
