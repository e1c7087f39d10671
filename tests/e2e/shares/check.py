"""The table "where the time went" has 100 % of its own, the time of all threads: each layer has what calls took without those inside of them, whoever made them, and what waits is apart.
Given how many calls wait."""
import json
import sys
from collections import Counter, defaultdict

from lib import dump, expect, expect_equal, fathom, info

import os

report = json.loads(fathom("report", "--json", os.environ["TRACE"]))
tables = {name: table["rows"] for name, table in report["tables"].items()}
wanted = int(sys.argv[1])


def waits(call):
    return (
        call["func"] in ("wait", "waitpid", "usleep", "poll", "descriptors_ready")
        or (call["kind"] == "mutex" and not call["func"].endswith(("unlock", "post", "write", "signal", "broadcast", "init", "destroy")))
        or (call["func"] == "fcntl" and call["names"]["cmd"] == "F_SETLKW" and call["args"]["arg"][0] != 2)
        or (call["func"] == "flock" and call["names"]["op"] in ("LOCK_SH", "LOCK_EX"))
        # a buffer waits for nobody, nor does who closes an end or asks about it
        or ((call["file"] or "").startswith(("pipe:", "socket:", "anon_inode:")) and call["layer"] != "stdio"
            and call["kind"] not in ("close", "dup", "stat", "control", "seek", "pipe"))
    )


own, spans = {}, {}
for call in dump():
    own[call["id"]] = call["end"] - call["start"]
    if call["parent"] in own and call["parent"].split(".")[:2] == call["id"].split(".")[:2]:
        own[call["parent"]] -= call["end"] - call["start"]
    first, last = spans.get((call["proc"], call["thread"]), (call["start"], 0))
    spans[call["proc"], call["thread"]] = min(first, call["start"]), max(last, call["end"])

times, counts = defaultdict(float), Counter()
for call in dump():
    row = "waiting" if waits(call) else call["layer"]
    times[row] += own[call["id"]]
    counts[row] += 1
life = 0
for (proc, thread), (first, last) in spans.items():
    process = info()["processes"][proc]
    life += process["end"] - process["start"] if thread == 0 else last - first

allowed = len(dump()) * 2 * info()["resolution"] + 1e-6
rows = {row["layer"]: row for row in tables["time"]}
expect_equal({name: row["calls"] for name, row in rows.items() if row["calls"] is not None}, dict(counts), "calls")
for name, time in times.items():
    expect(abs(rows[name]["time"] - time) <= allowed, f"{name}: {rows[name]['time']} s, calls took {time} s")
expect(abs(sum(row["share"] for row in rows.values()) - 100) < 1e-6, f"shares are no hundred: {rows}")
expect(abs(sum(row["time"] for row in rows.values()) - life) <= allowed, f"threads were there for {life} s, not {rows}")
for name, row in rows.items():
    expect(abs(row["share"] / 100 * life - row["time"]) <= allowed, f"{name} is no share of {life} s: {row}")

of_processes = tables["time_by_process"]
expect_equal(sum(row["threads"] for row in of_processes), len(spans), "threads")
for row in of_processes:
    parts = sum(row[name] for name in ("io", "messages", "waiting", "other", "own"))
    expect(abs(parts - row["thread_time"]) <= 1e-6, f"parts are {parts} s of {row}")
expect(abs(sum(row["waiting"] for row in of_processes) - times["waiting"]) <= allowed, "waits of processes")
expect(abs(sum(row["io"] for row in of_processes) - times["posix"] - times["stdio"]) <= allowed, f"I/O of processes: {of_processes}")

# One definition: what time of calls went to says the same.
activity = {row["what"]: row for row in tables["activity"]}
expect_equal(activity.get("waiting", {"calls": 0})["calls"], counts["waiting"], "calls that wait")
apart = sum((call["kind"] == "mutex" or call["func"] == "descriptors_ready") and waits(call) for call in dump())
expect_equal(counts["waiting"] - apart, wanted, "calls that wait")
