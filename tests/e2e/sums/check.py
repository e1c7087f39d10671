"""Adds the calls of the dump up by function and compares with the statistics."""

from collections import Counter

from lib import *

counted = Counter((call["layer"], call["func"]) for call in dump())
summed = {(row["layer"], row["func"]): row["calls"] for row in stats()["functions"]}
expect_equal(summed, dict(counted), "calls per function")
in_info = sum(process["calls"] for process in info()["processes"] if not process["launcher"])
expect_equal(in_info, sum(counted.values()), "calls in info")

time = Counter()
for call in dump():
    time[call["func"]] += call["end"] - call["start"]
for row in stats()["functions"]:
    # Times are kept at the trace's resolution: at most two steps off for each call.
    allowed = 1e-9 * row["calls"] + 2 * row["calls"] * info()["resolution"]
    expect(abs(row["time"] - time[row["func"]]) <= allowed, f"time of {row['func']}: {row['time']} and {time[row['func']]}")

moved = Counter()
for call in dump():
    if call["kind"] in ("read", "write"):
        moved[call["func"], call["kind"]] += call["bytes"] or 0
for row in stats()["functions"]:
    for kind, column in (("read", "bytes_read"), ("write", "bytes_written")):
        expect_equal(row[column], moved[row["func"], kind], f"{column} of {row['func']}")
