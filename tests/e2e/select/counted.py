"""counted.py PHASES WRITES [FUNCTION=CALLS]: each call is recorded, in a sum, or counted, once; and what is recorded is at its place."""

import collections
import sys
from lib import *

phases, writes = int(sys.argv[1]), int(sys.argv[2])
wanted = {"write": 4 * (phases * 3 + (phases - 1) * 3), "stat": 40 * phases}
wanted.update((name, int(number)) for name, number in (word.split("=") for word in sys.argv[3:]))

# Of files of the program: pipes and what MPI does are others.
found = collections.Counter()
for row in stats()["functions"]:
    found[row["func"]] += row["calls"]
counted = collections.Counter()
for row in info()["counted_only"]:
    counted[row["func"]] += row["calls"]
pipes = 4 * 2 * phases # with the helper's
for name, number in wanted.items():
    more = pipes if name == "write" else 0
    total = found[name] + counted[name] - more
    # MPI itself makes a few more calls of both functions.
    expect(number <= total <= number + (400 if name in ("write", "stat") else 0), f"{name}: {number} calls, {found[name]} in stats, {counted[name]} counted only")

incomplete = info()["incomplete"]
expect(incomplete and "--select" in incomplete["text"], f"incomplete: {incomplete}")
expect_equal(sum(row["calls"] for row in info()["counted_only"]), incomplete["unkept"]["calls"], "calls that are counted only")
single = len(dump())
own = [process for process in info()["processes"] if not process["launcher"]]
expect_equal(sum(process["calls"] - process["summed"] for process in own), single, "calls that are recorded one by one")

# The n-th write to a file has n bytes, also where the ones before it were only watched. Where it stood may be unknown, but not wrong.
written = known = 0
for line in fathom("dump", "--ranges", "--json", "--func", "write", os.environ["TRACE"]).splitlines():
    call = json.loads(line)
    if "/file-" not in (call["file"] or ""):
        continue
    n = call["bytes"]
    written += 1
    if call["ranges_unknown"] is None:
        known += 1
        expect_equal(call["ranges"], [[n * (n - 1) // 2, n]], f"where the write of {n} bytes to {call['file']} went")
expect(written and known > written * 0.9, f"of {written} recorded writes {known} have a known place")
