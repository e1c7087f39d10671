import collections
import json
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
taken_back = int(open("said").read())
cancels = [end for end in ends["aio_write"] if end[2] == "cancelled"]
expect_equal(len(cancels), taken_back, "writes that aio_cancel took back")
expect({end[3] for end in cancels} <= {0}, f"bytes of them: {cancels}")
ends["aio_write"] = [end for end in ends["aio_write"] if end[4] == 3000]
expect_equal(ends["aio_write"], [("aio_return", False, COMPLETE, 3000, 3000)], "aio_write")
expect_equal(ends["aio_read"], [("aio_return", False, COMPLETE, 2000, 4096)], "aio_read that is asked for")
lists = [(COMPLETE, bytes, asked) for bytes, asked in ((700, 700), (300, 300), (600, 600), (300, 601))]
expect_equal([end[2:] for end in ends["lio_listio"]], lists, "control blocks of lio_listio")

# The same as operations, each with those in flight at the end.
operations = [json.loads(line) for line in fathom("dump", "--operations", "--json", os.environ["TRACE"]).splitlines()]
outer = [each for each in operations if each["proc"] in own and by_id[each["begin"]]["depth"] == 0]
ended = [each for each in outer if each["completion"] is not None and each["how"] != "in flight"]
expect_equal(len(ended), sum(map(len, ends.values())) + len(cancels) + sum(1 for each in outer if each["func"] == "aio_write" and each["asked"] > 3000)
             + sum(1 for each in outer if each["func"] == "aio_write" and each["asked"] < 3000 and each["how"] == COMPLETE), "operations that ended")
for each in ended:
    expect(each["start"] <= each["issued"] <= by_id[each["completion"]]["end"] == each["end"], f"times of {each}")
    expect_equal(by_id[each["completion"]]["func"], each["completed_by"], "what completed it")
left = [each for each in outer if each["how"] == "in flight"]
expect_equal([(each["func"], each["asked"], each["completion"]) for each in left], [("aio_read", 4096, None)], "operations that nobody asked for")
expect(sum(each["tests"] for each in outer) > 0 or all(each["tests"] == 0 for each in outer), "tests")
lines = fathom("dump", "--operations", os.environ["TRACE"]).splitlines()
expect_equal(len(lines), len(operations), "lines of operations")
