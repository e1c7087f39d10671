"""When a process sees what another one wrote: visible.py FILE prints a letter for each moment: n(ew) or o(ld), after the write, after fsync,
after close, and after the reader has opened the file again."""
import os
import sys

path = sys.argv[1]
with open(path, "w") as file:
    file.write("old")
to_reader, to_writer = os.pipe(), os.pipe()


def say(pipe):
    os.write(pipe[1], b".")


def wait(pipe):
    if os.read(pipe[0], 1) != b".":
        sys.exit("the other process has ended")


if os.fork() == 0:
    file = os.open(path, os.O_RDONLY)
    say(to_writer)
    seen = ""
    for moment in range(4):
        wait(to_reader)
        if moment == 3:
            os.close(file)
            file = os.open(path, os.O_RDONLY)
        seen += os.pread(file, 3, 0).decode()[0]
        say(to_writer)
    print(seen, flush=True)
    os._exit(0)
wait(to_writer)
file = os.open(path, os.O_WRONLY)
for step in (lambda: os.pwrite(file, b"new", 0), lambda: os.fsync(file), lambda: os.close(file), lambda: None):
    step()
    say(to_reader)
    wait(to_writer)
os.wait()
