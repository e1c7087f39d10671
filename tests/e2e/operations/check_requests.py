import json
import os

from lib import *

listed = fathom("dump", "--operations", "--layer", "pnetcdf", "--json", os.environ["TRACE"]).splitlines()
# Numbers of elements of four bytes: by which call, and how many of them were moved.
expected = {1: ("ncmpi_wait_all", 1), 2: ("ncmpi_wait_all", 2), 3: ("ncmpi_wait_all", 3), 4: ("ncmpi_wait_all", 4), 5: ("ncmpi_wait_all", 5),
            6: ("ncmpi_cancel", 0), 7: ("ncmpi_wait_all", 7), 8: ("ncmpi_wait_all", 8), 9: ("ncmpi_cancel", 0)}
by_id = {call["id"]: call for call in dump()}
for rank in 0, 1:
    mine = [each for each in map(json.loads, listed) if each["rank"] == rank]
    found = {each["asked"] // 4: (each["completed_by"], each["bytes"] // 4) for each in mine}
    expect_equal(found, expected, f"rank {rank}: requests")
    for each in mine:
        cancelled = each["completed_by"] == "ncmpi_cancel"
        expect_equal(each["how"], "cancelled" if cancelled else "complete", f"rank {rank}: {each['asked']}")
        expect_equal(by_id[each["completion"]]["file"], each["file"], f"rank {rank}: the file of {each['asked']}")
    reads = next(each for each in mine if each["asked"] == 32)
    writes = next(each for each in mine if each["asked"] == 28)
    expect(reads["end"] < writes["end"], f"rank {rank}: NC_GET_REQ_ALL comes before NC_PUT_REQ_ALL")
