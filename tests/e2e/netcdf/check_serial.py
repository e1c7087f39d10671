"""What the trace of `serial` must hold: every call with its bytes and lists, the calls below it, and no call that only our questions caused."""

import sys

from lib import *

POINTS, STEPS = 6, 4
netcdf4 = sys.argv[1] == "netcdf4"
of_library = [call for call in dump() if call["layer"] == "netcdf"]
expect(all(call["parent"] is None for call in of_library), "NetCDF does not call itself")
expect_equal(sum(process["lost"] for process in info()["processes"]), 0, "lost calls")

writes = calls("nc_put_vara_double")
expect_equal([call["args"]["startp"] for call in writes], [[step, 0] for step in range(STEPS)], "starts")
expect(all(call["args"]["countp"] == [1, POINTS] and call["bytes"] == 8 * POINTS for call in writes), "counts and bytes")
reads = calls("nc_get_var1_double")
expect_equal([call["bytes"] for call in reads[:STEPS]], [8] * STEPS, "bytes of elements")
expect_equal(reads[STEPS]["errno"], -49, "NC_ENOTVAR")
expect_equal([call["errno"] for call in calls("nc_close")], [None, None, -33], "NC_EBADID")
expect(all(call["file"].endswith("/data.nc") for call in of_library if "ncid" in call["args"] and call["errno"] is None), "files")
expect_equal([call["args"]["ncid"] for call in calls("nc_close")], [0, 0, None], "slots")

below = {call["id"]: call for call in dump()}


def top(call):
    while call["parent"] is not None:
        call = below[call["parent"]]
    return call


moved = [call for call in dump() if call["layer"] in ("posix", "stdio") and call["bytes"] and call["file"].endswith("/data.nc")]
expect(moved and all(top(call)["layer"] == "netcdf" for call in moved), "all I/O is inside of NetCDF's calls")
if netcdf4:
    expect_equal([call["bytes"] for call in calls("nc_put_var_short")], [2 * POINTS], "a whole variable")
    strided = calls("nc_get_vars_short")[0]
    expect_equal([strided["args"][name] for name in ("startp", "countp", "stridep")], [[1], [2], [3]], "strides")
    group = calls("nc_inq_grp_ncid")[0]["args"]["grp_ncid"]
    expect_equal(calls("nc_put_var_short")[0]["args"]["ncid"], group, "the group's slot")
    for write in writes:
        children = [call for call in calls("H5Dwrite") if call["parent"] == write["id"]]
        expect_equal([call["bytes"] for call in children], [8 * POINTS], "H5Dwrite in nc_put_vara_double")
    expect({call["func"] for call in moved} & {"pwrite", "pwrite64"}, "pwrite")
