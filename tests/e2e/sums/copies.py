"""What copies.c read is what it wrote, and both files of a copy have the bytes; in all commands."""

import json
import os

from lib import *

PARTS = {"copy_file_range": 300, "sendfile": 37, "splice": 22}
ALL = sum(PARTS.values())


def check(result):
    rows = {row["func"]: row for row in result["functions"]}
    for name, bytes in PARTS.items():
        expect_equal((rows[name]["bytes_read"], rows[name]["bytes_written"]), (bytes, bytes), name)
    files = {os.path.basename(row["path"]): (row["bytes_read"], row["bytes_written"]) for row in result["files"]}
    expect_equal(files["from"], (348, 0), "from")
    expect_equal(files["range"], (0, 307), "range")
    expect_equal(files["sent"], (0, 30), "sent")
    expect_equal(files["spliced"], (0, 11), "spliced")
    total = result["total"]
    expect_equal((total["bytes_read"], total["bytes_written"]), (ALL, ALL), "total")


check(stats())
check(json.loads(fathom("stats", "--json", "--where", 'kind != "open"', os.environ["TRACE"])))  # call by call
