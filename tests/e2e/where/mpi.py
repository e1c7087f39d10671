"""What is around calls, what they are about, and sums of calls whose callers are not chosen."""

import json
import os

from lib import dump, expect, expect_equal, fathom, stats

trace = os.environ["TRACE"]
everything = {call["id"]: call for call in dump()}


def ids(where):
    return [json.loads(line)["id"] for line in fathom("dump", "--json", "--where", where, trace).splitlines()]


def around(call):
    while call["parent"]:
        call = everything[call["parent"]]
        yield call


def select(wanted):
    return [name for name, call in everything.items() if wanted(call)]


inside = select(lambda c: c["layer"] == "posix" and any(a["func"].startswith("MPI_File_") for a in around(c)))
expect(inside, "no calls inside of MPI-IO")
expect_equal(ids("inside ~ MPI_File_* and layer == posix"), inside, "inside")
expect_equal(ids("inside_layer == mpiio and layer == posix"), inside, "inside_layer")
expect_equal(ids("parent == MPI_File_open"), select(lambda c: c["parent"] and everything[c["parent"]]["func"] == "MPI_File_open"), "parent")
expect_equal(ids("rank == 1 and depth > 0"), select(lambda c: c["rank"] == 1 and c["depth"] > 0), "rank")

handles = [json.loads(line) for line in fathom("dump", "--json", "--handles", trace).splitlines()]
expect_equal(ids("group_size == 2 and collective"), [c["id"] for c in handles if c["group_size"] == 2 and c["collective"]], "group_size")
expect_equal(ids("handle == 3 and rank == 0"), [c["id"] for c in handles if c["handle"] == 3 and c["rank"] == 0], "handle")

posix = json.loads(fathom("stats", "--json", "--where", "layer == posix", trace))
layer = [row for row in stats()["layers"] if row["layer"] == "posix"][0]
expect_equal(posix["total"]["bytes_written"], layer["bytes_written"], "bytes of POSIX, whoever called it")
expect_equal(posix["total"]["calls"], layer["calls"], "calls of POSIX")
both = json.loads(fathom("stats", "--json", "--where", "layer in (mpiio, posix)", trace))
expect_equal(both["total"]["bytes_written"], sum(c["bytes"] or 0 for c in everything.values() if c["kind"] == "write" and c["layer"] in ("mpiio", "posix")
             and not any(a["layer"] == "mpiio" for a in around(c))), "bytes once")
