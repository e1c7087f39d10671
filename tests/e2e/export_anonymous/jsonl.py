"""Calls of an anonymous export (the second argument) are those of the first one: what is no name is the same."""
import json
import re
import sys

sys.path.insert(0, __import__("os").environ["SOURCE"] + "/tests/e2e")
from lib import *

PART = re.compile(r"\.{1,2}|[a-z2-7]{12}(\.[a-z0-9]+)?|")


def calls(path):
    with open(path, "rb") as file:
        return [json.loads(line) for line in file]


plain, hidden, other = (calls(path) for path in sys.argv[1:4])
expect_equal(len(plain), len(hidden), "calls")
names, modes = {}, 0
for one, two, three in zip(plain, hidden, other):
    for key in one:
        if key not in ("file", "object", "source", "args", "ret"):
            expect_equal(one[key], two[key], key)
    if one["file"]:
        expect_equal(names.setdefault(one["file"], two["file"]), two["file"], "the pseudonym of a file")
        expect(all(PART.fullmatch(part) for part in two["file"].split("/")), two["file"])
        expect_equal(one["file"].count("/"), two["file"].count("/"), "the depth of a path")
        expect(two["file"] != three["file"] or not one["file"].strip("/"), f"{one['file']} with another key")
    for key, value in one["args"].items():
        if isinstance(value, str) and value.startswith("MPI_") or not isinstance(value, (str, list)):
            expect_equal(value, two["args"][key], f"{key} of {one['func']}")
        if key == "path" and one["file"] and one["file"].endswith("/" + value):
            expect(two["file"].endswith("/" + two["args"][key]), "a path as given, and as a whole")
        if key == "mode" and one["func"].startswith("fopen"):
            expect_equal(value, two["args"][key], "the mode of fopen")
            modes += 1
expect(modes, "no mode")
expect_equal(len(set(names.values())), len(names), "different files have different pseudonyms")
many = next(name for name in names if name.endswith("q0x9zmany.dat"))
expect(names[many].endswith(".dat"), "a well-known extension stays")
moved = [two["args"] for one, two in zip(plain, hidden) if one["func"] == "rename"]
expect(moved and not any("." in text for args in moved for text in args.values() if not text.endswith(".dat")), f"another extension: {moved}")
