"""Compares the keys of JSON with the tables of manual pages."""
import json
import os
import re
import subprocess
import sys

FATHOM, DOCS = os.environ["FATHOM"], os.path.join(os.environ["SOURCE"], "docs")
# The program's own words, which no table can list; and rows, whose columns the JSON itself describes.
FREE = {"environment", "args", "names", "rows", "types"}
# What a page refers to.
ALSO = {"path": ["report", "info"], "report": ["info"], "verify": ["info"], "stats": ["info"], "handles": ["info"], "query": ["info"], "diff": ["info"]}
# Options that print further keys.
OPTIONS = {"diff": [["--fail-on", "findings > 0"]], "dump": [["--handles", "--ranges"], ["--operations"]], "info": [["--size"]], "stats": [[], ["--by", "line"], ["--histogram", "read"]]}


def documented(page):
    """All words in the first column of the page's tables, and in code in the second one: of objects in a row."""
    with open(os.path.join(DOCS, f"fathom-{page}.1.md")) as file:
        rows = [line for line in file if line.startswith("|")]
    words = set()
    for row in rows:
        for code in re.findall(r"`([^`]+)`", row):
            words |= set(re.findall(r"[A-Za-z_][\w-]*", code))
    return words


def layers():
    """Names of layers, which are keys where each has its time."""
    listed = subprocess.run([FATHOM, "record", "--layers", "help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(re.findall(r"^ *([a-z][\w-]*)", listed, re.M))


def keys(value):
    found = set()
    if isinstance(value, dict):
        for key, inner in value.items():
            found.add(key)
            if key == "models":  # an object for each, by its name
                found |= keys(list(inner.values()))
                continue
            if key not in FREE or (key == "names" and isinstance(inner, dict) and "races" in inner):
                found |= keys(inner)
    elif isinstance(value, list):
        for inner in value:
            found |= keys(inner)
    return found


def printed(command, *words):
    done = subprocess.run([FATHOM, command, "--json", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    texts = done.stdout.splitlines() if command == "dump" else [done.stdout]
    return set().union(*(keys(json.loads(text)) for text in texts if text)) if done.stdout else set()


def main():
    sets = {"measure": keys(json.load(open("measured.json")))}
    cluster = os.path.join(os.environ["SOURCE"], "examples", "sim", "burst_buffers.yaml")
    program = os.path.join(os.environ["SOURCE"], "examples", "sim", "bursts.sim")
    sets["simulate"] = set().union(*(printed("simulate", "--on", cluster, *words, program) for words in ([], ["--against", cluster], ["--sweep", "nodes=16,17"])))
    sets["simulate"] |= printed("simulate", "--on", cluster, program, program)
    sets["tune"] = printed("tune", "--quiet", "--", "true")
    for trace in sys.argv[1:]:
        for command in ("info", "stats", "dump", "handles", "samples", "query", "report", "path", "verify", "diff"):
            words = [trace, "latency breakdown inclusive"] if command == "query" else [trace, trace] if command == "diff" else [trace]
            for options in OPTIONS.get(command, [[]]):
                sets[command] = sets.get(command, set()) | printed(command, *options, *words)
    failed = False
    for command, found in sorted(sets.items()):
        known = set().union(*(documented(page) for page in [command, *ALSO.get(command, [])]))
        missing = sorted(found - known - (layers() if command == "query" else set()))
        if not found or missing:
            print(f"FAILED: {command} --json prints {len(found)} keys; not in docs/fathom-{command}.1.md: {' '.join(missing)}")
            failed = True
    return failed


sys.exit(main())
