"""An archive, as otf2-print shows it, has the calls that Fathom knows: each entered and left, handles used only while they are open, operations
that end once, and as many bytes for each file, layer and process as its handles have."""
import collections
import re
import subprocess
import sys

from lib import *

LAYERS = {"POSIX I/O": "posix", "ISO C I/O": "stdio", "MPI I/O": "mpiio", "HDF5": "hdf5", "NetCDF": "netcdf", "PnetCDF": "pnetcdf"}
UNKNOWN = 2**64 - 1


def otf2_print(*options):
    done = subprocess.run(["otf2-print", *options, sys.argv[1] + "/traces.otf2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    expect_equal(done.stderr.decode(errors="replace"), "", "what otf2-print complains of")
    return done.stdout.decode(errors="replace").splitlines()


def reference(line, what):
    """(name, number) of what a record refers to"""
    found = re.search(rf'[ ,]{what}: "(.*?)" <(\d+)>', line)
    return (found.group(1), int(found.group(2))) if found else (None, None)


def number(line, what):
    return int(re.search(rf" {what}: (-?\d+)", line).group(1))


def reference_of_rank(line):
    """The location of a rank: 2 ("thread 0" <6>)"""
    return int(re.search(r' (?:Sender|Receiver): \d+ \("[^"]*" <(\d+)>\)', line).group(1))


handles, location_group, events_of = {}, {}, {}
for line in otf2_print("-G"):
    word, _, rest = line.partition(" ")
    if word == "LOCATION":
        own = int(rest.split()[0])
        location_group[own] = reference(line, "Group")[1]
        events_of[own] = number(line, "# Events")
    elif word == "IO_HANDLE":
        handles[int(rest.split()[0])] = {"name": reference(line, "Name")[0], "layer": LAYERS[reference(line, "I/O Paradigm")[0]],
                                         "there": "PRE_CREATED" in line, "parent": reference(line, "Parent")[1]}

entered, stacks, last, seen = collections.Counter(), collections.defaultdict(list), collections.Counter(), collections.Counter()
active = {own for own, handle in handles.items() if handle["there"]}
flying, moved, sends, receives = {}, collections.Counter(), collections.Counter(), collections.Counter()
counts = collections.Counter()
collectives = collections.defaultdict(lambda: collections.defaultdict(list))
for line in otf2_print():
    found = re.match(r"([A-Z_]+) +(\d+) +(\d+)  ?(.*)", line)
    if not found:
        continue
    kind, location, time, rest = found.group(1), int(found.group(2)), int(found.group(3)), " " + found.group(4)
    counts[kind] += 1
    seen[location] += 1
    expect(time >= last[location], line)
    last[location] = time
    stack = stacks[location]
    if kind == "ENTER":
        stack.append(reference(rest, "Region"))
        entered[stack[-1][0]] += 1
        continue
    if kind == "LEAVE":
        expect_equal(stack.pop(), reference(rest, "Region"), line)
        continue
    if kind in ("MPI_SEND", "MPI_RECV"):
        peer, communicator = reference_of_rank(rest), reference(rest, "Communicator")[1]
        ends = (location, peer) if kind == "MPI_SEND" else (peer, location)
        (sends if kind == "MPI_SEND" else receives)[(communicator, *ends, number(rest, "Tag"), number(rest, "Length"))] += 1
        continue
    if kind == "MPI_COLLECTIVE_END":
        operation = re.search(r"Operation: (\w+)", rest).group(1), re.search(r"Root: (\w+)", rest).group(1)
        collectives[reference(rest, "Communicator")[1]][location_group[location]].append(operation)
    if kind.startswith("MPI_"):
        continue
    expect(stack, "outside a call: " + line)
    handle = reference(rest, "Handle")[1]
    if kind in ("IO_CREATE_HANDLE", "IO_DUPLICATE_HANDLE"):
        new = handle if kind == "IO_CREATE_HANDLE" else reference(rest, "New Handle")[1]
        expect(new not in active, "open already: " + line)
        expect(kind == "IO_CREATE_HANDLE" or reference(rest, "Old Handle")[1] in active, "no original: " + line)
        active.add(new)
        continue
    if kind == "IO_DELETE_FILE":
        continue
    expect(handle in active, "not open: " + line)
    if kind == "IO_DESTROY_HANDLE":
        active.remove(handle)
    if "Matching Id" not in rest:
        continue
    group = location_group[location]
    key = group, handle, number(rest, "Matching Id")
    if kind == "IO_OPERATION_BEGIN":
        expect(key not in flying, "twice: " + line)
        flying[key] = ["NON_BLOCKING" not in rest, location]
    elif kind == "IO_OPERATION_ISSUED":
        expect_equal(flying[key], [False, location], line)
    elif kind in ("IO_OPERATION_COMPLETE", "IO_OPERATION_CANCELLED"):
        is_blocking, begun = flying.pop(key)
        expect(not is_blocking or begun == location, line)
        if kind == "IO_OPERATION_COMPLETE" and number(rest, "Bytes Result") != UNKNOWN:
            moved[handles[handle]["layer"], handles[handle]["name"]] += number(rest, "Bytes Result")
    else:
        expect_equal((kind, flying[key][0]), ("IO_OPERATION_TEST", False), line)

expect(not any(stacks.values()), "a call that is not left")
expect_equal(seen, collections.Counter(events_of), "events of locations")
expect_equal(sends, receives, "messages")
for communicator, of_members in collectives.items():
    one = next(iter(of_members.values()))
    expect(all(other == one for other in of_members.values()), f"members of communicator {communicator} called others: {of_members}")
known_calls = {row["func"]: row["calls"] for row in stats()["functions"]}
expect_equal(entered, collections.Counter(known_calls), "calls by function")
for handle in handles.values():
    expect(handle["parent"] is None or handle["parent"] in handles, "a parent that is not there")
known = collections.Counter()
for process in json.loads(fathom("handles", "--json", "--all", os.environ["TRACE"]))["processes"]:
    for handle in process["handles"]:
        if handle["path"] or handle["type"]:
            known[handle["layer"], handle["path"] or handle["type"]] += handle["bytes_read"] + handle["bytes_written"]
for line in fathom("dump", "--json", "--ranges", os.environ["TRACE"]).splitlines():
    call = json.loads(line)
    if call.get("second_file"): # a copy counts for the handle that it is about
        known[call["layer"], call["second_file"]] += call["bytes"]
expect_equal(+moved, +known, "bytes of handles")
for wanted in sys.argv[2:]:
    kind, _, times = wanted.partition("=")
    expect_equal(counts[kind], int(times), kind)
