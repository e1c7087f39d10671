"""holds.py TRACE JSON SECRET: the secret is nowhere in the trace, whose sections are decompressed for that, nor in its calls."""

import os
import struct
import sys

sys.path.insert(0, os.environ["SOURCE"] + "/tests/e2e/format")
import reader  # noqa: E402

trace, calls, secret = sys.argv[1], sys.argv[2], sys.argv[3].encode()
data = open(trace, "rb").read()
spread = [b"".join(bytes([letter]) + b"\0" * gap for letter in secret[:4]) for gap in (1, 3)]


def parts():
    yield "file", data
    at = 32
    while at < len(data):
        kind, codec, _, _, _, stored, raw, _ = struct.unpack("<4sHHIIQQQ", data[at : at + 40])
        body = data[at + 40 : at + 40 + stored]
        yield kind.decode(), reader.unzstd(body, raw) if codec == 1 else body
        at += 40 + stored
    yield "dump", open(calls, "rb").read()


names = set()
for name, body in parts():
    names.add(name)
    for searched in [secret, secret[::-1], secret[:6], secret[3:], *spread]:
        assert searched not in body, f"{searched} is in {name}"
assert {"CATL", "STRS", "SIGS", "dump"} <= names, names
