"""The Python package otf2 finds the calls of each function with their times, and the files that were opened."""
import collections
import sys

import otf2
from lib import *

entered, times, stacks, files = collections.Counter(), collections.Counter(), collections.defaultdict(list), set()
with otf2.reader.open(sys.argv[1] + "/traces.otf2") as archive:
    expect_equal(archive.timer_resolution, 10**9, "ticks per second")
    for location, event in archive.events:
        if isinstance(event, otf2.events.Enter):
            entered[event.region.name] += 1
            stacks[location].append(event.time)
        elif isinstance(event, otf2.events.Leave):
            times[event.region.name] += event.time - stacks[location].pop()
        elif isinstance(event, otf2.events.IoCreateHandle) and event.handle.file:
            files.add(event.handle.file.name)
expect_equal(dict(entered), {row["func"]: row["calls"] for row in stats()["functions"]}, "calls by function")
for row in stats()["functions"]:
    expect(abs(times[row["func"]] / 1e9 - row["time"]) < 1e-6, f"time of {row['func']}: {times[row['func']]}, {row['time']}")
paths = {row["path"] for row in stats()["files"] if row["opens"]}
expect(paths <= files, f"files that nobody opened: {paths - files}")
