"""Compares the calls that a trace shows with the program's own account of them, call by call.

    check.py LOG [--min-bytes N | --min-duration TIME]    the trace is $TRACE, recorded with that option
"""

import json
import os
import subprocess
import sys
from collections import defaultdict

from lib import expect

NULL, ANY = -(1 << 63), -(1 << 63) + 1
SLACK = 100e-6  # seconds: clocks are compared, and times are kept in units of 100 ns
DATA = {"read", "write", "pread", "pwrite", "readv", "writev", "pwritev", "sendfile",
        "fread", "fwrite", "fputs", "fgets", "fgetc", "fputc", "fprintf"}  # fmt: skip


def plain(name):
    """The name in the manual of what a C library may call pread64."""
    return name.removeprefix("__").removesuffix("64")


def moved(call):
    """Bytes."""
    return call["ret"] * call["args"].get("size", 1) if call["func"] in ("fread", "fwrite") else call["ret"]


def read_account(path, least_bytes):
    """(pid, tid) -> its calls in order."""
    account = defaultdict(list)
    with open(path) as log:
        for line in log:
            call = json.loads(line)
            if call["func"] not in DATA or moved(call) >= least_bytes:
                account[call["pid"], call["tid"]].append(call)
    return account


def read_trace(some):
    """(pid, tid) -> its calls in order, those on threads and processes left out; from the mark on, if it is there."""
    threads = defaultdict(list)
    dump = subprocess.Popen([os.environ["FATHOM"], "dump", "--json", os.environ["TRACE"]], stdout=subprocess.PIPE, text=True)
    for line in dump.stdout:
        call = json.loads(line)
        calls = threads[call["pid"], call["tid"]]
        if call["func"].startswith("stdio_"):
            continue  # what libc does inside the program's calls
        if call["layer"] in ("posix", "stdio") and (calls or some or call["args"].get("path") == "/begin"):
            calls.append(call)
    expect(dump.wait() == 0, f"fathom dump: exit status {dump.returncode}")
    return {thread: calls for thread, calls in threads.items() if calls}


def difference(found, wanted):
    """What the call is wrong in, or None."""
    if plain(found["func"]) != wanted["func"]:
        return "function"
    for name, value in wanted["args"].items():
        if found["args"][name] != (None if name in ("fd", "from", "to") and value == -1 else value):
            return name
    result = wanted["ret"]
    if result != ANY and found["ret"] != (None if result == NULL else result):
        return "result"
    if (found["errno"] or 0) != wanted["errno"]:
        return "errno"
    if found["file"] != wanted["file"]:
        return "file"
    return "times" if found["start"] > found["end"] else None


def compare_times(found, wanted, where):
    """There is one shift of the clock by which all calls lie within the program's measurements."""
    least = max(w["before"] / 1e9 - f["start"] for f, w in zip(found, wanted))
    most = min(w["after"] / 1e9 - f["end"] for f, w in zip(found, wanted))
    expect(least - most < SLACK, f"{where}: times are off by {least - most:.6f} s")
    for before, after in zip(found, found[1:]):
        expect(before["end"] <= after["start"], f"{where}: {after['id']} starts before {before['id']} ends")


def compare_all(found, wanted, where):
    for number, (call, own) in enumerate(zip(found, wanted)):
        what = difference(call, own)
        expect(not what, f"{where}, call {number}: {what}\n  in the trace: {call}\n  in the program: {own}")
    expect(len(found) >= len(wanted), f"{where}: {len(found)} calls in the trace, {len(wanted)} in the program")
    compare_times(found[: len(wanted)], wanted, where)


def compare_some(found, wanted, where):
    """The trace has some of the calls, in order."""
    left = iter(wanted)
    for call in found:
        expect(any(not difference(call, own) for own in left), f"{where}: this call is not in the program\n  {call}")


def main():
    log, option, value = (sys.argv[1:] + [None, None])[:3]
    account = read_account(log, int(value) if option == "--min-bytes" else NULL)
    trace = read_trace(option == "--min-duration")
    for thread, wanted in account.items():
        compare = compare_some if option == "--min-duration" else compare_all
        compare(trace.get(thread, []), wanted, f"process {thread[0]}, thread {thread[1]}")
    expect(set(trace) <= set(account), "there are more threads in the trace than in the program")


main()
