"""Writes profiles of a synthetic workflow: make.py FOLDER STEPS FILES. Steps are in four stages: one makes inputs, a scatter reads them, a gather reads what
the scatter wrote, one reads all that the gather wrote. Each file is written by one step and read by the next stage."""
import json
import os
import sys

folder, steps, files = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SECOND = 10**9
START = 1_700_000_000 * SECOND
scatter = steps - steps // 10 - 2
gather = steps // 10
os.makedirs(folder)


def step(number, program, start, length):
    return {"program": program, "command": f"{program} {number}", "directory": "/data", "host": f"node{number % 64}", "job": None, "ended": "exit 0",
            "trace": f"step{number}.fathom", "proc": 0, "script": None, "is_script": False, "start": start, "end": start + length, "processes": 1,
            "ranks": 0, "calls": 1000, "io": length // 4, "messages": 0, "waiting": 0, "other": 0, "own": length // 2, "unknown": 0}


def profile(number, step, reads, writes):
    names = reads + writes
    start, end = step["start"], step["end"]
    uses = [[0, i, start + 10, start + 1000, 4096, 0, 4096, None, None, 0, 0, 0, False, False, 0, start, None] for i in range(len(reads))]
    uses += [[0, len(reads) + i, None, None, 0, 0, 0, end - 1000, end - 10, 4096, 0, 4096, True, False, 0, end - 1010, end] for i in range(len(writes))]
    with open(f"{folder}/{number:06}.json", "w") as file:
        json.dump({"fathom_workflow_profile": 2, "processors": 128, "incomplete": False, "not_known": [], "steps": [step], "files": names,
                   "processes": [[None, True, None, None]], "uses": uses, "changes": []}, file)


inputs = [f"/data/in/{i}" for i in range(scatter)]
each = max(1, (files - scatter - gather - 1) // scatter)
profile(0, step(0, "prepare", START, 10 * SECOND), [], inputs)
outputs = []
for i in range(scatter):
    made = [f"/data/part/{i}/{k}" for k in range(each)]
    outputs.append(made)
    profile(1 + i, step(1 + i, "scatter", START + 10 * SECOND + i * SECOND // 100, 60 * SECOND), [inputs[i]], made)
begin = START + 80 * SECOND + scatter * SECOND // 100
for i in range(gather):
    read = [name for made in outputs[i::gather] for name in made]
    profile(1 + scatter + i, step(1 + scatter + i, "gather", begin, 30 * SECOND), read, [f"/data/sum/{i}"])
profile(steps - 1, step(steps - 1, "report", begin + 31 * SECOND, 5 * SECOND), [f"/data/sum/{i}" for i in range(gather)], ["/data/report"])
