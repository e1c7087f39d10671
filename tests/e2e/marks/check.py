"""regions.c: which region each write is in, by the bytes that it writes."""

from lib import *

names = {call["id"]: call["args"]["name"] for call in calls("mark_region")}
parents = {call["id"]: call["parent"] for call in dump()}


def around(call):
    """The names of the regions around a call, the innermost first."""
    found, parent = [], call["parent"]
    while parent:
        if parent in names:
            found.append(names[parent])
        parent = parents[parent]
    return found


writes = {call["args"]["count"]: around(call) for call in calls("pwrite")}
expect_equal(
    writes,
    {
        1: ["solve"],
        2: ["inner", "solve"],
        3: ["thread", "inner", "solve"],
        4: ["left"],
        5: [],
        6: ["here"],
        7: ["here"],
        8: ["around", "around"],
        9: [],
        10: ["open at the end"],
    },
    "regions around writes",
)
expect_equal([around(call) for call in calls("mark_counter")], [["inner", "solve"]], "the counter's regions")
expect_equal(calls("mark_counter")[0]["args"], {"name": "residual", "value": -17}, "the counter")
deep = [call for call in calls("mark_region") if call["args"]["name"] == "deep"]
expect_equal((len(deep), max(call["depth"] for call in deep)), (64, 63), "regions inside regions")
expect_equal(sum(1 for name in names.values() if len(name) == 100), 1, "a long name")
inner, solve = (next(call for call in calls("mark_region") if call["args"]["name"] == name) for name in ("inner", "solve"))
expect(solve["start"] <= inner["start"] and inner["end"] <= solve["end"], "inner is inside of solve")
expect_equal(function("mark_region")["layer"], "application", "layer")
