"""check.py LAYER: every form of query against its definition, for the calls of this layer."""

import collections
import json
import os
import re
import subprocess
import sys

from lib import dump, expect, expect_equal, fathom, info, stats

trace, layer = os.environ["TRACE"], sys.argv[1]
calls = {call["id"]: call for call in dump()}
launchers = {p["proc"] for p in info()["processes"] if p["launcher"]}
ranks = any(p["rank"] is not None for p in info()["processes"] if not p["launcher"])


def ns(call):
    return round((call["end"] - call["start"]) * 1e9)


def around(call):
    while call["parent"]:
        call = calls[call["parent"]]
        yield call


def is_data(call):
    return call["kind"] in ("read", "write")


def is_subcall(call):
    return is_data(call) and call["layer"] == "posix"


# Calls with numbers: data calls of the layer that are not inside another one.
numbered, inside = collections.defaultdict(list), collections.defaultdict(list)
for call in calls.values():
    if is_data(call) and call["layer"] == layer and not any(is_data(a) and a["layer"] == layer for a in around(call)):
        call["number"] = len(numbered[call["proc"]])
        numbered[call["proc"]].append(call)
for call in calls.values():
    for one in [call, *around(call)]:
        if "number" in one:
            inside[one["id"]].append(call)
expect(sum(map(len, numbered.values())) >= 6, "too few calls to look at")


def subcalls(call):
    return [one for one in inside[call["id"]] if is_subcall(one)]


def ask(*query, options=()):
    return json.loads(fathom("query", "--json", *options, trace, " ".join(query)))["tables"]


def near(found, wanted, what, each=3e-9):
    expect(abs(found - wanted) <= each * 50, f"{what}: found {found}, expected {wanted}")


# Files with bytes that are the program's stand for servers, in order of their paths.
servers = [row["name"] for row in ask("servers")["servers"]]
moved = {row["path"] for row in stats()["files"] if row["bytes_read"] or row["bytes_written"]}
expect_equal(servers, sorted(set(servers) & moved), "servers")
expect({path for path in moved if path.startswith(os.getcwd() + "/")} <= set(servers), f"a file of the program is no server: {servers}")
expect(not any(path.startswith(("/etc/", "/proc/", "/sys/", "/dev/zero", "/usr/lib/")) for path in servers), f"files of the system are servers: {servers}")

# Ranks come in their order, whichever of them started first.
order = {p["proc"]: p["rank"] if ranks else p["proc"] for p in info()["processes"]}


def every():
    return [(proc, call) for proc in sorted(numbered, key=order.get) for call in numbered[proc]]


# ---- latency breakdown ----
tables = {kind: ask("latency breakdown", kind)["calls"] for kind in ("inclusive", "exclusive")}
expect_equal([(r["proc"], r["call"], r["func"], r["subcalls"]) for r in tables["inclusive"]],
             [(p, c["number"], c["func"], len(subcalls(c))) for p, c in every()], "calls with numbers")
for (proc, call), inclusive, exclusive in zip(every(), tables["inclusive"], tables["exclusive"]):
    for name in {one["layer"] for one in inside[call["id"]]}:
        mine = [one for one in inside[call["id"]] if one["layer"] == name]
        ids = {one["id"] for one in inside[call["id"]]}
        outer = [one for one in mine if not any(a["layer"] == name and a["id"] in ids for a in around(one))]
        children = [c for c in inside[call["id"]] if c["parent"] in {one["id"] for one in mine}]
        near(inclusive[name], sum(map(ns, outer)) / 1e9, f"inclusive {name} of {call['id']}")
        near(exclusive[name], max(0, sum(map(ns, mine)) - sum(map(ns, children))) / 1e9, f"exclusive {name} of {call['id']}")
    times = [value for key, value in exclusive.items() if key in {one["layer"] for one in inside[call["id"]]}]
    near(sum(times), ns(call) / 1e9, "exclusive times add up to the call")
proc = max(numbered, key=order.get)
who = order[proc]
some = ask(f"latency breakdown inclusive [{who}] [1-2,4]")["calls"]
expect_equal([(r["proc"], r["call"]) for r in some], [(proc, n) for n in (1, 2, 4) if n < len(numbered[proc])], "ranges")

# ---- subcalls: list, max, min, avg ----
listed = ask("latency operation list [-] [-] [-] [-]")["subcalls"]
wanted = [(p, c["number"], i, servers.index(s["file"]) if s["file"] in servers else None, s["bytes"] or 0)
          for p, c in every() for i, s in enumerate(subcalls(c))]
expect(wanted, "no subcalls")
expect_equal([(r["proc"], r["call"], r["subcall"], r["server"], r["bytes"]) for r in listed], wanted, "subcalls")
expect_equal([r["name"] for r in listed], [servers[r["server"]] if r["server"] is not None else None for r in listed], "names of servers")
server = next(row["server"] for row in listed if row["server"] is not None)
only = ask(f"latency operation list [-] [-] [0] [{server}]")["subcalls"]
expect_equal(only, [r for r in listed if r["subcall"] == 0 and r["server"] == server], "one server")
for form, better in (("max", max), ("min", min)):
    tables = ask(f"latency operation {form}")
    for row in tables["calls"]:
        best = better(r["latency"] for r in listed if (r["proc"], r["call"]) == (row["proc"], row["call"]))
        expect_equal(row["latency"], best, f"{form} of a call")
        expect(any((r["latency"], r["subcall"], r["server"], r["proc"], r["call"]) == (best, row["subcall"], row["server"], row["proc"], row["call"])
                   for r in listed), "where that was")
    for row in tables["servers"]:
        expect_equal(row["latency"], better(r["latency"] for r in listed if r["server"] == row["server"]), f"{form} of a server")
for row in ask("latency operation avg")["calls"]:
    mine = [r["latency"] for r in listed if r["call"] == row["call"]]
    near(row["mean"], sum(mine) / len(mine), "mean")
    expect_equal((row["subcalls"], row["processes"], row["shortest"], row["longest"]),
                 (len(mine), len({r["proc"] for r in listed if r["call"] == row["call"]}), min(mine), max(mine)), "average")

# ---- throughput, energy, calls, accesses ----
tables = ask("thru.")
rates = collections.defaultdict(int)
for row in tables["calls"]:
    mine = [r for r in listed if (r["proc"], r["call"], r["server"]) == (row["proc"], row["call"], row["server"])]
    expect_equal(row["bytes"], sum(r["bytes"] for r in mine), "bytes of a call at a server")
    time = sum(round(r["latency"] * 1e9) for r in mine)
    expect(not time or abs(row["bytes_per_second"] - row["bytes"] * 1e9 / time) <= 1, "bytes per second")
    rates[row["call"], row["server"]] += row["bytes_per_second"]
expect_equal({(r["call"], r["server"]): r["bytes_per_second"] for r in tables["servers"]}, dict(rates), "rates of processes are added up")


def union(spans):
    length, reached = 0, -1
    for start, end in sorted(spans):
        length += max(0, end - max(start, reached))
        reached = max(reached, end)
    return length


tables = ask("energy [10] [4]")
for row in tables["calls"]:
    call = numbered[row["proc"]][row["call"]]
    active = sum(r["latency"] for r in listed if (r["proc"], r["call"], r["server"]) == (row["proc"], row["call"], row["server"]))
    near(row["joules"], 10 * active + 4 * (ns(call) / 1e9 - active), "joules", 1e-8)
for row in tables["servers"]:
    mine = [r for r in listed if r["server"] == row["server"]]
    active = union([(r["start"], r["start"] + r["latency"]) for r in mine])
    span = union([(numbered[r["proc"]][r["call"]]["start"], numbered[r["proc"]][r["call"]]["end"]) for r in mine])
    near(row["active"], active, "time that a server is active")
    near(row["joules"], 10 * active + 4 * (span - active), "joules of a server", 1e-8)
tables = ask("Call")
expect_equal({(r["proc"], r["server"]): r["subcalls"] for r in tables["processes"]}, dict(collections.Counter((r["proc"], r["server"]) for r in listed)), "calls")
expect_equal({r["server"]: r["subcalls"] for r in tables["servers"]}, dict(collections.Counter(r["server"] for r in listed)), "calls of servers")
expect_equal([(r["proc"], r["call"], r["subcalls"]) for r in ask("access")["calls"]], [(p, c["number"], len(subcalls(c))) for p, c in every()], "accesses")
writes = ask("access", options=("--where", "writes"))["calls"]
expect_equal([(r["proc"], r["call"]) for r in writes], [(p, c["number"]) for p, c in every() if c["kind"] == "write"], "--where keeps the numbers")

# ---- collective calls ----
for row in ask("comm")["calls"]:
    call = numbered[row["proc"]][row["call"]]
    expect(call["collective"], "comm is about collective calls")
    below = [one for one in inside[call["id"]] if one["parent"] == call["id"]]
    messages = [one for one in inside[call["id"]] if one["layer"] == "mpi"]
    if not messages:
        near(row["communication"], max(0, ns(call) - sum(map(ns, below))) / 1e9, "communication")
for row in ask("nodes")["calls"]:
    mine = [r for r in listed if r["call"] == row["call"]]
    expect_equal((row["processes"], row["aggregators"], row["nodes"], row["servers"], row["subcalls"]),
                 (sum(row["call"] < len(numbered[p]) for p in numbered), len({r["proc"] for r in mine}), min(1, len(mine)),
                  len({r["server"] for r in mine if r["server"] is not None}), len(mine)), "nodes")

# ---- segments, servers ----
source = next((c["source"] for _, c in every() if c["source"] and re.match(r"\S+\.c:\d+ ", c["source"])), None)
if source:
    name, line = re.match(r"(?:.*/)?(\S+?\.c):(\d+) ", source).groups()
    mine = [c for _, c in every() if c["source"] and re.search(rf"\b{name}:{line} ", c["source"])]
    rows = ask(f"latency segment [{name}:{line}]")["processes"]
    expect_equal(sum(r["calls"] for r in rows), len(mine), "calls of a line")
    near(sum(r["time"] for r in rows), sum(map(ns, mine)) / 1e9, "time of a line")
mounts = {r["name"] for r in ask("call", options=("--servers", "mounts"))["servers"]}
expect(all(name is None or os.path.isdir(name) for name in mounts), "file systems as servers")
