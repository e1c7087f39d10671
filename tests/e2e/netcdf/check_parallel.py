"""The chains of `parallel` on two ranks: from NetCDF over HDF5 or PnetCDF and MPI-IO to the bytes that reach the file."""

import sys

from lib import *

BYTES = 8 * 512 * 4
CHAINS = {
    "netcdf4": ["nc_put_vara_int", "H5Dwrite", "MPI_File_write_at_all"],
    "cdf5": ["nc_put_vara_int", "ncmpi_put_vara_int_all", "MPI_File_write_at_all"],
}
chain = CHAINS[sys.argv[1]]
by_id = {call["id"]: call for call in dump()}
expect_equal(sum(process["lost"] for process in info()["processes"] if process["rank"] is not None), 0, "lost calls of ranks")

for rank in (0, 1):
    mine = [call for call in dump() if call["rank"] == rank]
    write = [call for call in mine if call["func"] == chain[0]][0]
    expect_equal(write["args"]["startp"], [8 * rank, 0], "where")
    for function in chain:
        found = [call for call in mine if call["func"] == function and (call is write or call["parent"] == write["id"])]
        expect_equal([call["bytes"] for call in found], [BYTES], f"{function} of rank {rank}")
        write = found[0]
    for call in mine:
        if call["layer"] in ("hdf5", "pnetcdf"):
            expect(call["parent"] is not None and by_id[call["parent"]]["layer"] in ("netcdf", "hdf5", "pnetcdf"), f"{call['func']} has a parent")
    opened = [call for call in mine if call["func"] in ("nc_create_par", "nc_open_par")]
    expect_equal([call["args"]["comm"] for call in opened], ["MPI_COMM_WORLD"] * 2, "communicators")

written = [call for call in dump() if call["layer"] == "posix" and call["kind"] == "write" and (call["file"] or "").endswith("/data.nc")]
expect(sum(call["bytes"] or 0 for call in written) >= 2 * BYTES, "the bytes reach the file")
