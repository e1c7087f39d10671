"""When one process sees what another one wrote, of which one is preloaded and the other is not: across.py PATH PRELOADED, where
PRELOADED is reader or writer. Prints a letter for each moment: n(ew) or o(ld), after the write, after fsync, after close, and after the reader
has opened the file again."""
import os
import subprocess
import sys

path, role = sys.argv[1:3]


def read():
    file = os.open(path, os.O_RDONLY)
    print("ready", flush=True)
    for moment in range(4):
        sys.stdin.readline()
        if moment == 3:
            os.close(file)
            file = os.open(path, os.O_RDONLY)
        print(os.pread(file, 3, 0).decode()[0], flush=True)


def write():
    file = os.open(path, os.O_WRONLY)
    for step in (lambda: os.pwrite(file, b"new", 0), lambda: os.fsync(file), lambda: os.close(file)):
        sys.stdin.readline()
        step()
        print("done", flush=True)


def start(which):
    preload = {} if which == role else {"LD_PRELOAD": "", "FATHOM_FS": ""}
    return subprocess.Popen([sys.executable, sys.argv[0], path, which, "as child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            env={**os.environ, **preload})


def ask(process):
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


if len(sys.argv) > 3:
    {"reader": read, "writer": write}[role]()
    sys.exit()
with open(path, "w") as first:
    first.write("old")
reader, writer = start("reader"), start("writer")
assert reader.stdout.readline() == "ready\n"
seen = ""
for _ in range(3):
    assert ask(writer) == "done"
    seen += ask(reader)
print(seen + ask(reader))
for process in reader, writer:
    process.stdin.close()
    assert process.wait() == 0
