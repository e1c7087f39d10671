"""killed.py COUNTS: sums of a killed `counts` are what it has counted, to the call: only the last one of each kind may not have been counted yet."""

import struct
import sys
from lib import *

done = struct.unpack("<4Q", open(sys.argv[1], "rb").read(32))
counted = file("counted")
others = [row for row in stats()["files"] if "/other." in row["path"]]
opened = sum(row["opens"] for row in others)
for name, found, expected, most in (
    ("calls", function("pwrite")["calls"], done[0], 1),
    ("bytes", function("pwrite")["bytes_written"], done[1], 256),
    ("opens", opened, done[2], 1),
    ("writes to others", function("write")["calls"], done[3], 1),
):
    expect(0 <= found - expected <= most, f"{name}: {found}, but {expected} were counted")
expect_equal(counted["bytes_written"], function("pwrite")["bytes_written"], "bytes of the file")
expect_equal(sum(row["bytes_written"] for row in others), 5 * function("write")["calls"], "bytes of other files")
