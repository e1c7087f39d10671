"""What --where selects is what the same question selects among all calls as JSON."""

import json
import os

from lib import dump, expect, expect_equal, fathom, stats

everything = dump()
trace = os.environ["TRACE"]


def ids(where):
    return [json.loads(line)["id"] for line in fathom("dump", "--json", "--where", where, trace).splitlines()]


def duration(call):
    return round((call["end"] - call["start"]) * 1e9)


CASES = {
    "layer == posix": lambda c: c["layer"] == "posix",
    "kind in (read, write) and bytes < 4K": lambda c: c["kind"] in ("read", "write") and c["bytes"] is not None and c["bytes"] < 4096,
    "bytes == 4096": lambda c: c["bytes"] == 4096,
    "not bytes >= 0": lambda c: c["bytes"] is None,
    "failed": lambda c: c["errno"] is not None,
    "error == ENOENT and file == missing": lambda c: c["error"] == "ENOENT" and (c["file"] or "").endswith("/missing"),
    "file ~ '*/in/a'": lambda c: (c["file"] or "").endswith("/in/a"),
    "file ~ [ab]": lambda c: (c["file"] or "").rsplit("/", 1)[-1] in ("a", "b"),
    "program == dd and proc > 0": lambda c: c["proc"] > 0 and c["func"] and programs[c["proc"]] == "dd",
    "duration > 20us": lambda c: duration(c) > 20000,
    "arg.fd == 1 and func == write": lambda c: c["func"] == "write" and c["args"]["fd"] == 1,
    "arg.whence == SEEK_CUR": lambda c: c["names"].get("whence") == "SEEK_CUR",
    "ret < 0": lambda c: isinstance(c["ret"], int) and c["ret"] < 0,
    "number % 2 == 1 and thread == 0": lambda c: int(c["id"].rsplit(".", 1)[1]) % 2 == 1,
    "depth == 0 or depth > 0": lambda c: True,
}
programs = {p["proc"]: os.path.basename(p["exe"]) for p in json.loads(fathom("info", "--json", trace))["processes"]}
for where, wanted in CASES.items():
    found = [call["id"] for call in everything if wanted(call)]
    expect(found or where.startswith("arg.whence"), f"no call to look for: {where}")
    expect_equal(ids(where), found, where)

# The second write of `a` begins at 4096, the first of `b` at 2000.
starts = [json.loads(line) for line in fathom("dump", "--json", "--ranges", "--where", "writes and offset >= 4K and file == a", trace).splitlines()]
expect_equal([call["ranges"] for call in starts], [[[4096 * i, 4096]] for i in range(1, 5)], "offset >= 4K")

# All calls by an expression add up to what was summed while recording.
all_calls = json.loads(fathom("stats", "--json", "--where", "depth >= 0", trace))
for table in ("total", "layers", "files", "functions", "ranks"):
    found, wanted = (rows if isinstance(rows, list) else [rows] for rows in (all_calls[table], stats()[table]))

    def exact(row):
        return {key: value for key, value in row.items() if not isinstance(value, float)}

    def order(row):
        return json.dumps(exact(row))

    for row, other in zip(sorted(found, key=order), sorted(wanted, key=order)):
        expect_equal(exact(row), exact(other), f"stats --where of all calls: {table}")
        for key in row.keys() - exact(row).keys():
            expect(abs(row[key] - other[key]) <= 3e-9 * row.get("calls", 1e4), f"{key} of {row} and {other}")
    expect_equal(len(found), len(wanted), f"rows of {table}")

some = json.loads(fathom("stats", "--json", "--where", "func == write and bytes == 4096 and file == a", trace))
expect_equal([(row["func"], row["calls"], row["bytes_written"]) for row in some["functions"]], [("write", 5, 20480)], "functions")
expect_equal([row["bytes_written"] for row in some["files"]], [20480], "files")
