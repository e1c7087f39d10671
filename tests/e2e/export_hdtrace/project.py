"""A project of HDTrace has each call of the trace as a state, in its thread's file, nested as the calls were, and ids that the project file knows."""

import json
import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict

folder, *options = sys.argv[1:]
fathom, trace = os.environ["FATHOM"], os.environ["TRACE"]


def lines(*command):
    return subprocess.run([fathom, *command, trace], stdout=subprocess.PIPE, check=True).stdout.decode(errors="replace").splitlines()


def states(element, depth=0):
    """Those of an element with their depths, in the order of entry."""
    nested = None
    for child in element:
        if child.tag == "Nested":
            assert nested is None, "a second Nested before a state"
            nested = child
        else:
            yield depth, child
            if nested is not None:
                yield from states(nested, depth + 1)
            nested = None
    assert nested is None, "Nested without a state"


def ns(text):
    seconds, part = text.split(".")
    return int(seconds) * 10**9 + int(part.ljust(9, "0"))


info = json.loads("\n".join(lines("info", "--json")))
calls = defaultdict(list)
for line in lines("dump", "--json", *options):
    call = json.loads(line, parse_float=str)
    calls[call["proc"], call["thread"]].append(call)

project = ET.parse(f"{folder}/trace.proj").getroot()
assert project.tag == "Application" and [child.tag for child in project] == [
    "Description", "FileList", "Topology", "CommunicatorList", "Datatypes", "ExternalStatistics"]  # fmt: skip
levels = [level.get("type") for level in project.find("Topology").iter("Level")]
assert levels == ["Hostname", "Rank", "Thread"], levels
files = {}
for host in project.find("Topology").findall("Node"):
    for rank in host:
        for thread in rank:
            name = f"trace_{host.get('name')}_{rank.get('name')}_{thread.get('name')}.trc"
            if os.path.exists(f"{folder}/{name}"):
                files[name] = rank.get("name")
assert set(files) == {name for name in os.listdir(folder) if name.endswith(".trc")}, "files that the topology does not have"
assert {name.rsplit(".", 1)[1] for name in os.listdir(folder)} <= {"trc", "proj", "stat"}
cids = {(rank.get("global"), rank.get("cid")) for rank in project.find("CommunicatorList").iter("Rank")}
tids = {(rank.get("name"), kind.get("id")) for rank in project.find("Datatypes").findall("Rank") for kind in rank}

by_times = defaultdict(list)
for key, list_ in calls.items():
    by_times[tuple((ns(call["start"]), ns(call["end"])) for call in list_)].append(list_)
found = 0
for name, rank in files.items():
    program = ET.parse(f"{folder}/{name}").getroot()
    assert program.tag == "Program" and len(program.get("timeAdjustment")) == 21
    ours = list(states(program))
    matching = by_times.get(tuple((ns(state.get("time")), ns(state.get("end"))) for _, state in ours))
    assert matching, f"{name}: no thread with these {len(ours)} calls"
    theirs = matching.pop()
    base = min(call["depth"] for call in theirs)
    for (depth, state), call in zip(ours, theirs):
        assert call["func"] in (state.tag, "MPI_" + state.tag), (state.tag, call["func"])
        if not options:
            assert depth == call["depth"] or base, (depth, call)
        assert (state.get("error") is not None) == (call["errno"] is not None), (state.attrib, call)
        if "cid" in state.attrib and state.get("cid") != "null" and rank.isdigit() and call["func"].startswith("MPI_") and "cid.name" not in state.attrib:
            assert (rank, state.get("cid")) in cids or state.tag in ("Comm_free",), state.attrib
        if "tid" in state.attrib and rank.isdigit():
            assert (rank, state.get("tid")) in tids, (state.attrib, tids)
        found += 1
assert found == sum(len(list_) for list_ in calls.values()), (found, len(calls))

groups = [group.tag for group in project.find("ExternalStatistics")]
statistics = [name for name in os.listdir(folder) if name.endswith(".stat")]
assert bool(groups) == bool(statistics)
for name in statistics:
    with open(f"{folder}/{name}", "rb") as file:
        length = int(file.readline())
        header, body = ET.fromstring(file.read(length)), file.read()
    kinds = "".join({"INT64": "q", "FLOAT": "f"}[value.get("type")] for value in header.iter("Value"))
    record = struct.Struct(">II" + kinds)
    assert len(body) % record.size == 0 and len(body) > record.size, (len(body), record.size)
    times = [seconds * 10**9 + part for seconds, part, *_ in record.iter_unpack(body)]
    assert times == sorted(times)
    counters = {value.get("name"): place for place, value in enumerate(header.iter("Value"))}
    shown = json.loads(subprocess.run([fathom, "samples", "--json", "--counter", "cpu.user", trace], stdout=subprocess.PIPE, check=True).stdout)
    values = [value[2] for value in shown["counters"][0]["values"]]
    shares = [row[2 + counters["cpu.user"]] for row in record.iter_unpack(body)]
    assert len(values) == len(shares) and all(abs(one * 100 - other) < 1e-3 * (1 + other) for one, other in zip(values, shares)), (values, shares)
print(f"{found} states in {len(files)} files, {len(statistics)} files of statistics")
