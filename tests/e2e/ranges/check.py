"""The ones in the files of a folder are where the ranges of the trace say."""

import json
import os
import sys

from lib import expect, expect_equal, fathom

folder, unknown, layers = os.path.abspath(sys.argv[1]), set(sys.argv[2].split(",")), sys.argv[3:]


def ones(path):
    found, at = set(), 0
    with open(path, "rb") as file:
        while True:
            try:
                at = os.lseek(file.fileno(), at, os.SEEK_DATA)
            except OSError:
                return found
            end = os.lseek(file.fileno(), at, os.SEEK_HOLE)
            found |= {at + i for i, byte in enumerate(os.pread(file.fileno(), end - at, at)) if byte}
            at = end


written = {}
somewhere = 0
for line in fathom("dump", "--ranges", "--json", os.environ["TRACE"]).splitlines():
    call = json.loads(line)
    if call["kind"] == "seek" and call["layer"] == "posix" and call["errno"] is None:
        expect_equal(call.get("position"), call["ret"], f"where {call['id']} goes")
    if call.get("second_range") and call["kind"] == "read" and call["second_file"].startswith(folder + "/"):
        offset, length = call["second_range"]
        written.setdefault(os.path.basename(call["second_file"]), set()).update(range(offset, offset + length))
    if call["layer"] not in layers or not (call["file"] or "").startswith(folder + "/"):
        continue
    name = os.path.basename(call["file"])
    if name in unknown and call["kind"] == "write":
        expect(call["ranges"] is None and call["ranges_unknown"], f"ranges of {call}")
    if name == "flags" and call["kind"] == "write" and call["ranges"] is None:
        somewhere += 1
        written["flags"] |= set(range(1 << 20, (1 << 20) + call["bytes"]))  # the end was there
    if call["ranges"] is None:
        continue
    expect(call["kind"] in ("read", "write"), f"ranges of {call}")
    end = -1
    for offset, length in call["ranges"]:
        expect(offset > end and length > 0, f"order of the ranges of {line}")
        end = offset + length
    expect_equal(sum(length for _, length in call["ranges"]), call["bytes"], f"bytes of {call['id']}")
    if call["kind"] == "write":
        written.setdefault(name, set()).update(i for offset, length in call["ranges"] for i in range(offset, offset + length))

expect_equal(somewhere, "posix" in layers, "writes while F_SETFL said O_APPEND")
count = 0
for name in os.listdir(folder):
    if name in unknown or name.startswith("."):
        continue
    found, wanted = written.get(name, set()), ones(os.path.join(folder, name))
    count += 1
    expect(found == wanted, f"{name}: only in the trace {sorted(found - wanted)[:9]}, only in the file {sorted(wanted - found)[:9]}")
expect(count >= 2, f"{count} files were checked")
