"""writes.py NAME STEPS: a writer and a reader, both of which have the file open: prints n(ew) or o(ld), as the reader sees it after the write and after
fsync; with `reopen` in STEPS also after close and open."""
import os
import sys

path, steps = sys.argv[1], sys.argv[2:]
with open(path, "w") as file:
    file.write("old")
there, back = os.pipe(), os.pipe()
if os.fork() == 0:
    file = os.open(path, os.O_RDONLY)
    os.write(back[1], b".")
    seen = ""
    for step in ["write", *steps]:
        os.read(there[0], 1)
        if step == "reopen":
            os.close(file)
            file = os.open(path, os.O_RDONLY)
        seen += os.pread(file, 3, 0).decode()[0]
        os.write(back[1], b".")
    print(seen, flush=True)
    os._exit(0)
os.read(back[0], 1)
file = os.open(path, os.O_WRONLY)
for step in ["write", *steps]:
    if step == "write":
        os.pwrite(file, b"new", 0)
    elif step == "fsync":
        os.fsync(file)
    else:
        os.close(file)
    os.write(there[1], b".")
    os.read(back[0], 1)
os.wait()
