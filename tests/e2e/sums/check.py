"""Adds the calls of the dump up by function, layer, file and rank, by the rules in the manual page of stats, and compares."""

from collections import Counter, defaultdict
import json
import os

from lib import *

MOVED = {"read": "bytes_read", "write": "bytes_written"}
resolution = info()["resolution"]


def is_inside(call, test):
    """Was it made inside a call for which the test holds?"""
    while call["parent"] is not None:
        call = by_id[call["parent"]]
        if test(call):
            return True
    return False


def is_about_a_file(call):
    """MPI_Wait is, too: what the library does there to files, the call that made the request has accounted for."""
    return call["file"] is not None or (call["layer"] == "mpi" and call["kind"] in ("wait", "test"))


def add_time(sums, call):
    sums["time"] += call["end"] - call["start"]


COPIES = ("copy_file_range", "sendfile", "splice", "tee")


def add_bytes(sums, call):
    if call["func"] in COPIES:
        sums.update(dict.fromkeys(MOVED.values(), call["bytes"] or 0))
    else:
        add_bytes_of_file(sums, call)


def add_bytes_of_file(sums, call, other=False):
    """`other`: of the second file of a copy, to which the contrary happens."""
    if call["kind"] in MOVED:
        kind = {"read": "write", "write": "read"}[call["kind"]] if other else call["kind"]
        sums[MOVED[kind]] += call["bytes"] or 0


def compare(what, row, sums):
    for column in ("calls", "bytes_read", "bytes_written"):
        expect_equal(row[column], sums[column], f"{column} of {what}")
    # Times are kept at the trace's resolution: at most two steps off for each call.
    allowed = 1e-9 * row["calls"] + 2 * row["calls"] * resolution
    expect(abs(row["time"] - sums["time"]) <= allowed, f"time of {what}: {row['time']} and {sums['time']}")


functions, layers, files, ranks = (defaultdict(Counter) for _ in range(4))
by_id = {call["id"]: call for call in dump()}
with_ranges = [json.loads(line) for line in fathom("dump", "--json", "--ranges", os.environ["TRACE"]).splitlines()]
second_files = {call["id"]: call["second_file"] for call in with_ranges if call.get("second_file") and call["bytes"]}
lengths = defaultdict(list)
for call in dump():
    lengths[call["layer"], call["func"]].append(call["end"] - call["start"])
    function, layer = functions[call["layer"], call["func"]], layers[call["layer"]]
    file = files[call["file"]]  # None: about no file, which is in no table
    rank = ranks[call["proc"] if call["rank"] is None else (call["world"], call["rank"])]
    for sums in (function, layer, file, rank):
        sums["calls"] += 1
    add_time(function, call)
    add_bytes(function, call)
    if not is_inside(call, lambda outer: outer["layer"] == call["layer"]):
        add_time(layer, call)
        add_bytes(layer, call)
    if not is_inside(call, is_about_a_file):
        add_time(file, call)
        add_time(rank, call)
    # What fwrite puts into a buffer has not reached the file; stdio_write, inside any call, brings it there.
    if call["layer"] != "stdio" and not is_inside(call, lambda outer: is_about_a_file(outer) and outer["layer"] != "stdio"):
        add_bytes_of_file(file, call)
        add_bytes(rank, call)
        if call["id"] in second_files:
            second = files[second_files[call["id"]]]
            second["calls"] += 1
            add_bytes_of_file(second, call, other=True)
            if not is_inside(call, is_about_a_file):
                add_time(second, call)

expect_equal(len(stats()["functions"]), len(functions), "functions")
for row in stats()["functions"]:
    compare(row["func"], row, functions[row["layer"], row["func"]])
    took = lengths[row["layer"], row["func"]]
    for column, expected in ("shortest", min(took)), ("longest", max(took)):
        expect(abs(row[column] - expected) <= 1e-9 + resolution, f"{column} of {row['func']}: {row[column]} and {expected}")
expect_equal(len(stats()["layers"]), len(layers), "layers")
for row in stats()["layers"]:
    compare(row["layer"], row, layers[row["layer"]])
expect_equal({row["path"] for row in stats()["files"]}, files.keys() - {None}, "files")
for row in stats()["files"]:
    compare(row["path"], row, files[row["path"]])
for row in stats()["ranks"]:
    who = row["proc"] if row["rank"] is None else (row["world"], row["rank"])
    compare(f"rank {row['rank']}, process {row['proc']}", row, ranks[who])
in_info = sum(process["calls"] for process in info()["processes"] if not process["launcher"])
expect_equal(in_info, len(by_id), "calls in info")
