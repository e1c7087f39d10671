from lib import *

BYTES = 4000
for name, read, written in (
    ("MPI_File_iwrite_at", 0, 4),
    ("MPI_File_iread_at", 2, 0),
    ("MPI_File_iwrite_at_all", 0, 2),
    ("MPI_File_write_at_all_begin", 0, 0),
    ("MPI_File_write_at_all_end", 0, 2),
):
    row = function(name)
    expect_equal((row["bytes_read"], row["bytes_written"]), (read * BYTES, written * BYTES), f"bytes of {name}")
for name, read, written in (("requests", 2, 6), ("halves", 0, 2), ("aio-0", 0, 1), ("aio-1", 0, 1)):
    row = file("work/" + name)
    expect_equal((row["bytes_read"], row["bytes_written"]), (read * BYTES, written * BYTES), f"bytes of the file {name}")
expect(all(call["bytes"] is None for call in calls("MPI_File_write_at_all_begin")), "the begin of a split call knows no bytes")
expect(all(call["bytes"] == BYTES for call in calls("MPI_File_iread_at", "MPI_File_write_at_all_end")), "bytes of single calls")
expect_equal([call["bytes"] for call in outermost(calls("aio_write"))], [BYTES] * 2, "bytes of aio_write") # Open MPI uses it, too
