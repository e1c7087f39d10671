"""What options select by function, layer and file are the lines of the whole that are about these: left_out.py FATHOM TRACE"""
import collections
import json
import subprocess
import sys

fathom, trace = sys.argv[1:]


def lines(*options):
    said = subprocess.run([fathom, "export", "--to", "jsonl", "--launchers", "-o", "-", *options, trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return said.stdout.splitlines()


whole = [(line, json.loads(line)) for line in lines()]
nested = sum(call["parent"] is not None for _, call in whole)
for key, option in (("func", "--func"), ("layer", "--layer"), ("file", "--file")):
    values = collections.Counter(call[key] for _, call in whole if call[key] and call[key].isascii() and not set(call[key]) & set("*?[\\"))
    for value, count in values.most_common(5):
        if key == "file" and "/" not in value:
            continue
        wanted = [line for line, call in whole if call[key] == value]
        if lines(option, value) != wanted:
            sys.exit(f"{option} {value} are not the {count} lines of the whole")
print(f"{len(whole)} calls, {nested} in others")
