"""The names of the functions around each write, the innermost first, by the bytes that it writes."""

import sys

from lib import *

names = {call["id"]: call["args"]["name"] for call in calls("mark_region")}
parents = {call["id"]: call["parent"] for call in dump()}


def around(call):
    found, parent = [], call["parent"]
    while parent:
        found += [names[parent]] if parent in names else []
        parent = parents[parent]
    return found


found = {}
for call in calls("pwrite", "pwrite64"):
    found.setdefault(call["args"]["count"], []).append(around(call))

if sys.argv[1] == "grid":
    expected = {
        1: ["io::Grid::Grid"],
        2: ["io::Grid::~Grid"],
        3: ["io::Grid::save"],
        4: ["io::Grid::operator[]"],
        5: ["(anonymous)::hidden"],
        9: [],
        10: ["main::lambda::operator()"],
    }
    for bytes, functions in expected.items():
        expect_equal([name for name in found[bytes][0] if name not in ("touch", "main")], functions, f"around the write of {bytes}")
        expect(found[bytes][0][0] == "touch" and found[bytes][0][-1] == "main", f"touch and main around {bytes}")
    expect_equal([len(functions) for functions in found[6]], [3, 4, 5], "fails calls itself")
    expect_equal(len(found[7]), 1, "a write deep inside is recorded")
    expect("recurse" in found[7][0] and found[7][0][-1] == "main", "what is around it")
    for functions in found[8]:
        expect_equal((functions[:2], functions[-1]), (["touch", "work"], "main"), "functions of a thread that main has started")
if sys.argv[1] == "jumps":
    expected = {
        1: [["jumper", "jumper", "jumper", "main"], ["jumper"] * 47 + ["main"]],
        2: [["handler", "main"]],
        3: [["child"]],
        4: [["last", "main"]],
        5: [["main"]],
        6: [["main"]],
        7: [["loaded", "main"]],
    }
    expect_equal(found, expected, "functions around writes")
