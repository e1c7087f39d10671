from lib import *

ranks = processes("spawns")
expect_equal(sorted((p["world"], p["rank"]) for p in ranks), [(0, 0), (0, 1), (1, 0), (1, 1)], "worlds and ranks")
expect(all(p["how_ended"] == "exit 0" for p in ranks), "all ranks ended well")
of = {p["proc"]: p for p in ranks}
for call in calls("MPI_Comm_spawn"):
    expect_equal(of[call["proc"]]["world"], 0, "the world that spawns")
for world, name in ((0, "parents"), (0, "parents-later"), (1, "children")):
    row = file("work/" + name + "-together")
    expect_equal((row["opens"], row["bytes_written"]), (2, 2), name + "-together")
    for rank in range(2):
        expect_equal(file(f"work/{name}-{rank}")["bytes_written"], len(f"{name}-{rank}"), f"bytes of {name}-{rank}")
        writers = {call["proc"] for call in outermost(calls(kind="write")) if (call["file"] or "").endswith(f"work/{name}-{rank}")}
        expect_equal({(of[w]["world"], of[w]["rank"]) for w in writers}, {(world, rank)}, f"who wrote {name}-{rank}")
expect_equal(function("MPI_File_write_at_all")["calls"], 6, "calls to MPI_File_write_at_all")
