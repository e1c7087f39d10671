"""maps.py FOLDER: files that processes map shared: each sees at once what the other does, by whatever call, also one that has had the file open before."""
import fcntl
import mmap
import os
import sys

os.chdir(sys.argv[1])
there, back = os.pipe(), os.pipe()


def turn(mine, other):
    """The other one's turn, until it gives it back."""
    os.write(mine, b".")
    assert os.read(other, 1)


def other():
    os.read(there[0], 1)
    file = os.open("mapped", os.O_RDWR | os.O_APPEND)
    assert os.pread(file, 5, 0) == b"first", os.pread(file, 5, 0)
    early = os.open("mapped", os.O_RDONLY)
    os.write(file, b"appended")  # under session, nobody sees it yet
    turn(back[1], there[0])  # it is mapped now
    assert os.pread(early, 5, 0) == b"FIRST", os.pread(early, 5, 0)
    assert os.pread(file, 6, 8186) == b"\0" * 6
    assert fcntl.fcntl(file, fcntl.F_GETFL) & os.O_APPEND
    os.write(file, b"more")
    os.fsync(file)
    copy = os.dup(file)
    os.close(file)
    os.pwrite(os.open("mapped", os.O_WRONLY), b"X", 5)
    assert os.fstat(copy).st_size == 8192 + 12, os.fstat(copy).st_size
    beside = os.open("beside", os.O_RDWR | os.O_CREAT)
    os.pwrite(beside, b"beside", 0)  # is seen by who learns of it from the map
    turn(back[1], there[0])
    assert os.stat("mapped").st_size == 4096
    own = mmap.mmap(copy, 4096)
    own[10:13] = b"own"
    os.write(back[1], b".")
    os._exit(0)


child = os.fork()
if not child:
    other()
file = os.open("mapped", os.O_RDWR | os.O_CREAT)
os.pwrite(file, b"first", 0)
os.ftruncate(file, 8192)
os.close(file)
file = os.open("mapped", os.O_RDWR)
beside = os.open("beside", os.O_RDWR | os.O_CREAT)
assert os.pread(beside, 6, 0) == b""
turn(there[1], back[0])
os.pwrite(file, b"FI", 0)
shared = mmap.mmap(file, 8192)
assert shared[:6] == b"FIrst\0", shared[:6]
shared[2:5] = b"RST"
turn(there[1], back[0])
assert shared[:6] == b"FIRSTX", shared[:6]
assert os.pread(file, 20, 8192) == b"appendedmore", os.pread(file, 20, 8192)
assert os.pread(beside, 6, 0) == b"beside", "what a process writes that shares memory"
os.ftruncate(file, 4096)
turn(there[1], back[0])
assert shared[10:13] == b"own" and os.pread(file, 3, 10) == b"own"
assert os.waitpid(child, 0)[1] == 0
with open("mapped", "rb") as again:
    assert again.read(13) == b"FIRSTX\0\0\0\0own"
with open("mapped", "wb") as again:
    again.write(b"short")
assert os.fstat(file).st_size == 5
