"""What the calls of netcdf.c and pnetcdf.c select, by hand: check_netcdf.py netcdf | pnetcdf."""
import json
import os
import sys

from lib import *


def slab(start, count, stride=None):
    ones = [1] * len(start)
    return {"start": start, "stride": stride or ones, "count": count, "block": ones}


def with_ranges(layer):
    lines = fathom("dump", "--ranges", "--layer", layer, "--json", os.environ["TRACE"]).splitlines()
    return [call for call in map(json.loads, lines) if call["kind"] in ("read", "write")]


def selected(call):
    return [(each["variable"], each["file"]["form"], each["file"]["elements"], each["file"].get("slabs"))
            for each in call["selected"]]



def netcdf():
    return [[(0, "slabs", 1, [slab([1, 2], [1, 1])])], [(0, "slabs", 12, [slab([1, 2], [3, 4])])],
            [(0, "slabs", 8, [slab([1, 2], [2, 4], [2, 1])])], [(0, "slabs", 8, [slab([1, 2], [2, 4], [2, 1])])],
            [(0, "all", None, None)], [(1, "all", 1, None)], [(2, "slabs", 2, [slab([5], [2])])], [(2, "none", 0, None)]]


def pnetcdf(rank):
    first, second = slab([3 * rank, 2], [2, 2]), slab([3 * rank + 2, 0], [1, 8])
    points = slab([3 * rank, 2], [1, 1]), slab([3 * rank + 2, 0], [1, 1])
    return [[(0, "slabs", 12, [slab([3 * rank, 2], [3, 4])])], [(0, "slabs", 4, [slab([3 * rank, 2], [2, 2], [2, 3])])],
            [(0, "slabs", 1, [points[0]])], [(0, "slabs", 12, [first, second])], [(0, "slabs", 2, list(points))],
            [(0, "slabs", 4, [first]), (1, "slabs", 8, [second])], [(0, "slabs", 12, [first, second])], [(0, "all", None, None)]]


if sys.argv[1] == "netcdf":
    expect_equal([selected(call) for call in with_ranges("netcdf")], netcdf(), "NetCDF")
else:
    for rank in 0, 1:
        found = [selected(call) for call in with_ranges("pnetcdf") if call["rank"] == rank]
        expect_equal(found, pnetcdf(rank), f"PnetCDF, rank {rank}")
