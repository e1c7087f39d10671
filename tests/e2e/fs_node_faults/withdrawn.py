"""Bytes of a file are published, and behind a line of a pipe others: withdrawn.py FILE PIPE. It ends as soon as that has failed."""
import os
import sys

name, pipe = sys.argv[1:]
file = os.open(name, os.O_RDWR | os.O_CREAT)
os.pwrite(file, b"old", 0)
os.fsync(file)
print("ready", flush=True)
with open(pipe) as line:
    line.read()
os.pwrite(file, b"new", 0)
try:
    os.fsync(file)
    print("done", flush=True)
except OSError:
    print("given up", flush=True)
    os.kill(os.getpid(), 9)
