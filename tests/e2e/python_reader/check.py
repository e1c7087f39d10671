"""Reads the tables of a trace as streams of Arrow, with nothing but ctypes."""
import ctypes
import os
import threading

import sys

sys.path.insert(1, os.path.join(os.environ["BUILD"], "share", "fathom", "python"))
import fathom as package
from lib import *


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


P = ctypes.c_void_p
N = ctypes.c_int64
Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", P), ("flags", N), ("n_children", N),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))), ("private", P)]  # fmt: skip
Array._fields_ = [("length", N), ("null_count", N), ("offset", N), ("n_buffers", N), ("n_children", N), ("buffers", ctypes.POINTER(P)), ("children", ctypes.POINTER(ctypes.POINTER(Array))),
                  ("dictionary", ctypes.POINTER(Array)), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))), ("private", P)]  # fmt: skip
Stream._fields_ = [("schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))), ("next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
                   ("error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))), ("private", P)]  # fmt: skip
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = P, [ctypes.py_object, ctypes.c_char_p]


def bits(address, count):
    data = ctypes.string_at(address, (count + 7) // 8)
    return [data[i // 8] >> i % 8 & 1 for i in range(count)]


def texts(array):
    offsets = (ctypes.c_int32 * (array.length + 1)).from_address(array.buffers[1])
    return [ctypes.string_at(array.buffers[2] + offsets[i], offsets[i + 1] - offsets[i]).decode() for i in range(array.length)]


def column(schema, array):
    count, form = array.length, schema.format.decode()
    if form == "b":
        values = [bool(bit) for bit in bits(array.buffers[1], count)]
    else:
        values = list(({"i": ctypes.c_int32, "l": ctypes.c_int64, "g": ctypes.c_double}[form] * count).from_address(array.buffers[1]))
    if schema.dictionary:
        words = texts(array.dictionary[0])
        values = [words[value] if words else None for value in values]
    there = bits(array.buffers[0], count) if array.buffers[0] else [1] * count
    expect_equal(array.null_count, count - sum(there), f"nulls of {schema.name}")
    return [value if is_there else None for value, is_there in zip(values, there)]


def rows(table):
    """The rows as dicts."""
    capsule = table.__arrow_c_stream__()
    stream = Stream.from_address(pointer_of(capsule, b"arrow_array_stream"))
    schema, found = Schema(), []
    expect_equal(stream.schema(stream, schema), 0, "the schema")
    expect_equal(schema.format, b"+s", "a structure")
    names = [schema.children[i][0].name.decode() for i in range(schema.n_children)]
    while True:
        batch = Array()
        if stream.next(stream, batch):
            raise ValueError(stream.error(stream).decode())
        if not batch.release:
            break
        expect(0 < batch.length <= 65536, "rows of a batch")
        columns = [column(schema.children[i][0], batch.children[i][0]) for i in range(schema.n_children)]
        found += [dict(zip(names, row)) for row in zip(*columns)]
        batch.release(batch)
    schema.release(schema)
    return found


def raised(function):
    try:
        function()
    except Exception as error:
        return error


def check_calls(found, wanted):
    by_name = {f"{row['proc']}.{row['thread']}.{row['call']}": row for row in found}
    expect_equal(sorted(by_name), sorted(call["id"] for call in wanted), "calls")
    for call in wanted:
        row = by_name[call["id"]]
        for name in ["layer", "func", "kind", "depth", "file", "object", "bytes", "collective", "errno", "error", "source", "world", "rank"]:
            expect_equal(row[name], call[name], f"{name} of {call['id']}")
        expect_equal((row["start"], row["end"]), (round(call["start"] * 1e9), round(call["end"] * 1e9)), f"times of {call['id']}")


def check_arguments(found, wanted):
    """Numbers are in arg_NAME, texts in text_NAME, lists there as JSON; what a call has no value of is null."""
    by_name, seen = {f"{row['proc']}.{row['thread']}.{row['call']}": row for row in found}, set()
    for call in wanted:
        row = by_name[call["id"]]
        filled = {name: value for name, value in row.items() if name.startswith(("arg_", "text_")) and value is not None}
        for name, value in call["args"].items():
            if value is None:
                continue
            words = call["names"].get(name)
            if isinstance(value, int):
                expect_equal(filled.pop(f"arg_{name}"), value, f"arg_{name} of {call['id']} {call['func']}")
            elif isinstance(value, list):
                expect_equal(json.loads(filled.pop(f"text_{name}")), value, f"text_{name} of {call['id']} {call['func']}")
            else:
                expect_equal(filled.pop(f"text_{name}"), value, f"text_{name} of {call['id']} {call['func']}")
                filled.pop(f"arg_{name}", None)  # the number of a constant
            if words:
                expect_equal(filled.pop(f"text_{name}"), words, f"words of {name} of {call['id']}")
            seen.add(type(value))
        expect_equal(filled, {}, f"other parameters of {call['id']} {call['func']}")
    expect({int, str} <= seen, f"values of these kinds only: {seen}")


run = package.open(os.environ["TRACE"])
check_arguments(rows(run.calls(arguments=True)), dump())
check_calls(rows(run.calls(arguments=True)), dump())
expect(not any(name.startswith(("arg_", "text_")) for name in rows(run.calls())[0]), "parameters that nobody asked for")
check_calls(rows(run.calls()), dump())
check_calls(rows(run.calls(layers=["posix"], where="bytes >= 4K")), [c for c in dump() if c["layer"] == "posix" and (c["bytes"] or 0) >= 4096])
middle = dump()[len(dump()) // 2]
check_calls(rows(run.calls(procs=[middle["proc"]], functions=[middle["func"]])), [c for c in dump() if c["proc"] == middle["proc"] and c["func"] == middle["func"]])
check_calls(rows(run.calls(start=round(middle["start"] * 1e9))), [json.loads(line) for line in fathom("dump", "--json", "--from", f"{middle['start']:.9f}", os.environ["TRACE"]).splitlines()])

accesses = {}
for row in rows(run.accesses()):
    accesses.setdefault(f"{row['proc']}.{row['thread']}.{row['call']}", []).append((row["offset"], row["bytes"]))
ranges = 0
for line in fathom("dump", "--json", "--ranges", os.environ["TRACE"]).splitlines():
    call = json.loads(line)
    for offset, length in call.get("ranges") or []:
        ranges += 1
        expect((offset, length) in accesses.get(call["id"], []), f"the range {offset}, {length} of {call['id']}: {accesses.get(call['id'])}")
expect(ranges > 10, "no ranges of bytes")
expect_equal([(p["proc"], p["pid"]) for p in rows(run.processes(launchers=True))], [(p["proc"], p["pid"]) for p in info()["processes"]], "processes")
messages = rows(run.messages())
expect_equal(len(messages) > 0, any(call["func"].startswith("MPI_Send") for call in dump()), "messages")


# An anonymous trace has the same rows, with pseudonyms that are a function of the key and the name.
with open("key", "wb") as file:
    file.write(bytes(range(32)))
anonymous, again = package.open(os.environ["TRACE"], key="key"), package.open(os.environ["TRACE"], anonymous=True, key="key")
other = package.open(os.environ["TRACE"], anonymous=True)
NAMES = {"calls": ["file", "object", "source"], "accesses": ["file"], "processes": ["host", "exe", "directory", "arguments", "mpi"], "messages": ["communicator"],
         "files": ["path", "host"], "handles": ["path", "name", "group_name"], "samples": ["host", "instance"]}  # fmt: skip
hidden = {}
for table, names in NAMES.items():
    shown, secret = rows(getattr(run, table)()), rows(getattr(anonymous, table)())
    expect_equal(secret, rows(getattr(again, table)()), f"{table} with the same key")
    expect_equal(len(secret), len(shown), f"rows of {table}")
    for one, two in zip(shown, secret):
        for name in one:
            if name not in names:
                expect(name == "ret_name" or one[name] == two[name], f"{name} of {table}: {one[name]} {two[name]}")
            elif one[name] is not None and name not in ("arguments", "mpi", "communicator"):
                expect_equal(hidden.setdefault(one[name], two[name]), two[name], f"the pseudonym of {one[name]}")
                expect(one[name] != two[name] or not one[name].strip("/.") or one[name].startswith(("MPI_", "H5")), f"{one[name]} is not hidden")
texts_of = lambda found: {value for row in found for name, value in row.items() if name.startswith("text_path") and value is not None}
expect(not {path for path in texts_of(rows(run.calls(arguments=True))) if path.strip("/.")} & texts_of(rows(anonymous.calls(arguments=True))), "paths of parameters")
expect_equal(len(set(hidden.values())), len(hidden), "different names have different pseudonyms")
path = next(path for path in hidden if path.endswith("both") or path.endswith("out"))
expect_equal(hidden[path].count("/"), path.count("/"), "the depth of a path")
expect(all({row["file"] for row in rows(other.calls())} & {row["file"] for row in rows(one.calls())} <= {None, "/"} for one in (run, anonymous)), "pseudonyms of another key")
expect(isinstance(raised(anonymous.stats), ValueError), "an analysis of an anonymous trace")
for content in (None, b"short"):
    if content:
        with open("short", "wb") as file:
            file.write(content)
    expect(isinstance(raised(lambda: package.open(os.environ["TRACE"], key="short")), ValueError), f"a key of {content}")

files = {row["path"]: row for row in rows(run.files())}
expect_equal(sorted(files), sorted(row["path"] for row in stats()["files"]), "files")
for row in stats()["files"]:
    expect_equal([files[row["path"]][name] for name in ("calls", "opens", "bytes_read", "bytes_written")], [row[name] for name in ("calls", "opens", "bytes_read", "bytes_written")], f"numbers of {row['path']}")
handles = rows(run.handles())
listed = [handle for process in json.loads(fathom("handles", "--json", "--all", os.environ["TRACE"]))["processes"] for handle in process["handles"]]
expect_equal([(row["class"], row["value"], row["path"], row["calls"]) for row in handles], [(h["class"], h["value"], h["path"], h["calls"]) for h in listed], "handles")
samples = {}
for row in rows(run.samples()):
    samples.setdefault((row["host"], row["proc"], row["counter"], row["instance"]), []).append(f"{row['mean']:.6g}")
if "SAMPLED" in os.environ:
    counters = json.loads(fathom("samples", "--json", "--all", "--counter", "*", os.environ["TRACE"]))["counters"]
    expect_equal(samples, {(c["host"], c["proc"], c["counter"], c["instance"]): [f"{value[2]:.6g}" for value in c["values"]] for c in counters}, "samples")
else:
    expect_equal(samples, {}, "samples")

expect_equal(run.stats(), stats(), "stats")
for finding, facts in zip(run.findings(), run.report()["findings"], strict=True):
    expect_equal((finding.kind, finding.title, finding.severity), tuple(facts[name] for name in ("kind", "title", "severity_s")), "a finding")
    expect_equal([call["id"] for call in finding.calls()], finding.evidence, "its evidence")
expect_equal(run.call(middle["id"])["func"], middle["func"], "one call")
expect_equal((run.call_count, run.end > 0, "command" in run.meta), (info()["run"]["calls"] if "run" in info() else run.call_count, True, True), "facts of the run")
expect("verdict" in json.dumps(run.verify()) and "findings" in run.report(), "verify and report")
expect({"open", "record"} <= set(dir(package)), "what completion offers")
expect_equal((run.filename, run.path()), (os.environ["TRACE"], json.loads(fathom("path", "--json", os.environ["TRACE"]))), "path")

# Several threads read at the same time; a stream outlives its trace.
table = package.open(os.environ["TRACE"]).calls()
found = [None] * 3


def read(place):
    found[place] = rows(table)


threads = [threading.Thread(target=read, args=(place,)) for place in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
expect(found[0] == found[1] == found[2] and len(found[0]) == len(dump()), "three threads")
capsule = package.open(os.environ["TRACE"]).calls().__arrow_c_stream__()
del capsule


def expect_error(text, action):
    try:
        action()
    except ValueError as problem:
        expect(text in str(problem), f"the error {problem}")
    else:
        fail(f"no error: {text}")


expect_error("it is not a Fathom trace", lambda: package.open(__file__))
expect_error("no function has the layer 'nope'", lambda: run.calls(where="layer == nope"))
check_calls(rows(run.calls(layers="posix", procs=middle["proc"])), [c for c in dump() if c["layer"] == "posix" and c["proc"] == middle["proc"]])
expect_error("a number is out of range", lambda: run.calls(procs=[10**30]))
expect_error("a number is out of range", lambda: run.calls(end=2**63))
expect_error("made no call", lambda: run.call("0.0.99999999"))
expect_error("there is no process 999", lambda: run.calls(procs=[999]))
for wrong in ({"nothing": 1}, {"procs": ["x"]}, {"layers": [1]}):
    try:
        run.calls(**wrong)
    except TypeError:
        continue
    fail(f"filters {wrong} are taken")
