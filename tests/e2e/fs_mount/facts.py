"""What a program that is not preloaded finds on the mount: facts.py FOLDER BELOW."""
import ctypes
import errno
import mmap
import os
import sys

top, below = sys.argv[1] + "/", sys.argv[2] + "/"


def fails(number, call):
    try:
        call()
    except OSError as error:
        assert error.errno == number, error
        return
    raise SystemExit(f"no error {number}")


# ---- an open file outlives its name ----
file = os.open(top + "gone", os.O_RDWR | os.O_CREAT)
os.write(file, b"abc")
os.unlink(top + "gone")
with open(top + "gone", "w") as other:
    other.write("another file")
os.pwrite(file, b"d", 3)
assert (os.fstat(file).st_nlink, os.fstat(file).st_size, os.pread(file, 9, 0)) == (0, 4, b"abcd")
os.ftruncate(file, 2)
os.fchmod(file, 0o600)
assert os.fstat(file).st_size == 2 and os.fstat(file).st_mode & 0o777 == 0o600
with open(f"/proc/self/fd/{file}", "rb") as again:
    assert again.read() == b"ab"
os.close(file)
with open(top + "gone") as other:
    assert other.read() == "another file"

# ---- one file is exchanged for another while it is mapped ----
for name, letter in ("one", b"1"), ("two", b"2"):
    with open(top + name, "wb") as made:
        made.write(letter * 8192)
file = os.open(top + "one", os.O_RDONLY)
first = mmap.mmap(file, 8192, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
assert first[0] == ord("1")
os.rename(below + "two", below + "one")  # past the kernel's knowledge of the mount, as preloaded programs do it
with open(top + "one", "rb") as again:
    second = mmap.mmap(again.fileno(), 8192, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
assert (first[0], first[8191], second[0], second[8191]) == tuple(b"1122")
assert os.pread(file, 1, 0) == b"1" and os.fstat(file).st_ino != os.stat(top + "one").st_ino
os.close(file)

# ---- facts ----
file = os.open(top + "facts", os.O_RDWR | os.O_CREAT)
for name in "facts", "":
    assert os.stat(top + name).st_ino == os.stat(below + name).st_ino
os.utime(top + "facts", ns=(5, 10**9 + 7))
assert (os.fstat(file).st_atime_ns, os.stat(top + "facts").st_mtime_ns) == (5, 10**9 + 7)
os.link(top + "facts", top + "other")
os.symlink("facts", top + "symlink")
assert os.stat(top + "symlink").st_nlink == 2 and os.readlink(top + "symlink") == "facts"
assert os.lstat(top + "symlink").st_ino == os.lstat(below + "symlink").st_ino
for mode in 0o600, 0o640:
    os.chmod(below + "facts", mode)  # past the kernel again
    assert os.fstat(file).st_mode & 0o777 == mode
assert os.statvfs(top).f_blocks == os.statvfs(below).f_blocks
os.posix_fallocate(file, 100, 50)
assert os.stat(top + "other").st_size == 150
os.pwrite(file, b"x", 200)
assert os.lseek(file, 150, os.SEEK_HOLE) >= 150 and os.lseek(file, 0, os.SEEK_END) == 201
os.mkfifo(top + "fifo", 0o600)
before = os.umask(0)
os.close(os.open(top + "for all", os.O_CREAT, 0o666))
os.umask(before)
assert os.stat(top + "for all").st_mode & 0o777 == 0o666

# ---- names that are not replaced, and those that are exchanged ----
AT_FDCWD, NOREPLACE, EXCHANGE = -100, 1, 2
for name in "here", "there":
    with open(top + name, "w") as made:
        made.write(name)
for flags, result, contents in (NOREPLACE, -1, ("here", "there")), (EXCHANGE, 0, ("there", "here")):
    assert ctypes.CDLL(None).renameat2(AT_FDCWD, (top + "here").encode(), AT_FDCWD, (top + "there").encode(), flags) == result, flags
    for name, content in zip(("here", "there"), contents):
        with open(top + name) as again:
            assert again.read() == content

# ---- who appends finds the end that others have made ----
appends = [os.open(top + "appended", os.O_WRONLY | os.O_CREAT | os.O_APPEND) for _ in range(2)]
for turn in range(6):
    os.write(appends[turn % 2], b"%d" % turn)
with open(top + "appended") as again:
    assert again.read() == "012345"

# ---- folders ----
os.makedirs(top + "many/in")
names = {f"{number}-{'n' * 60}" for number in range(700)}
for name in names:
    os.close(os.open(f"{top}many/{name}", os.O_CREAT))
assert sorted(os.listdir(top + "many")) == sorted(names | {"in"})
os.chdir(top + "many/in")
os.rename(below + "many", below + "renamed")
assert len(os.listdir("..")) == 701 and os.getcwd().endswith("/in")
with open("here", "w") as made:
    made.write("here")
assert os.listdir(top + "renamed/in") == ["here"]
fails(errno.ENOTEMPTY, lambda: os.rmdir(top + "renamed"))

# ---- what is refused ----
fails(errno.ENODEV, lambda: mmap.mmap(file, 1))
fails(errno.EOPNOTSUPP, lambda: os.setxattr(top + "facts", "user.x", b"y"))
fails(errno.EOPNOTSUPP, lambda: os.open(top, os.O_TMPFILE | os.O_RDWR))
