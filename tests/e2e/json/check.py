"""Checks the JSON of all commands for $TRACE against the manual pages: each key, its type, and what ties them together. Given what
`record --json` said."""

import json
import os
import re
import sys

from lib import expect, expect_equal, fathom

TRACE = os.environ["TRACE"]
TEXT, NUMBER, SECONDS, FLAG, NULL = str, int, float, bool, type(None)
TEXTS, NUMBERS = [str], [int]


def check_page(page, keys, inner=()):
    """The tables of the manual page's section JSON have these keys, and its text the keys of objects that have no table."""
    with open(f"{os.environ['SOURCE']}/docs/{page}.1.md") as file:
        section = file.read().split("\n## JSON\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    expect_equal({key for row in rows for key in re.findall(r"`(\w+)`", row)}, set(keys), f"keys in the page {page}")
    for key in inner:
        expect(f"`{key}`" in section, f"{key} is not in the page {page}")


def fits(value, wanted):
    if isinstance(wanted, tuple):
        return any(fits(value, one) for one in wanted)
    if isinstance(wanted, list):
        return isinstance(value, list) and all(fits(item, wanted[0]) for item in value)
    if wanted is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is wanted


def check(what, found, keys):
    expect_equal(set(found), set(keys), f"keys of {what}")
    for key, wanted in keys.items():
        expect(fits(found[key], wanted), f"{what}, {key}: {found[key]!r}")


PROCESS = {
    "proc": NUMBER, "parent_proc": (NUMBER, NULL), "world": (NUMBER, NULL), "rank": (NUMBER, NULL), "pid": NUMBER, "host": TEXT,
    "exe": TEXT, "command": TEXTS, "directory": TEXT, "mpi": (TEXT, NULL), "mpi_abi": (TEXT, NULL), "start": SECONDS,
    "end": SECONDS, "reaped": (SECONDS, NULL), "how_ended": TEXT, "launcher": FLAG, "threads": NUMBER, "calls": NUMBER, "excluded": NUMBER, "lost": NUMBER, "summed": NUMBER,
    "clock": TEXT, "clock_error": SECONDS,
}  # fmt: skip
BYTES = dict.fromkeys(("total", "signatures", "grammar", "literals", "time", "counts", "strings", "processes", "samples", "other"), NUMBER)
INFO = {
    "trace": TEXT, "incomplete": NULL, "version": NUMBER, "start": TEXT, "duration": SECONDS, "resolution": SECONDS, "times": TEXT,
    "time_percent": NUMBER, "calls": NUMBER,
    "launcher_calls": NUMBER, "lost_calls": NUMBER, "excluded_calls": NUMBER, "bytes": dict, "file_systems": [dict], "blind_spots": TEXTS, "not_seen": [dict], "meta": dict,
    "processes": [dict], "coverage": NULL, "counted_only": [dict],
}  # fmt: skip
META = {
    "command": TEXTS, "output": TEXT, "status": TEXT, "wall_seconds": SECONDS, "processor_seconds": SECONDS, "host": TEXT, "system": TEXT, "cpus": NUMBER, "page_size": NUMBER,
    "user": TEXT, "cwd": TEXT, "lines": bool, "environment": dict, "fathom": TEXT, "default_excludes": TEXTS, "resolution_ns": NUMBER,
}  # fmt: skip
MOVED = {"bytes_read": NUMBER, "bytes_written": NUMBER, "time": SECONDS}
STATS = {
    "total": {**dict.fromkeys(("processes", "images", "ranks", "threads", "files", "system_files", "calls", "errors"), NUMBER), **MOVED},
    "functions": {"func": TEXT, "layer": TEXT, "kind": TEXT, "calls": NUMBER, "errors": NUMBER, **MOVED,
                  **dict.fromkeys(("shortest", "mean", "longest"), SECONDS)},
    "files": {"path": TEXT, "host": (TEXT, NULL), "file_system": (TEXT, NULL), "scope": (TEXT, NULL), "stripe_count": (NUMBER, NULL),
              "stripe_size": (NUMBER, NULL), "opens": NUMBER, "calls": NUMBER, **MOVED},
    "layers": {"layer": TEXT, "calls": NUMBER, **MOVED},
    "lines": {"source": TEXT, "func": TEXT, "layer": TEXT, "calls": NUMBER, "errors": NUMBER, **MOVED},
    "regions": {"name": TEXT, "times": NUMBER, "time": SECONDS, "calls": NUMBER, "bytes_read": NUMBER, "bytes_written": NUMBER, "call_time": SECONDS},
    "durations": {"func": TEXT, "from": SECONDS, "to": SECONDS, "calls": NUMBER},
    "ranks": {"world": (NUMBER, NULL), "rank": (NUMBER, NULL), "proc": NUMBER, "program": TEXT, "calls": NUMBER, **MOVED},
}
VALUE = (NUMBER, TEXT, NULL, [(NUMBER, TEXT, NULL)])
CALL = {
    "proc": NUMBER, "world": (NUMBER, NULL), "rank": (NUMBER, NULL), "pid": NUMBER, "thread": NUMBER, "tid": NUMBER, "id": TEXT,
    "parent": (TEXT, NULL), "layer": TEXT, "func": TEXT, "kind": TEXT, "language": TEXT, "depth": NUMBER, "start": SECONDS, "end": SECONDS,
    "source": (TEXT, NULL), "file": (TEXT, NULL), "object": (TEXT, NULL), "bytes": (NUMBER, NULL), "errno": (NUMBER, NULL), "error": (TEXT, NULL), "args": dict, "ret": VALUE,
    "names": dict, "collective": FLAG,
}  # fmt: skip
CALL_WITH_HANDLES = {
    **CALL, "handle": (NUMBER, NULL), "parent_handle": (NUMBER, NULL), "opens": NUMBERS, "closes": NUMBERS, "group": (NUMBER, NULL),
    "group_name": (TEXT, NULL), **dict.fromkeys(("group_size", "group_id", "group_others"), (NUMBER, NULL)), "lock": (TEXT, NULL), "lock_type": (TEXT, NULL),
}  # fmt: skip
HANDLE = {
    **dict.fromkeys(("handle", "depth", "collective", "calls", "errors", "bytes_read", "bytes_written"), NUMBER),
    **dict.fromkeys(("class", "layer", "origin"), TEXT), "time": SECONDS,
    **dict.fromkeys(("parent", "value", "duplicate_of", "group", "group_size", "group_rank", "group_id", "group_others"), (NUMBER, NULL)),
    **dict.fromkeys(("path", "name", "type", "made_by", "closed_by", "access", "creation", "status", "group_name"), (TEXT, NULL)),
    **dict.fromkeys(("made", "closed"), (SECONDS, NULL)),
}  # fmt: skip
RECORD = {
    "trace": TEXT, "calls": NUMBER, "merged_ahead": NUMBER, "processes": NUMBER, "images": NUMBER, "bytes": NUMBER, "excluded": NUMBER, "lost": NUMBER, "summed": NUMBER, "unkept": NUMBER, "stopped": NUMBER,
    "still_running": NUMBER, "status": TEXT, "wall_seconds": SECONDS, "merge_seconds": SECONDS, "estimated_cost_seconds": SECONDS, "estimated_start_seconds": SECONDS,
    "spill_bytes": NUMBER, "spill": (TEXT, NULL), "blind_spots": TEXTS, "not_seen": [dict],
}  # fmt: skip

# info
info = json.loads(fathom("info", "--json", TRACE))
processes = info["processes"]
check("info", info, INFO)
check("bytes", info["bytes"], BYTES)
check("meta", info["meta"], META)
optional = {"phases", "layers", "functions", "include", "exclude", "program_files", "cuda", "contents", "sample_ns", "min_bytes", "min_duration_ns", "time", "masked"}
check_page("fathom-info", {*INFO, *PROCESS, *META, *optional}, BYTES)
for process in processes:
    check("a process", process, PROCESS)
    expect(process["start"] <= process["end"], f"process {process['proc']} ends before it starts")
    expect((process["world"] is None) == (process["rank"] is None), "a rank has a world")
    parent = process["parent_proc"]
    expect(parent is None or 0 <= parent < process["proc"], "a parent comes before its children")
    expect(re.fullmatch(r"exit \d+|exec|signal \d+|killed or lost|still running", process["how_ended"]), process["how_ended"])
expect_equal([process["proc"] for process in processes], list(range(len(processes))), "numbers of processes")
expect_equal(sum(size for part, size in info["bytes"].items() if part != "total"), os.path.getsize(TRACE), "bytes")
expect_equal(info["bytes"]["total"], os.path.getsize(TRACE), "bytes in all")
for key in ("calls", "lost", "excluded"):
    expect_equal(info[key if key == "calls" else key + "_calls"], sum(process[key] for process in processes), key)
expect_equal(info["launcher_calls"], sum(process["calls"] for process in processes if process["launcher"]), "launchers")

# stats
stats = json.loads(fathom("stats", "--json", TRACE))
expect(not {"durations", "lines", "regions"} & set(stats), "tables that nobody asked for")
stats["lines"] = json.loads(fathom("stats", "--json", "--by", "line", TRACE))["lines"]
stats["regions"] = []  # tests/e2e/functions has some
stats["durations"] = json.loads(fathom("stats", "--json", "--histogram", stats["functions"][0]["func"], TRACE))["durations"]
expect_equal(sum(row["calls"] for row in stats["durations"]), stats["functions"][0]["calls"], "calls of durations")
check("stats", stats, {"trace": TEXT, "incomplete": NULL, "total": dict, **{table: [dict] for table in STATS if table != "total"}})
for table, keys in STATS.items():
    for row in [stats[table]] if table == "total" else stats[table]:
        check(f"a row of {table}", row, keys)
check_page("fathom-stats", {"trace", "incomplete", *STATS}, {key for table in STATS.values() for key in table})
for table in ("functions", "layers", "ranks"):
    expect_equal(sum(row["calls"] for row in stats[table]), info["calls"] - info["launcher_calls"], f"calls of {table}")
expect(all(row["path"] for row in stats["files"]), "a file without a path")
used = [row for row in stats["files"] if row["path"].startswith("/") and (row["opens"] or row["bytes_read"] or row["bytes_written"])]
expect_equal(stats["total"]["files"], len(used), "files that are in use")
of_system = [row for row in used if row["path"].startswith(("/etc/", "/usr/lib", "/usr/share/", "/proc/", "/dev/")) or ".so." in row["path"]]
expect(len(of_system) <= stats["total"]["system_files"] < len(used), f"files of the system: {of_system}, {stats['total']}")

# dump
calls = [json.loads(line) for line in fathom("dump", "--json", "--launchers", TRACE).splitlines()]
# of calls that this trace has none of, of --ranges and of --operations
others = {"ends", "ranges", "ranges_unknown", "position", "second_file", "second_range", "blocks", "selected", "form", "unknown", "elements", "extent",
          "slabs", "points", "operation", "begin", "reads", "writes", "issued", "tests", "first_test", "last_test", "how", "completion", "completed_by", "asked",
          "types", "view", "datatypes", "name", "numbers", "parts", "cut", "size", "lower_bound", "pieces", "more_pieces"}
check_page("fathom-dump", {*CALL_WITH_HANDLES, *others})
expect_equal(len(calls), info["calls"], "lines of the dump")
seen, not_ended = {}, {}
for call in calls:
    thread = call["proc"], call["thread"]
    expect(call["depth"] >= not_ended.get(thread, 0), f"{call['id']} comes after a call that did not end")
    check("a call", call, CALL)
    process = processes[call["proc"]]
    expect_equal([call[key] for key in ("world", "rank", "pid")], [process[key] for key in ("world", "rank", "pid")], "who")
    expect(call["id"] not in seen, f"two calls {call['id']}")
    seen[call["id"]] = call
    expect((call["errno"] is None) == (call["error"] is None), f"errno and error of {call['id']}")
    expect(call["start"] <= call["end"], f"{call['id']} ends before it starts")
    expect(all(fits(value, VALUE) for value in call["args"].values()), f"arguments of {call['id']}: {call['args']}")
    for name, words in call["names"].items():
        expect(type(call["args"][name]) is int and type(words) is str, f"names of {call['id']}")
    if call["parent"] is not None:
        parent = seen[call["parent"]]
        if parent["thread"] == call["thread"]:
            expect(parent["depth"] < call["depth"], f"parent of {call['id']}")
        else:  # a thread that was started inside a call of another one
            expect(call["depth"] == 0, f"parent of {call['id']}")
    elif call["depth"] and not process["lost"] and not process["excluded"]:  # of a call in which the process ended
        not_ended[thread] = 1
expect(any(call["error"] == "ENOENT" for call in calls), "a file that is not there")
expect(any("O_WRONLY" in words for call in calls for words in call["names"].values()), "names of flags")

# record
with open(sys.argv[1]) as file:
    said = json.loads(file.read())
check("what record says", said, RECORD)
check_page("fathom-record", RECORD)
expect_equal([said[key] for key in ("calls", "bytes")], [info["calls"], info["bytes"]["total"]], "what record says")

# handles
found = json.loads(fathom("handles", "--json", "--all", "--launchers", TRACE))
check("handles", found, {"trace": TEXT, "incomplete": NULL, "processes": [dict]})
check_page("fathom-handles", {*HANDLE, "trace", "incomplete", "processes"}, ("proc", "rank", "handles"))
numbers = {}
for process in found["processes"]:
    check("a process with handles", process, {"proc": NUMBER, "rank": (NUMBER, NULL), "handles": [dict]})
    depths = {None: -1}
    for handle in process["handles"]:
        check("a handle", handle, HANDLE)
        expect_equal(handle["depth"], depths[handle["parent"]] + 1, "a parent comes before its children")
        depths[handle["handle"]] = handle["depth"]
    numbers[process["proc"]] = set(depths)
with_handles = [json.loads(line) for line in fathom("dump", "--handles", "--json", "--launchers", TRACE).splitlines()]
expect_equal([call["id"] for call in with_handles], [call["id"] for call in calls], "calls with handles")
for call in with_handles:
    check("a call with handles", call, CALL_WITH_HANDLES)
    named = {call["handle"], call["parent_handle"], call["group"], *call["opens"], *call["closes"]}
    expect(named <= numbers[call["proc"]], f"handles of {call['id']} are not in `fathom handles`")
