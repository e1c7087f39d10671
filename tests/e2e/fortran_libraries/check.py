"""Every call of the program is there under C's name, marked as one from Fortran; what is below is not marked."""

import sys

from lib import *

library = sys.argv[1]
layers = ("hdf5", "hdf5_hl") if library == "hdf5" else ("netcdf",)
outer = [call for call in outermost(dump()) if call["layer"] in layers]
names = [call["func"] for call in outer if call["language"] == "Fortran"]

if library == "netcdf":
    expected = ["nc_create", "nc_def_dim", "nc_def_dim", "nc_def_var", "nc_put_att_text", "nc_enddef", "nc_put_vara_double", "nc_get_vara_double",
                "nc_inq_varid", "nc_close"]
    put, get = calls("nc_put_vara_double")[0], calls("nc_get_vara_double")[0]
    expect_equal([put["bytes"], get["bytes"], get["args"]["startp"], get["args"]["countp"]], [96, 32, [2, 0], [1, 4]], "in the order of C")
    missed = [call for call in calls("nc_inq_varid") if call["errno"]]
    expect_equal([(call["errno"], call["error"]) for call in missed], [(-49, "NC_ENOTVAR")], "the error has its name")
else:
    expected = ["H5Fcreate", "H5Screate_simple", "H5Dcreate2", "H5Dwrite", "H5Dclose", "H5Sclose", "H5LTread_dataset", "H5Fclose"]
    expect_equal(calls("H5Dwrite")[0]["bytes"], 48, "bytes of the dataset")

for name in expected:
    expect(name in names, f"{name} from Fortran: {names}")
expect_equal([call["func"] for call in outer if call["language"] != "Fortran"], [], "not from Fortran")
expect_equal([call["func"] for call in dump() if call["parent"] is not None and call["language"] == "Fortran"], [], "from Fortran, inside of others")
