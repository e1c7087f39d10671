import collections
import os

from lib import *

own = [process["proc"] for process in processes("operations_" + os.environ["MPI"])]
ends = collections.defaultdict(list)
by_id = {call["id"]: call for call in dump()}
for call in dump():
    for end in call.get("ends", []):
        begin = by_id[end["begin"]]
        if begin["proc"] in own and begin["depth"] == 0:
            expect(begin["start"] <= call["end"], f"{begin} ends before it begins")
            ends[begin["func"]].append((call["func"], call["thread"] != begin["thread"], end["how"], end["bytes"], end["asked"]))

COMPLETE = "complete"
writes = sorted(ends["MPI_File_iwrite_at"])
expect(("MPI_Wait", False, COMPLETE, 1000, 1000) in writes, f"the first write: {writes}")
four = [end for end in writes if end[4] <= 100]
expect_equal(sorted(end[3] for end in four), [97, 98, 99, 100], "bytes of four writes")
expect_equal([end[3] for end in four], [end[4] for end in four], "bytes moved by four writes")
expect_equal(sum(end[0] == "MPI_Waitany" for end in four), 1, "writes that MPI_Waitany found")
expect("MPI_Waitsome" in {end[0] for end in four}, f"MPI_Waitsome found none: {four}")
tested, waited = sorted(ends["MPI_File_iread_at"])
expect_equal(tested, ("MPI_Test", False, COMPLETE, 64, 64), "the read that was tested")
expect_equal(waited[:3], ("MPI_Wait", True, COMPLETE), "the read that another thread waited for")
expect(waited[3] in (600, 4000), f"bytes of a read that comes to the end of the file: {waited}") # ROMIO says 4000
expect_equal(ends["MPI_File_write_at_all_begin"], [("MPI_File_write_at_all_end", False, COMPLETE, 128, 128)], "the split write")
expect_equal(ends["aio_write"], [("aio_return", False, COMPLETE, 3000, 3000)], "aio_write")
expect_equal(ends["aio_read"], [("aio_return", False, COMPLETE, 2000, 4096)], "aio_read that is asked for")
