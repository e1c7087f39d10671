"""Several processes append to one file at a time: appends.py FILE PROCESSES TIMES [FIRST], processes FIRST and the following. Each appends pieces of its own, whose
lengths differ. appends.py FILE check PROCESSES TIMES: all of them are there once, those of each in order, and no hole."""
import os
import sys


def pieces(number, times):
    return [(b"%c%03d" % (65 + number, i)) * (1 + i % 3) for i in range(times)]


def append(path, processes, times, first=0):
    for number in range(first, first + processes):
        if os.fork():
            continue
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for piece in pieces(number, times):
            if os.write(file, piece) != len(piece):
                os._exit(1)
        os.close(file)
        os._exit(0)
    for _ in range(processes):
        if os.wait()[1]:
            sys.exit("a process failed")


def check(path, processes, times):
    with open(path, "rb") as file:
        whole = file.read()
    found = [b""] * processes
    for at in range(0, len(whole), 4):
        number = whole[at] - 65
        if not 0 <= number < processes:
            sys.exit(f"{path} has {whole[at : at + 4]!r} at {at}")
        found[number] += whole[at : at + 4]
    for number in range(processes):
        if found[number] != b"".join(pieces(number, times)):
            sys.exit(f"{path} has other bytes of process {number}: {found[number]!r:.200}")


if sys.argv[2] == "check":
    check(sys.argv[1], *map(int, sys.argv[3:]))
else:
    append(sys.argv[1], *map(int, sys.argv[2:]))
