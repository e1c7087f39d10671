"""The trace in $TRACE tells of each rank of looks.c how often it looked in vain each time."""

import sys

from lib import *

ranks = [process for process in processes(sys.argv[1]) if process["rank"] is not None]
for process in ranks:
    noted = [line.split() for line in open(f"looks.{process['rank']}")]
    found, vain = [], 0
    turns = []
    for call in calls("MPI_Test", "MPI_Iprobe", "MPI_Allreduce", rank=process["rank"]):
        if call["func"] == "MPI_Allreduce":
            turns[-1] += 1
        elif call["args"]["flag"] == 0:
            vain += 1
        else:
            found.append([{"MPI_Test": "test", "MPI_Iprobe": "probe"}[call["func"]], str(vain)])
            vain = 0
            turns.append(0)
    expect(found == noted, f"rank {process['rank']} looked {noted} times, not {found}")
    expect(turns[1::2] == [1 + step * 31 % 17 for step in range(60)], f"rank {process['rank']}: turns {turns}")
expect(len(ranks) == 2, "there are not two ranks")
