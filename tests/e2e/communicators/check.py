"""Each communicator has one number, in all its processes and in no other, and its size; said.RANK tells who is in it. The barriers of a rank come in the order of its lines."""
import os
import re
from collections import defaultdict

from lib import *

trace = os.environ["TRACE"]
shown = [json.loads(line) for line in fathom("dump", "--handles", "--json", trace).splitlines()]
barriers = defaultdict(list)
for call in shown:
    if call["func"] == "MPI_Barrier" and call["depth"] == 0 and call["rank"] is not None:
        barriers[call["rank"]].append(call)

members = defaultdict(set)  # of a number: ranks, and what they called it
for rank in range(4):
    lines = [line.split() for line in open(f"said.{rank}")]
    expect_equal(len(barriers[rank]), len(lines), f"barriers of rank {rank}")
    for (name, own, others, *_), call in zip(lines, barriers[rank]):
        expect_equal((call["group_size"], call["group_others"]), (int(own), int(others)), f"sizes of {name} on rank {rank}")
        expect(call["group_id"], f"{name} has no number on rank {rank}")
        members[call["group_id"]].add((rank, name))

wanted = []
for name, groups in {
    "split": [(0, 2), (1, 3)],
    "undefined": [(0, 1, 2)],
    "split_type": [(0, 1, 2, 3)],
    "create": [(0, 1, 2)],
    "create_group": [(2, 3)],
    "intercomm_create": [(0, 1, 2, 3)],
    "merge": [(0, 1, 2, 3)],
    "dup": [(0, 2), (1, 3)],
    "inter_dup": [(0, 1, 2, 3)],
}.items():
    wanted += [sorted((rank, name) for rank in group) for group in groups]
expect_equal(sorted(map(sorted, members.values())), sorted(wanted), "who has the same number")

# The same as a table, with the rank in it; and for people.
sizes = {call["group_id"]: (call["group_size"], call["group_others"]) for calls in barriers.values() for call in calls}
rows = [row for process in json.loads(fathom("handles", "--json", "--all", trace))["processes"] for row in process["handles"]]
rows = [row for row in rows if row["class"] == "comm" and row["group_id"]]
expect(set(sizes) <= {row["group_id"] for row in rows}, "numbers in the table of handles")
for number, (own, others) in sizes.items():
    ranks = sorted(row["group_rank"] for row in rows if row["group_id"] == number)
    expect_equal(ranks, sorted([*range(own), *range(others)]), f"ranks in communicator {number}")
text = fathom("dump", "--handles", trace)
expect(re.search(r"collective in communicator \d+ of 2 and 2$", text, re.M), "two sides for people")
expect("a group" not in text, "groups that nobody knows")
