"""What is above the writes of the system, and how many bytes they moved: check.py NAME BYTES-BY-STRACE."""
import sys

from lib import *

name, counted = sys.argv[1], int(sys.argv[2])
by_id = {call["id"]: call for call in dump()}
PART = 128 * 1024 * 8  # of a turn of all ranks
TURNS = 4


def chain(call):
    """The calls from this one outwards."""
    found = []
    while call:
        found.append(call)
        call = by_id.get(call["parent"])
    return found


def is_data(call):
    return call["kind"] == "write" and call["layer"] == "posix" and (call["file"] or "").endswith("/out.h5")


writes = [call for call in dump() if is_data(call)]
asynchronous = {call["func"] for call in writes} & {"aio_write", "lio_listio"}
expect_equal(bool(asynchronous), name == "aio", f"{name}: {asynchronous}")
below = 0
for call in writes:
    above = chain(call)[1:]
    functions = [each["func"] for each in above]
    expect(functions[-1].startswith("H5"), f"{name}: {call['func']} below {functions}")
    expect(any(each.startswith("MPI_File_write_at") for each in functions), f"{name}: {call['func']} below {functions}")
    if functions[-1] == "H5Dwrite":
        below += call["bytes"]
        expect_equal(above[-1]["object"], "/data", f"{name}: the dataset")
expect_equal(below, TURNS * PART, f"{name}: bytes below H5Dwrite")

# An operation of aio has moved what aio_return says.
returned = sum(call["ret"] for call in calls("aio_return"))
expect_equal(sum(call["bytes"] for call in writes if call["func"] in asynchronous), returned, f"{name}: bytes of aio")
expect_equal(file("out.h5")["bytes_written"], counted, f"{name}: bytes by strace")
