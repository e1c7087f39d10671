"""Calls from Fortran are those of C that they come to, once each."""

from lib import *

for rank in (0, 1):
    mine = [call for call in dump() if call["rank"] == rank and call["layer"] == "pnetcdf" and call["parent"] is None]
    names = [call["func"] for call in mine if not call["func"].startswith("ncmpi_inq")]
    expect_equal(names, ["ncmpi_create", "ncmpi_def_dim", "ncmpi_def_dim", "ncmpi_def_var", "ncmpi_def_var", "ncmpi_enddef",
                         "ncmpi_put_vara_double_all", "ncmpi_iput_vara_int", "ncmpi_wait_all", "ncmpi_get_vara_double_all", "ncmpi_close"], "calls")
    expect_equal({call["language"] for call in mine}, {"Fortran"}, "the language")
    put, iput = [call for call in mine if call["func"] in ("ncmpi_put_vara_double_all", "ncmpi_iput_vara_int")]
    expect_equal([put["args"]["start"], put["args"]["count"], put["bytes"]], [[rank, 0], [1, 64], 512], "in the order of C")
    wait = [call for call in mine if call["func"] == "ncmpi_wait_all"][0]
    expect_equal(wait["args"]["array_of_requests"], [iput["args"]["req"]], "the request")
