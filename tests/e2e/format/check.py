"""Compares what reader.py finds in $TRACE with what `fathom dump` says, call by call."""

import json
import os
from collections import defaultdict

from lib import expect, expect_equal, fathom, info
from reader import Trace

trace = Trace(os.environ["TRACE"])
dumped = defaultdict(list)
for call in map(json.loads, fathom("dump", "--launchers", "--json", os.environ["TRACE"]).splitlines()):
    dumped[call["proc"], call["thread"]].append(call)

processes = sorted(trace.processes().items(), key=lambda item: (item[1][-1][1].start, item[0]))
expect_equal(len(info()["processes"]), len(processes), "processes")
count = 0
for proc, (image, shares) in enumerate(processes):
    expect_equal(shares[-1][1].pid, info()["processes"][proc]["pid"], f"pid of process {proc}")
    found = trace.calls(image)
    summed = trace.summed.get(image, 0)
    expect_equal(summed, info()["processes"][proc]["summed"], f"calls of process {proc} that are in sums only")
    expect_equal(sum(map(len, found.values())) + summed, sum(process.calls for _, process in shares), f"calls of process {proc}")
    for thread, calls in found.items():
        wanted = dumped.pop((proc, thread), [])
        expect_equal(len(calls), len(wanted), f"calls of thread {thread} of process {proc}")
        for call, line in zip(calls, wanted):
            where = f"call {line['id']}, {call.function.name}"
            expect_equal(call.function.name, line["func"], where)
            expect_equal(call.level(), line["depth"], f"{where}, depth")
            expect_equal(call.source, line["source"], f"{where}, source")
            names = list(line["args"])
            for field, value in call.args.items():
                expect_equal(value, line["args"][names[field]], f"{where}, {names[field]}")
            expect_equal(call.ret, line["ret"], f"{where}, result")
            for ours, theirs in ((call.entry, line["start"]), (call.exit, line["end"])):
                expect(abs(ours - theirs * 1e9) < 2.5, f"{where}: {ours} ns, not {theirs} s")
            count += 1
expect(not dumped, "calls in the dump that the trace does not have")
expect(count > 100, f"{count} calls only")
