"""The queries on a chain of requests say what follows from all calls."""
import json
import os
import subprocess
from lib import *


def ask(query):
    command = [os.environ["FATHOM"], "query", "--json", "--layer", "app_probes", "--servers", "probes", os.environ["TRACE"], query]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["tables"]


def duration(call):
    return call["end"] - call["start"]


everything = dump()
served = {call["args"]["serves"]: call for call in everything if call["func"].startswith("server_probes_serve")}
writer = [call for call in everything if call["layer"] in ("app_probes", "client_probes")]
own = []  # of each call of the program the requests inside it
for call in writer:
    if call["layer"] == "app_probes":
        own.append([])
    else:
        own[-1].append(served[call["args"]["sends"]])

rows = ask("latency operation list")["subcalls"]
assert [(row["call"], row["bytes"]) for row in rows] == [(i, call["args"]["bytes"]) for i, calls in enumerate(own) for call in calls], rows
inclusive = ask("latency breakdown inclusive")["calls"]
exclusive = ask("latency breakdown exclusive")["calls"]
for i, calls in enumerate(own):
    wanted = sum(duration(call) for call in calls)
    assert abs(inclusive[i]["server_probes"] - wanted) < 1e-5, (i, inclusive[i], wanted)
    layers = ("app_probes", "client_probes", "server_probes", "disk_probes", "posix")
    total = sum(exclusive[i][layer] for layer in layers)
    # A server that goes on when it has answered takes longer than its client waits.
    whole = inclusive[i]["app_probes"]
    assert whole - 1e-5 < total < whole + sum(duration(call) for call in calls) + 1e-5, (i, exclusive[i], inclusive[i])
slowest = ask("latency operation max")["calls"]
for row in slowest:
    longest = max(duration(call) for call in own[row["call"]])
    assert abs(row["latency"] - longest) < 1e-5, (row, longest)
servers = ask("servers")["servers"]
assert len(servers) == 4 and len({row["name"] for row in servers}) == 4, servers
issued = ask("call")["servers"]
assert sum(row["subcalls"] for row in issued) == 32 and {row["server"] for row in issued} == {0, 1, 2, 3}, issued
assert sum(row["bytes"] for row in ask("throughput")["servers"]) == 2 * 800 * 1024
assert all(row["servers"] >= 3 and row["subcalls"] >= 4 for row in ask("nodes")["calls"])
energy = ask("energy [10] [0]")["servers"]
assert all(abs(row["joules"] - 10 * row["active"]) < 1e-6 for row in energy), energy
