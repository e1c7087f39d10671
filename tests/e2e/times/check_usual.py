"""check_usual.py EXACT USUAL: what the usual way to keep times leaves right: when each call was, to one resolution, however long the run; that a
receive ends after its send began; that calls inside of a call are inside of it; and every wait."""

import json
import os
import subprocess
import sys

from lib import expect, expect_equal


def read(*arguments):
    return subprocess.run([os.environ["FATHOM"], *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def ns(seconds):
    return round(seconds * 1e9)


def calls_of(trace):
    return [json.loads(line) for line in read("dump", "--json", "--launchers", trace).splitlines()]


unit = ns(json.loads(read("info", "--json", sys.argv[2]))["resolution"])
exact, usual = calls_of(sys.argv[1]), calls_of(sys.argv[2])
exact_of = {call["id"]: call for call in exact}
expect_equal(len(usual), len(exact), "calls")
by_id = {call["id"]: call for call in usual}
waits = 0
for call in usual:
    was = exact_of[call["id"]]
    expect_equal(call["func"], was["func"], "function")
    start, end = ns(call["start"]), ns(call["end"])
    for shown, true in (start, ns(was["start"])), (end, ns(was["end"])):
        expect(abs(shown - true) <= unit + 4 + true * 2e-5, f"{call['id']} is at {shown}, not {true}")
    expect(end >= start, f"{call['id']} ends before it begins")
    lasted = ns(was["end"]) - ns(was["start"])
    waits += lasted >= 2 * unit
    expect(lasted < 2 * unit or end > start, f"{call['id']} waited {lasted} ns, and {end - start} are shown")
    if call["parent"] and call["parent"].rsplit(".", 1)[0] == call["id"].rsplit(".", 1)[0]:  # not a thread that it started
        parent = by_id[call["parent"]]
        expect(ns(parent["start"]) <= start and end <= ns(parent["end"]), f"{call['id']} is not inside of {call['parent']}")
expect(waits > 100, f"{waits} waits")

# Messages of one rank to the other arrive in order.
sends, receives = ({rank: [call for call in usual if call["rank"] == rank and call["func"] == name] for rank in (0, 1)} for name in ("MPI_Send", "MPI_Recv"))
for rank in 0, 1:
    expect_equal(len(sends[rank]), 3000, "sends")
    expect_equal(len(receives[1 - rank]), 3000, "receives")
    for send, receive in zip(sends[rank], receives[1 - rank]):
        # 2 ns: starts of processes are whole ns, and so are times behind them
        expect(ns(receive["end"]) >= ns(send["start"]) - 2, f"{receive['id']} ends at {receive['end']}, before its send began at {send['start']}")
