"""Damages $TRACE in many ways and looks at what `fathom` makes of each."""

import os
import random
import resource
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


look(whole, "that is whole", False)
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
