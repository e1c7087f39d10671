"""Damages $TRACE in many ways and looks at what `fathom` makes of each."""

import os
import random
import resource
import struct
import subprocess

from lib import expect

FATHOM = os.environ["FATHOM"]
whole = open(os.environ["TRACE"], "rb").read()
choose = random.Random(1)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def look(data, what, must_fail):
    with open("damaged.fathom", "wb") as out:
        out.write(data)
    for command in (["info"], ["stats", "--json"], ["dump", "--json"]):
        done = subprocess.run([FATHOM, *command, "damaged.fathom"], capture_output=True, timeout=20, preexec_fn=limit_memory)
        where = f"fathom {' '.join(command)} on a trace {what}"
        expect(done.returncode in (0, 1), f"{where}: status {done.returncode}")
        lines = done.stderr.decode(errors="replace").splitlines()
        if done.returncode == 1:
            expect(len(lines) == 1, f"{where}: {len(lines)} lines on standard error: {lines[:3]}")
        expect(not must_fail or done.returncode == 1, f"{where}: accepted")
    return done.stderr


def xxh64_of_24_bytes(data):
    """XXH64, seed 0, for an input of this length (no stripes): the checksum of the header."""
    one, two, three = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
    four, five, mask = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5, (1 << 64) - 1

    def rotate(value, bits):
        return (value << bits | value >> (64 - bits)) & mask

    hash = five + len(data)
    for (word,) in struct.iter_unpack("<Q", data):
        hash ^= rotate(word * two & mask, 31) * one & mask
        hash = (rotate(hash, 27) * one + four) & mask
    hash = (hash ^ hash >> 33) * two & mask
    hash = (hash ^ hash >> 29) * three & mask
    return hash ^ hash >> 32


look(whole, "that is whole", False)

# A trace of a newer version says so.
expect(struct.pack("<Q", xxh64_of_24_bytes(whole[:24])) == whole[24:32], "the header's checksum is XXH64")
NEWER = 1000  # than any version that this program knows
newer = whole[:8] + struct.pack("<I", NEWER) + whole[12:24]
said = look(newer + struct.pack("<Q", xxh64_of_24_bytes(newer)) + whole[32:], "of a newer version", True)
expect(b"version" in said, f"a trace of a newer version is called something else: {said}")
look(b"", "that is empty", True)
look(b"\0" * 4096, "of zeros", True)
look(choose.randbytes(5000), "of random bytes", True)
look(b"#!/bin/sh\necho no trace\n" * 50, "that is a script", True)

for size in sorted({1, 7, 8, 16, 31, 32, 64, len(whole) - 1, *(choose.randrange(len(whole)) for _ in range(40))}):
    look(whole[:size], f"cut to {size} of {len(whole)} bytes", True)

# A single wrong byte anywhere is noticed by a checksum.
for position in sorted({*range(0, 40, 3), *(choose.randrange(len(whole)) for _ in range(60))}):
    data = bytearray(whole)
    data[position] ^= 1 << choose.randrange(8)
    look(bytes(data), f"with byte {position} of {len(whole)} changed", True)

for _ in range(20):
    data = bytearray(whole)
    start = choose.randrange(len(whole))
    data[start : start + 200] = choose.randbytes(200)
    look(bytes(data), f"with 200 random bytes at {start}", True)

look(whole + whole, "twice in one file", False)
