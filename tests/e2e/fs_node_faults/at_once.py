"""Sixteen processes with a file each, so that no server is the home of all: at_once.py FOLDER cut|append. Each writes 100 bytes; behind a
line of standard input it cuts its file off, or appends 100 more."""
import os
import sys

folder, what = sys.argv[1:]
written, tells = os.pipe()
waits, go = os.pipe()
for i in range(16):
    if os.fork():
        continue
    os.close(go)
    file = os.open(f"{folder}/{what}.{i}", os.O_RDWR | os.O_CREAT | (os.O_APPEND if what == "append" else 0))
    os.write(file, b"x" * 100)
    os.write(tells, b"w")
    os.read(waits, 1)
    if what == "cut":
        os.ftruncate(file, 0)
    else:
        os.write(file, b"y" * 100)
    os._exit(0)
for _ in range(16):
    os.read(written, 1)
print("written", flush=True)
sys.stdin.readline()
os.close(go)
sys.exit(sum(os.wait()[1] != 0 for _ in range(16)))
