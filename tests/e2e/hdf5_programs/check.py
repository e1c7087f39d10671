"""The layers of programs with HDF5."""
import collections
import sys

from lib import *

by_id = {call["id"]: call for call in dump()}


def chain(call):
    """The functions from this call outwards."""
    names = []
    while call:
        names.append(call["func"])
        call = by_id.get(call["parent"])
    return tuple(names)


def written_below(function):
    return [call for call in dump() if call["kind"] == "write" and call["layer"] == "posix" and function in chain(call)]


def serial():
    writes = calls("H5Dwrite")
    expect_equal(len(writes), 3 * 40 + 1, "calls of H5Dwrite")
    expect_equal([call["bytes"] for call in writes[:-1]], [80] * 120, "bytes of H5Dwrite")
    expect_equal(writes[-1]["errno"], -1, "the write with a closed dataspace")
    expect_equal(collections.Counter(call["object"] for call in writes[:-1]),
                 {f"/group/step{i}": 40 for i in range(3)}, "datasets")
    expect(all(call["file"].endswith("/out.h5") for call in writes), "the file of H5Dwrite")
    expect(all(call["args"]["mem_type_id"] == "H5T_NATIVE_DOUBLE" for call in writes), "the type in memory")
    rows = [call["args"]["start"] for call in calls("H5Sselect_hyperslab")]
    expect_equal(rows, [[i, 0] for i in range(40)] * 3 + [None], "rows")
    expect_equal([call["bytes"] for call in calls("H5Dread")], [3200], "bytes of H5Dread")
    expect_equal([call["bytes"] for call in calls("H5Awrite")], [4], "bytes of H5Awrite")
    (opened,) = calls("H5Dopen2")
    expect_equal((opened["object"], opened["args"]["name"]), ("/group", "step1"), "a group that was closed once of twice")
    inside = [call for call in calls("H5Oopen") if "H5Literate" in chain(call)]
    expect_equal(len(inside), 3, "calls of the callback")
    expect_equal(len(calls("H5LTfind_dataset")), 1, "calls of the high-level library")
    expect(any("H5LTfind_dataset" in chain(call) for call in dump() if call["layer"] == "hdf5" and call["depth"]),
           "what the high-level library calls")
    expect(not [call for call in dump() if call["func"] in ("H5open", "H5check_version")], "what macros call")
    posix = sum(call["bytes"] for call in dump() if call["layer"] == "posix" and call["kind"] == "write"
                and call["file"] and call["file"].endswith("/out.h5"))
    expect_equal(file("out.h5")["bytes_written"], posix, "bytes of the file")
    expect_equal((file("out.h5")["opens"], file("nothere.h5")["opens"]), (1, 0), "opens")


def parallel():
    writes = calls("H5Dwrite")
    expect_equal([call["bytes"] for call in writes], [8 * 1000 * 4] * 20, "bytes of H5Dwrite")
    expect_equal({call["object"] for call in writes}, {"/data"}, "datasets")
    below = written_below("H5Dwrite")
    expect(below, "writes below H5Dwrite")
    for call in below:
        names = chain(call)
        expect("MPI_File_write_at_all" in names[1:-1] and names[-1] == "H5Dwrite", f"the chain {names}")
    moved = sum(call["bytes"] for call in below)
    expect_equal(moved, 20 * 8 * 1000 * 4, "bytes written below H5Dwrite")
    comms = {call["args"]["comm"] for call in calls("H5Pset_fapl_mpio")}
    expect_equal(comms, {"MPI_COMM_WORLD"}, "communicators")


def h5py():
    expect_equal(sum(call["bytes"] for call in calls("H5Dwrite") if call["object"] == "/a/b/x"), 100 * 100 * 8, "bytes written")
    expect(file("out.h5")["opens"] >= 2, "opens")
    expect(not info()["blind_spots"], "blind spots")


globals()[sys.argv[1]]()
