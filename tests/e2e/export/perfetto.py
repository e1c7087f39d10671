"""A Perfetto trace has the calls that `fathom dump` has: an independent reader of the few messages that are in it."""
import collections
import struct
import sys

from lib import *

BEGIN, END, COUNTER = 1, 2, 4
OWN_CLOCK = 64


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """{field: [values]} of a message; what has a length stays bytes."""
    found = collections.defaultdict(list)
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        else:
            expect_equal(tag & 7, 2, "the type of a field")
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
        found[tag >> 3].append(value)
    expect_equal(at, len(data), "the end of a message")
    return found


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def value_of(annotation, strings):
    if 17 in annotation:
        return strings[annotation[17][0]]
    if 6 in annotation:
        return annotation[6][0].decode()
    if 4 in annotation:
        return signed(annotation[4][0])
    return [value_of(fields(item), strings) for item in annotation[12]]


class Sequence:
    def __init__(self, packet):
        clocks = {clock[1][0]: clock for clock in map(fields, fields(packet[6][0])[1])}
        expect_equal(clocks[OWN_CLOCK][3], [1], "times of a sequence are differences")
        self.time = clocks[OWN_CLOCK][2][0]
        self.known = {1: {}, 2: {}, 3: {}, 29: {}}

    def learn(self, packet):
        for interned in packet[12]:
            for field, entries in fields(interned).items():
                for entry in map(fields, entries):
                    self.known[field][entry[1][0]] = entry[2][0].decode()


tracks, sequences, stacks = {}, {}, collections.defaultdict(list)
slices, values = {}, collections.defaultdict(list)
with open(sys.argv[1], "rb") as trace:
    packets = fields(trace.read())[1]
for packet in map(fields, packets):
    if 60 in packet:
        track = fields(packet[60][0])
        tracks[track[1][0]] = track
    elif packet[13] == [1]:
        sequences[packet[10][0]] = Sequence(packet)
    elif 11 in packet and fields(packet[11][0])[9] == [COUNTER]:
        event = fields(packet[11][0])
        values[event[11][0]].append((packet[8][0], struct.unpack("<d", struct.pack("<Q", event[44][0]))[0]))
    elif 11 in packet:
        sequence, event = sequences[packet[10][0]], fields(packet[11][0])
        sequence.learn(packet)
        sequence.time += packet[8][0]
        if event[9] == [BEGIN]:
            known = sequence.known
            found = {known[3][a[1][0]]: value_of(a, known[29]) for a in map(fields, event[4])}
            slices[found["call"]] = {"name": known[2][event[10][0]], "layer": known[1][event[3][0]], "start": sequence.time,
                                     "track": event[11][0], "flows": event[47], **found}  # fmt: skip
            stacks[event[11][0]].append(found["call"])
        else:
            slices[stacks[event[11][0]].pop()]["end"] = sequence.time
expect(not any(stacks.values()), "a slice does not end")


def text(value):
    """What is no UTF-8 is replaced."""
    return value.encode("latin1", "replace").decode("utf-8", "replace") if value and "\xe9" in value else value


expect_equal(sorted(slices), sorted(call["id"] for call in dump()), "calls")
flows = collections.Counter(flow for one in slices.values() for flow in one["flows"])
for call in dump():
    one = slices[call["id"]]
    expect_equal((one["name"], one["layer"], one.get("bytes")), (call["func"], call["layer"], call["bytes"]), call["id"])
    expect_equal(one.get("file"), text(call["file"]), f"the file of {call['id']}")
    expect_equal((one["start"], one["end"]), (round(call["start"] * 1e9), round(call["end"] * 1e9)), f"times of {call['id']}")
    track = tracks[one["track"]]
    expect_equal(track[2][0].decode(), call["layer"], "the track of a layer")
    thread = fields(tracks[track[5][0]][4][0])
    process = fields(tracks[tracks[track[5][0]][5][0]][3][0])
    expect_equal(thread[1], process[1], "the process of a thread")
    expect(process[6][0].decode().startswith(f"rank {call['rank']}:" if call["rank"] is not None else f"process {call['proc']}:"), "its name")
    expect(one.get("error") in (call["error"], call["errno"]), f"the error of {call['id']}")
    for name, value in call["args"].items():
        if isinstance(value, int) and name not in call["names"] and f"arg.{name}" in one:
            expect_equal(one[f"arg.{name}"], value, f"{name} of {call['id']}")
    around = slices.get(call["parent"])
    if around and around["layer"] != call["layer"] and call["parent"].split(".")[1] == call["id"].split(".")[1]:
        expect(set(around["flows"]) & set(one["flows"]), f"an arrow from {call['parent']} to {call['id']}")
names = {fields(track[3][0])[1][0] for track in tracks.values() if 3 in track}
expect_equal(len(names), len({call["proc"] for call in dump()} | {p["proc"] for p in info()["processes"] if not p.get("launcher")}), "pids")

# The area below a rate is the bytes of the layer.
moved = collections.Counter()
by_name = {call["id"]: call for call in dump()}
KINDS = {"read": [": read"], "write": [": written"]}
BOTH = {"copy_file_range", "sendfile", "splice"}
for call in dump():
    around = by_name.get(call["parent"])
    if call["bytes"] and not (around and around["layer"] == call["layer"]):
        for kind in [": read", ": written"] if call["func"] in BOTH else KINDS.get(call["kind"], []):
            moved[call["layer"] + kind] += call["bytes"]
for number, points in values.items():
    name = tracks[number][2][0].decode()
    if name in moved:
        area = sum(rate * (after - at) / 1e9 for (at, rate), (after, _) in zip(points, points[1:]))
        expect(abs(area - moved[name]) < 1 + moved[name] * 1e-6, f"{name}: {area} bytes, and the calls move {moved[name]}")
        moved[name] = 0
expect(not any(moved.values()), f"rates that are not there: {+moved}")
if "messages" in sys.argv:
    sent = [c["id"] for c in dump() if c["func"] == "MPI_Send"]
    for name in sent:
        expect(any(flows[flow] == 2 for flow in slices[name]["flows"]), f"{name}: no arrow to whom it sends")
        to = [c for c in dump() if set(slices[c["id"]]["flows"]) & set(slices[name]["flows"]) and c["func"] == "MPI_Irecv"]
        call = by_name[name]
        expect_equal([(c["rank"], c["args"]["tag"]) for c in to], [(call["args"]["dest"], call["args"]["tag"])], f"who gets {name}")
else:
    expect(any("cpu" in tracks[number][2][0].decode() for number in values), "no samples of the machine")
