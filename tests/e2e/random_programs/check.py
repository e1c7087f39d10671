"""Compares the calls that a trace shows with the program's own account of them, call by call.

    check.py LOG        the trace is $TRACE
"""

import json
import os
import subprocess
import sys
from collections import defaultdict

from lib import expect

NULL, ANY = -(1 << 63), -(1 << 63) + 1
SLACK = 100e-6  # seconds: clocks are compared, and times are kept in units of 100 ns


def plain(name):
    """The name in the manual of what a C library may call pread64."""
    return name.removeprefix("__").removesuffix("64")


def read_account(path):
    """(pid, tid) -> its calls in order."""
    account = defaultdict(list)
    with open(path) as log:
        for line in log:
            call = json.loads(line)
            account[call["pid"], call["tid"]].append(call)
    return account


def read_trace():
    """(pid, tid) -> its calls in order, from the mark on, those on threads and processes left out."""
    threads = defaultdict(list)
    dump = subprocess.Popen([os.environ["FATHOM"], "dump", "--json", os.environ["TRACE"]], stdout=subprocess.PIPE, text=True)
    for line in dump.stdout:
        call = json.loads(line)
        calls = threads[call["pid"], call["tid"]]
        if call["layer"] in ("posix", "stdio") and (calls or call["args"].get("path") == "/begin"):
            calls.append(call)
    expect(dump.wait() == 0, f"fathom dump: exit status {dump.returncode}")
    return {thread: calls for thread, calls in threads.items() if calls}


def difference(found, wanted):
    """What the call is wrong in, or None."""
    if plain(found["func"]) != wanted["func"]:
        return "function"
    for name, value in wanted["args"].items():
        if found["args"][name] != value:
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


def compare(account, trace):
    for thread, wanted in account.items():
        found = trace.get(thread, [])
        where = f"process {thread[0]}, thread {thread[1]}"
        for number, (call, own) in enumerate(zip(found, wanted)):
            what = difference(call, own)
            expect(not what, f"{where}, call {number}: {what}\n  in the trace: {call}\n  in the program: {own}")
        expect(len(found) >= len(wanted), f"{where}: {len(found)} calls in the trace, {len(wanted)} in the program")
        compare_times(found[: len(wanted)], wanted, where)
    expect(set(trace) <= set(account), "there are more threads in the trace than in the program")


compare(read_account(sys.argv[1]), read_trace())
