"""Compares the calls that traces show with the programs' own accounts of them, call by call.

Standard input has a line for each program: SEED [--min-bytes N | --min-duration TIME]. SEED.fathom was recorded with that option, SEED.log is the
account. What differs is printed with the calls before it, which are the program so far.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict

from lib import expect, fail

NULL, ANY = -(1 << 63), -(1 << 63) + 1
SHOWN = 12  # calls of a program that fails
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


def read_trace(path, some):
    """(pid, tid) -> its calls in order, those on threads and processes left out; from the mark on, if it is there."""
    threads = defaultdict(list)
    dump = subprocess.Popen([os.environ["FATHOM"], "dump", "--json", path], stdout=subprocess.PIPE, text=True)
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


def program_before(wanted, number):
    """The calls of a thread before this one, as far as a reader wants them."""
    lines = [f"  {own['func']}({', '.join(f'{name}={value}' for name, value in own['args'].items())}) = {own['ret']}" for own in wanted[:number]]
    return "\n".join([f"  ... {number - SHOWN} calls"] * (number > SHOWN) + lines[-SHOWN:])


def compare_all(found, wanted, where):
    for number, (call, own) in enumerate(zip(found, wanted)):
        what = difference(call, own)
        if what:
            fail(f"{where}, call {number}: {what}\n{program_before(wanted, number)}\n  in the trace: {call}\n  in the program: {own}")
    if len(found) < len(wanted):
        fail(f"{where}: {len(found)} calls in the trace, {len(wanted)} in the program:\n{program_before(wanted, len(found) + 1)}")
    compare_times(found[: len(wanted)], wanted, where)


def compare_some(found, wanted, where):
    """The trace has some of the calls, in order."""
    at = 0
    for call in found:
        before = at
        while at < len(wanted) and difference(call, wanted[at]):
            at += 1
        if at == len(wanted):
            fail(f"{where}: this call is not in the program\n  {call}\nbehind\n{program_before(wanted, before)}")
        at += 1


def check(seed, option=None, value=None):
    account = read_account(f"{seed}.log", int(value) if option == "--min-bytes" else NULL)
    trace = read_trace(f"{seed}.fathom", option == "--min-duration")
    for thread, wanted in account.items():
        compare = compare_some if option == "--min-duration" else compare_all
        compare(trace.get(thread, []), wanted, f"seed {seed}, process {thread[0]}, thread {thread[1]}")
    expect(set(trace) <= set(account), f"seed {seed}: there are more threads in the trace than in the program")


for line in sys.stdin:
    check(*line.split())
