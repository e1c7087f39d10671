"""Adds the calls of the dump up by function and compares with the statistics."""

from collections import Counter

from lib import *

counted = Counter((call["layer"], call["func"]) for call in dump())
summed = {(row["layer"], row["func"]): row["calls"] for row in stats()["functions"]}
expect_equal(summed, dict(counted), "calls per function")
expect_equal(info()["calls"], sum(counted.values()), "calls in info")

time = Counter()
for call in dump():
    time[call["func"]] += call["end"] - call["start"]
for row in stats()["functions"]:
    # Times are kept at the trace's resolution: at most two steps off for each call.
    allowed = 0.01 * row["time"] + 2 * row["calls"] * info().get("resolution", 100)
    expect(abs(row["time"] - time[row["func"]]) <= allowed, f"time of {row['func']}: {row['time']} and {time[row['func']]}")

moved = Counter()
for call in dump():
    if call["func"] in ("write", "pwrite", "pwrite64") and call["ret"] > 0:
        moved[call["func"]] += call["ret"]
for name, size in moved.items():
    expect_equal(function(name)["bytes_written"], size, f"bytes written by {name}")
