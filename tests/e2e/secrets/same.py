"""same.py ONE OTHER: but for times and numbers of the system, two programs with different contents made the same calls."""

import json
import re
import sys

# Numbers that the system gives: processes, queues.
OWN = {"t0", "t1", "dur", "start", "end", "time", "pid", "tid", "id"}


def calls(path):
    found = []
    for line in open(path):
        call = json.loads(re.sub(r'(socket|pipe):\[\d+\]', r'\1', line))
        args = call.get("args", {})
        if call.get("func", "").startswith("msg"):
            args, call["ret"] = {}, None
        found.append(({name: value for name, value in call.items() if name not in OWN and name != "args"},
                      {name: value for name, value in args.items() if name not in OWN}))  # fmt: skip
    return found


one, other = calls(sys.argv[1]), calls(sys.argv[2])
assert len(one) > 30, len(one)
assert len(one) == len(other), (len(one), len(other))
for a, b in zip(one, other):
    assert a == b, (a, b)
