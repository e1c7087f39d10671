"""Two traces have the same calls: functions, times, values, bytes, files, errors, nesting. What a project does not tell (the call in which a thread was
started) may differ, and calls of threads and locks are regions."""

import collections
import json
import os
import subprocess
import sys

fathom = os.environ["FATHOM"]
SKIPPED = {"proc", "tid", "id", "source", "names", "call"}


def load(trace):
    info = json.loads(subprocess.run([fathom, "info", "--json", trace], stdout=subprocess.PIPE, check=True).stdout)
    numbers = [process["pid"] for process in info["processes"]]
    spans.append({p["pid"]: (p["start"], p["end"]) for p in info["processes"] if numbers.count(p["pid"]) == 1 and p["calls"]})
    pids = {process["proc"]: (process["pid"], process["rank"]) for process in info["processes"]}
    lines = subprocess.run([fathom, "dump", "--launchers", "--json", trace], stdout=subprocess.PIPE, check=True).stdout.decode(errors="replace").splitlines()
    calls = collections.defaultdict(list)
    for line in lines:
        call = json.loads(line)
        calls[pids[call["proc"]], call["thread"]].append(call)
    return calls


def differs(key, one, other, call):
    if key in ("start", "end"):
        return abs(one - other) > 2e-9
    if key == "parent":
        return call["depth"] > 0 and (one or "").split(".")[1:] != (other or "").split(".")[1:] and (one or "0.0.0").split(".")[1] == str(call["thread"])
    if key == "args" and isinstance(one, dict):
        # slots of handles without a name are numbered anew
        return {k: v for k, v in one.items() if k not in SLOTS} != {k: v for k, v in (other or {}).items() if k not in SLOTS}
    return one != other


SLOTS = {"stream", "semaphore"}
spans = []
before, after = load(sys.argv[1]), load(sys.argv[2])
assert set(before) == set(after), (set(before) ^ set(after))
compared = regions = 0
for pid, times in spans[0].items():
    assert all(abs(one - other) < 2e-9 for one, other in zip(times, spans[1][pid])), (pid, times, spans[1][pid])
for thread, calls in before.items():
    assert len(calls) == len(after[thread]), (thread, len(calls), len(after[thread]))
    for call, other in zip(calls, after[thread]):
        if other["func"] == "mark_region" and call["func"] != "mark_region":
            assert call["layer"] == "pthread" and other["args"]["name"] == call["func"], (call, other)
            regions += 1
            continue
        wrong = [key for key in call if key not in SKIPPED and differs(key, call[key], other.get(key), call)]
        assert not wrong, (wrong, call, other)
        compared += 1
print(f"{compared} calls are the same, {regions} are regions")
assert compared
