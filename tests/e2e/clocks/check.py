"""No message arrives before it was sent, whatever the clocks of the nodes say."""

import sys

from lib import calls, expect, expect_equal, info, processes

clock = sys.argv[1]
ranks = processes("messages")
expect_equal(sorted(process["rank"] for process in ranks), [0, 1, 2, 3], "ranks")
expect_equal({process["clock"] for process in ranks}, {clock}, "clocks")
of_rank_0 = next(process["host"] for process in ranks if process["rank"] == 0)
errors = {process["host"]: process["clock_error"] for process in info()["processes"]}
expect_equal(len(errors), 2, "nodes")
for host, error in errors.items():
    if host == of_rank_0:
        expect_equal(error, 0, "error on the node of rank 0")
    else:
        expect(error is not None and 0 < error < 0.5, f"error on {host}: {error}")

times = {}
for call in calls("MPI_Send", "MPI_Recv"):
    peer = call["args"]["dest" if call["func"] == "MPI_Send" else "source"]
    ends = (call["rank"], peer) if call["func"] == "MPI_Send" else (peer, call["rank"])
    times[ends, call["args"]["tag"], call["func"]] = call
expect_equal(len(times), 4 * 20 * 2, "calls")
slack = max(errors.values()) + info()["resolution"]
for (ends, tag, function), sent in times.items():
    if function != "MPI_Send":
        continue
    received = times[ends, tag, "MPI_Recv"]
    arrived = received["end"]
    expect(arrived >= sent["start"] - slack, f"message {tag} of {ends} arrives {sent['start'] - arrived} s before it is sent")

# Also what the launcher did on the second node is where it belongs. (It may end after `mpirun`.)
for process in info()["processes"]:
    expect(0 <= process["start"] <= info()["duration"], f"{process['exe']} at {process['start']}")
