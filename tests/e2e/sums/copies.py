"""What copies.c read is what it wrote, and both files of a copy have the bytes, the call and its time; in all commands."""

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
    # And openings, where they are counted; what was to be copied in vain is of one file.
    calls = {os.path.basename(row["path"]): row["calls"] - row["opens"] for row in result["files"]}
    expect_equal((calls["from"], calls["range"], calls["sent"], calls["spliced"]), (8, 4, 1, 1), "calls of files")
    times = {os.path.basename(row["path"]): row["time"] for row in result["files"]}
    expect(all(times[name] > 0 for name in ("range", "sent", "spliced")), f"times of files: {times}")
    total = result["total"]
    expect_equal((total["bytes_read"], total["bytes_written"]), (ALL, ALL), "total")


check(stats())
check(json.loads(fathom("stats", "--json", "--where", 'kind != "open"', os.environ["TRACE"])))  # call by call

tables = json.loads(fathom("report", "--json", os.environ["TRACE"]))["tables"]
layers = [row for row in tables["rates"]["rows"] if row["of"] == "layer" and row["name"] == "posix"]
expect_equal([(row["bytes_read"], row["bytes_written"]) for row in layers], [(ALL, ALL)], "the layer in the report")
expect_equal([(row["bytes_read"], row["bytes_written"]) for row in tables["programs"]["rows"]], [(ALL, ALL)], "the program")
calls = {os.path.basename(row["name"]): row["calls"] for row in tables["file_rates"]["rows"]}
expect_equal(calls, {"from": 8, "range": 4, "sent": 1, "spliced": 1}, "calls of files in the report")
files = {os.path.basename(row["name"]): (row["bytes_read"], row["bytes_written"]) for row in tables["file_rates"]["rows"]}
expect_equal(files, {"from": (348, 0), "range": (0, 307), "sent": (0, 30), "spliced": (0, 11)}, "files in the report")
uses = {row["use"]: row["files"] for row in tables["file_uses"]["rows"]}
expect_equal(uses, {"only read": 1, "only written": 3}, "uses of files")
