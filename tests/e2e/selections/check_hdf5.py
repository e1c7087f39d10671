"""What each H5Dwrite selects is what the program says: a line of it for each."""
import itertools
import json
import math
import os

from lib import *


def with_ranges():
    return [json.loads(line) for line in fathom("dump", "--ranges", "--json", os.environ["TRACE"]).splitlines()]


def places(selected):
    """The elements, each as one number: its place in the array; in their order, if they are points."""
    extent = selected["extent"]
    if selected["form"] == "all":
        return list(range(math.prod(extent)))
    found = [tuple(point) for point in selected.get("points", [])]
    for slab in selected.get("slabs", []):
        each = [[start + i * stride + k for i in range(count) for k in range(block)]
                for start, stride, count, block in zip(slab["start"], slab["stride"], slab["count"], slab["block"])]
        found += itertools.product(*each)
    return [sum(at * math.prod(extent[d + 1:]) for d, at in enumerate(point)) for point in found]


lines = [json.loads(line) for line in open("said")]
writes = [call for call in with_ranges() if call["func"] == "H5Dwrite"]
expect_equal(len(writes), len(lines), "transfers")
for call, said in zip(writes, lines):
    selected, = call["selected"]
    expect_equal(selected["object"], call["object"], "the dataset")
    if selected["file"]["form"] == "unknown":
        expect_equal(selected["file"]["unknown"], "the library selects something else", f"{call['id']}: why")
        continue
    expect_equal(selected["file"]["extent"], said["extent"], f"{call['id']}: the extent")
    for side in "file", "memory":
        mine = places(selected[side])
        if selected[side]["form"] != "points":
            mine.sort()
        expect_equal(mine, said[side], f"{call['id']}: {side}")
        expect_equal(selected[side]["elements"], len(said[side]), f"{call['id']}: elements in {side}")
expect(len(lines) > 1600, "transfers were there")
