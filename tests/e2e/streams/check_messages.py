"""The calls of rank 0 are those that it has noted, and they have few signatures."""

import json
import os
import sys

from lib import calls, expect, expect_equal, fathom

KEPT = {
    "MPI_Send": lambda args: (args["count"], args["tag"]),
    "MPI_Waitany": lambda args: (args["index"],),
    "MPI_Waitsome": lambda args: (args["outcount"],),
    "MPI_File_write_at": lambda args: (args["offset"], args["count"]),
}
# Bindings stand once more behind the merge in MPI_Finalize; they do not grow with turns.
MOST = {"fathom_bind": 300, "MPI_Send": 200, "MPI_Recv": 200, "MPI_Irecv": 100, "MPI_Isend": 50, "MPI_Wait": 50, "MPI_Waitany": 600, "MPI_Waitsome": 600}

if sys.argv[2:] == ["crowded"]:
    MOST["MPI_Irecv"] = 300  # of 96 tags in a row, which make a step of the tag

wanted = [line.split() for line in open(sys.argv[1])]
found = [call for call in calls(*KEPT, rank=0)]
expect_equal(len(found), len(wanted), "calls")
for call, (function, *values) in zip(found, wanted):
    kept = KEPT[call["func"]](call["args"])
    expect_equal([call["func"], *kept], [function, *map(int, values)], f"call {call['id']}")
for row in json.loads(fathom("info", "--size", "--json", os.environ["TRACE"]))["functions"]:
    most = MOST.get(row["function"], 200)
    expect(row["signatures"] <= most, f"{row['signatures']} signatures of {row['function']}")
