"""Threads that only wait for events inside of the MPI library are nobody's time: a process was there once, and its own time is less than it lasted."""
import json
import os

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
