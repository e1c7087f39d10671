"""What the trace of `checkpoint` on 4 ranks must hold: checkpoint.py FOLDER [STEPS], the folder with the files that it wrote."""

import os
import sys

from lib import *

folder = sys.argv[1]
RANKS, STEPS, BLOCK, ROW = 4, int(sys.argv[2]) if len(sys.argv) > 2 else 100, 8192 * 8, 512 * 8
CHECKPOINTS = STEPS // 20

# Who ran.
ranks = [process for process in info()["processes"] if process["rank"] is not None]
expect_equal(sorted(process["rank"] for process in ranks), list(range(RANKS)), "ranks in info")
expect_equal(len({process["world"] for process in ranks}), 1, "worlds")
expect(all(process["how_ended"] == "exit 0" for process in ranks), "every rank ended with exit 0")
# A launcher may be interrupted by the end of a rank while it makes a call.
expect_equal(sum(process["lost"] for process in ranks), 0, "lost calls")
expect_equal(sorted({call["rank"] for call in calls("pwrite")}), list(range(RANKS)), "ranks that wrote")

# Which bytes: what was written to each file is its size, and the last checkpoint was read back once.
for name in sorted(os.listdir(folder)):
    size = os.path.getsize(os.path.join(folder, name))
    expect_equal(file("out/" + name)["bytes_written"], size, f"bytes written to {name}")
    last = name.startswith(f"rod.{STEPS}")
    expect_equal(file("out/" + name)["bytes_read"], size if last else 0, f"bytes read from {name}")
written = sum(row["bytes_written"] for row in stats()["files"] if "/out/" in row["path"])
expect_equal(written, 2 * CHECKPOINTS * RANKS * BLOCK + os.path.getsize(os.path.join(folder, "log")), "bytes written")

# Which calls: those that the source makes.
made = {
    "MPI_Init": RANKS,
    "MPI_Finalize": RANKS,
    "MPI_Sendrecv": RANKS * STEPS * 2,
    "MPI_Allreduce": RANKS * (STEPS + 1),
    "MPI_Reduce": RANKS,
    "MPI_File_open": RANKS * (CHECKPOINTS + 1),
    "MPI_File_write_at_all": RANKS * CHECKPOINTS,
    "MPI_File_read_at_all": RANKS,
    "MPI_File_close": RANKS * (CHECKPOINTS + 1),
    "fsync": RANKS * CHECKPOINTS,
    "fopen": CHECKPOINTS,
    "fprintf": CHECKPOINTS,
    "fclose": CHECKPOINTS,
}
came = {call["rank"]: call["start"] for call in calls("MPI_Init")}  # constructors of libraries come before
rank_calls = [call for call in outermost(dump()) if call["rank"] is not None and call["start"] >= came[call["rank"]]]
for name, count in made.items():
    expect_equal(sum(call["func"] == name for call in rank_calls), count, f"calls to {name}")

# With which parameters: the rows of one file, in order.
rows = [call for call in calls("pwrite", rank=2) if call["file"].endswith("/rod.20.2")]
expect_equal([call["args"]["offset"] for call in rows], list(range(0, BLOCK, ROW)), "offsets of rank 2's rows")
expect(all(call["args"]["count"] == ROW and call["ret"] == ROW for call in rows), "each row is written whole")
blocks = sorted((call["rank"], call["args"]["offset"]) for call in calls("MPI_File_write_at_all"))
expect_equal(blocks, sorted((rank, rank * BLOCK) for rank in range(RANKS) for _ in range(CHECKPOINTS)), "blocks")

# How the layers stand on each other: what MPI-IO moved, POSIX moved inside it.
by_id = {call["id"]: call for call in dump()}


def layers_above(call):
    while call["parent"] is not None:
        call = by_id[call["parent"]]
        yield call["layer"]


inside = [
    call
    for call in dump()
    if call["layer"] == "posix" and call["kind"] == "write" and (call["file"] or "").endswith("/out/rod.20")
]
expect(inside, "POSIX writes below MPI-IO")
expect(all("mpiio" in layers_above(call) for call in inside), "the shared file is written inside MPI-IO calls")
expect_equal(sum(call["bytes"] for call in inside), RANKS * BLOCK, "bytes written by POSIX below MPI-IO")
