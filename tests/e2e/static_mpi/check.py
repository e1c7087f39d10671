"""Each call of the program is there once, and above each write of the system is its call of MPI-IO."""
from lib import *

RANKS, TURNS, BLOCK = 2, 3, 4096
for function, wanted in [("MPI_Init", 1), ("MPI_Comm_size", 1), ("MPI_File_open", 1), ("MPI_File_write_at", TURNS),
                         ("MPI_Sendrecv", 1), ("MPI_Finalize", 1)]:
    expect_equal(len(outermost(calls(function))), RANKS * wanted, f"calls of {function}")
by_id = {call["id"]: call for call in dump()}
writes = [call for call in dump() if call["layer"] == "posix" and call["kind"] == "write" and (call["file"] or "").endswith("/out")]
expect_equal(len(writes), RANKS * TURNS, "writes of the system")
expect_equal({by_id[call["parent"]]["func"] if call["parent"] is not None else None for call in writes}, {"MPI_File_write_at"}, "what is above them")
expect_equal({process["rank"] for process in processes("static_mpi")}, {0, 1}, "ranks")
expect_equal({call["args"]["datatype"] for call in calls("MPI_File_write_at")}, {"MPI_BYTE"}, "datatypes")
