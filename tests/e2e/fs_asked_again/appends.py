"""Several processes append to one file at a time: appends.py FILE PROCESSES TIMES. Each appends a byte of its own, in pieces whose lengths differ; in the end all
of them are there once, those of each in order, and no hole."""
import os
import sys

path, processes, times = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def pieces(number):
    return [(b"%c%03d" % (65 + number, i)) * (1 + i % 3) for i in range(times)]


for number in range(processes):
    if os.fork():
        continue
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for piece in pieces(number):
        if os.write(file, piece) != len(piece):
            os._exit(1)
    os.close(file)
    os._exit(0)
for _ in range(processes):
    if os.wait()[1]:
        sys.exit("a process failed")
with open(path, "rb") as file:
    whole = file.read()
found = [b""] * processes
for at in range(0, len(whole), 4):
    if whole[at : at + 1] < b"A":
        sys.exit(f"{path} has {whole[at : at + 4]!r} at {at}")
    found[whole[at] - 65] += whole[at : at + 4]
for number in range(processes):
    if found[number] != b"".join(pieces(number)):
        sys.exit(f"{path} has other bytes of process {number}: {found[number]!r:.200}")
