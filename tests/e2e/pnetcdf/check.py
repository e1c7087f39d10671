"""What the trace of `pnc` must hold on each rank."""

import sys

from lib import *

ROW, ROWS = 256 * 4, 3
ranks = int(sys.argv[1])
expect_equal(sum(process["lost"] for process in info()["processes"] if process["rank"] is not None), 0, "lost calls of ranks")
by_id = {call["id"]: call for call in dump()}


def top(call):
    while call["parent"] is not None:
        call = by_id[call["parent"]]
    return call


for rank in range(ranks):
    mine = [call for call in dump() if call["rank"] == rank]

    def of(*functions):
        return [call for call in mine if call["func"] in functions]

    def inside(call, *functions):
        return [other for other in of(*functions) if top(other) is call]

    puts = of("ncmpi_iput_vara_int")
    expect_equal([call["bytes"] for call in puts], [ROW] * 5, "bytes of requests")
    expect_equal([call["args"]["start"] for call in puts[:3]], [[rank * ROWS + i, 0] for i in range(ROWS)], "starts")
    expect_equal([call["args"]["req"] for call in puts], [0, 1, 2, 0, None], "requests")
    expect(all(not inside(call, "MPI_File_write_at", "MPI_File_write_at_all") for call in puts), "no I/O in iput")
    first, everything, read = of("ncmpi_wait_all")
    expect_equal(first["args"]["array_of_requests"], [0, 1, 2], "what is waited for")
    expect_equal(first["args"]["array_of_statuses"], [0, 0, 0], "statuses")
    expect_equal([everything["args"]["count"], everything["args"]["array_of_requests"]], [-1, None], "NC_REQ_ALL")
    expect_equal(sum(call["bytes"] for call in inside(first, "MPI_File_write_at", "MPI_File_write_at_all")), ROWS * ROW, "I/O in wait_all")
    expect_equal(sum(call["bytes"] for call in inside(read, "MPI_File_read_at", "MPI_File_read_at_all")), ROWS * ROW, "reads in wait_all")
    expect_equal(of("ncmpi_cancel")[0]["args"]["reqs"], [0], "the request given up")

    whole = of("ncmpi_put_vara_double_all", "ncmpi_put_vara_all")
    expect_equal([call["bytes"] for call in whole], [ROWS * 256 * 8] * 2, "bytes of blocks")
    for call in whole:
        expect_equal([write["bytes"] for write in inside(call, "MPI_File_write_at_all")], [ROWS * 256 * 8], "MPI-IO below")
    expect_equal([call["bytes"] for call in of("ncmpi_put_varn_short_all")], [40], "bytes of a list of blocks")
    expect_equal(of("ncmpi_create")[0]["args"]["comm"], "MPI_COMM_WORLD", "communicator")
    closes = of("ncmpi_close")
    expect_equal([call["errno"] for call in closes], [None, None] + ([-33] if rank == 0 else []), "NC_EBADID")
    expect(all(call["file"].endswith("/data.nc") for call in puts + whole), "files")

below = [call for call in dump() if call["layer"] == "posix" and call["kind"] == "write" and (call["file"] or "").endswith("/data.nc")]
expect(all(top(call)["layer"] == "pnetcdf" for call in below), "all writes are inside of PnetCDF's calls")
expect_equal({call["language"] for call in dump() if call["layer"] == "pnetcdf"}, {"C"}, "the language")
