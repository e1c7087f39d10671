"""Threads that only wait for events inside of the MPI library are nobody's time: a process was there once, and its own time is less than it lasted."""
import json
import os
import re

from lib import dump, expect, expect_equal, fathom

tables = {name: table["rows"] for name, table in json.loads(fathom("report", "--json", os.environ["TRACE"]))["tables"].items()}
# Processes are in the order of their start, and which rank starts first is chance.
rows = sorted((row for row in tables["time_by_process"] if row["rank"] is not None), key=lambda row: row["rank"])
expect_equal([row["rank"] for row in rows], [0, 1], "ranks")
in_threads = sum(call["end"] - call["start"] for call in dump() if call["thread"])
for row in rows:
    expect_equal(row["threads"], 1, f"threads that count of {row}")
    expect(row["thread_time"] <= row["life"] + in_threads + 1e-6, f"the library's threads count as long as they are there: {row}")
    expect(row["own"] <= row["life"] + 1e-6, f"a process has more time of its own than it lasted: {row}")
shares = sum(row["share"] for row in tables["time"])
expect(abs(shares - 100) < 1e-6, f"shares are no hundred: {tables['time']}")
# So it is in the tables of the path.
expect(abs(sum(row["own"] for row in tables["intervals"]) - sum(row["own"] for row in rows)) < 1e-5, f"the program's own over the run: {tables['intervals']}")
most = next(row["most"] for row in tables["imbalance"] if row["layer"] is None)
expect(most <= max(row["own"] for row in rows) + 1e-5, f"the program's own over the processes: {most}")
# The head counts each moment of a thread in calls once: a system call inside MPI_Init is no second time.
in_calls = sum(row["io"] + row["messages"] + row["waiting"] + row["other"] for row in rows)
facts = json.loads(fathom("report", "--json", os.environ["TRACE"]))["run"]["facts"]
spent = re.search(r"spent ([0-9.]+) (s|ms|us) in recorded calls", "\n".join(facts))
expect(abs(float(spent[1]) * {"s": 1, "ms": 1e-3, "us": 1e-6}[spent[2]] - in_calls) < 0.01 * in_calls, f"the head: {facts}, the table: {in_calls}")
