"""What is noted of a program that burns half a second of CPU, touches 64 MiB and writes 8 MiB fits, in the JSON and in the bytes."""

import json
import os
import struct
import sys

sys.path.insert(0, os.environ["SOURCE"] + "/tests/e2e/format")
from lib import expect, expect_equal, fathom, processes
from reader import Trace, View, read_planes

TRACE = os.environ["TRACE"]
said = json.loads(fathom("samples", "--json", "--counter", "*", TRACE))
(node,) = said["nodes"]
computes = processes("computes")[0]["proc"]


def counters(name, proc=None):
    return [one for one in said["counters"] if one["counter"] == name and one["proc"] == proc]


def counter(name, proc=None):
    found = [one for one in counters(name, proc) if one["instance"] is None]
    expect(len(found) == 1, f"{len(found)} counters {name}")
    return found[0]


# The node.
expect_equal(node["interval"], 0.02, "interval")
expect(node["samples"] >= 3, "more than one sample")
expect(-20 < node["start"] < node["end"], "times")  # sampling begins just before the command
expect(counter("cpu.user")["amount"] + counter("cpu.system")["amount"] >= 0.3, "CPU time of the node")
states = [counter("cpu." + state)["mean"] for state in ("user", "system", "iowait", "idle", "stolen")]
expect(0.5 * os.cpu_count() <= sum(states) <= 2 * os.cpu_count(), f"shares of CPUs: {states}")
expect(len(counters("cpu.user")) >= 2, "each CPU")
expect(counter("memory.total")["min"] == counter("memory.total")["max"] > 64 << 20, "memory")
expect(counter("memory.free")["max"] < counter("memory.total")["min"], "free memory")
expect(counter("system.switches")["amount"] > 0, "switches")
expect(any(one["counter"] == "net.received" and one["instance"] == "lo" for one in said["counters"]), "network")

# The process. What it did after its last sample is not known.
expect(counter("process.user", computes)["amount"] + counter("process.system", computes)["amount"] >= 0.2, "CPU time of the process")
expect(counter("process.rss", computes)["max"] >= 64 << 20, "memory of the process")
expect(counter("process.threads", computes)["min"] == 1, "threads")
expect(counter("process.minor_faults", computes)["amount"] >= (64 << 20) / 4096 / 512, "faults")
row = next(row for row in said["processes"] if row["proc"] == computes)
expect(row["program"] == "computes" and row["rss"] >= 64 << 20 and row["samples"] > 0, f"row of the process: {row}")
expect(row["cpu"] > 5, "its share of a CPU")

# Values follow one another, and add up to what is said of them.
for one in said["counters"]:
    values = one["values"]
    name = one["counter"], one["instance"]
    expect_equal(len(values), one["samples"], f"values of {name}")
    expect(all(before[1] == after[0] for before, after in zip(values, values[1:])), f"gaps in {name}")
    expect(all(start < end and least <= mean <= most for start, end, least, mean, most in values), f"values of {name}")
    expect(one["min"] >= 0 and abs(one["max"] - max(value[4] for value in values)) < 1e-6 * one["max"] + 1e-6, f"most of {name}")
    if one["kind"] == "rate":
        amount = sum((end - start) * mean for start, end, _, mean, _ in values)
        expect(abs(amount - one["amount"]) <= 1e-3 * one["amount"] + 1e-3, f"amount of {name}")

# The same from the bytes, by docs/format.md.
trace = Trace(TRACE)
(section,) = trace.samples
view = View(section)
host, interval, halvings = view.text(), view.varint(), view.varint()
notes = [view.text() for _ in range(view.varint())]
expect_equal((host.decode(), interval, notes), (node["host"], 20_000_000, [note.encode() for note in node["notes"]]), "head")
rows, time = view.varint(), view.signed()
ends = [time := time + view.varint() for _ in range(rows)]
expect_equal(rows, node["samples"], "rows")
expect_equal(ends[-1] - trace.start, round(node["end"] * 1e9), "end of the last row")


def column(count):
    if view.varint() == 0:
        return read_planes(view, count)
    values = [view.signed()]
    for difference in read_planes(view, count - 1):
        values.append(values[-1] + difference)
    return values


for _ in range(view.varint()):
    name, instance = view.text().decode(), view.text().decode()
    kind, unit = view.varints(2)
    (image,) = struct.unpack("<Q", view.bytes(8))
    first, count = view.varints(2)
    values = column(count)
    if halvings:
        column(count), column(count)
    if image:
        continue
    one = next(one for one in counters(name) if (one["instance"] or "") == instance)
    expect_equal((first + count <= rows, count), (True, one["samples"]), name)
    scale = {0: 1, 1: 1, 2: 1e-9, 3: 1e-6, 4: 1e-3}[unit]
    if kind == 1:
        expect(abs(sum(values) * scale - one["amount"]) < 1e-6 * one["amount"] + 1e-6, f"amount of {name} in the bytes")
    else:
        expect(abs(values[-1] * scale - one["values"][-1][3]) < 1e-6 * one["max"] + 1e-6, f"last value of {name} in the bytes")
expect_equal(view.left(), 0, "bytes left")
