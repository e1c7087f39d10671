"""What one process must find on any file system, one function each: exact.py FOLDER."""
import ctypes
import errno
import fcntl
import os
import struct
import sys

os.chdir(sys.argv[1])


def fails(number, call):
    try:
        call()
    except OSError as error:
        assert error.errno == number, error
        return
    raise SystemExit(f"no error {number}")


def copy_that_fails():
    """dup2 of a descriptor that is none leaves the other one open, and appending."""
    file = os.open("copied", os.O_RDWR | os.O_CREAT | os.O_APPEND)
    os.write(file, b"one")
    fails(errno.EBADF, lambda: os.dup2(999, file))
    os.pwrite(file, b"ONE", 0)  # a write that appends does so at any offset
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, b"two")
    assert os.fstat(file).st_size == 9, os.fstat(file)
    assert os.pread(file, 9, 0) == b"oneONEtwo"
    assert fcntl.fcntl(file, fcntl.F_GETFL) & os.O_APPEND


def times_that_are_set():
    """A time that is set between a write and the close is the file's, after the close, too."""
    for append in [0, os.O_APPEND]:
        file = os.open(f"times{append}", os.O_RDWR | os.O_CREAT | append)
        os.write(file, b"x" * 5000)
        os.utime(file, ns=(5 * 10**9, 6 * 10**9 + 7))
        assert os.fstat(file).st_mtime_ns == 6 * 10**9 + 7
        os.close(file)
        assert os.stat(f"times{append}").st_mtime_ns == 6 * 10**9 + 7, os.stat(f"times{append}")
        file = os.open(f"times{append}", os.O_RDWR)
        os.write(file, b"y")
        os.close(file)
        assert os.stat(f"times{append}").st_mtime > 10**9, "a write after that"
        os.utime(f"times{append}", ns=(5 * 10**9, 8 * 10**9))


def start_by_fork(work):
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return child


def start_by_spawn(work):
    return os.posix_spawn(sys.executable, [sys.executable, "-c", "import os; f = os.open('shared', os.O_WRONLY); os.pwrite(f, b'child', 0); os.close(f)"], os.environ)


def start_by_system(work):
    assert os.system("printf child | dd of=shared conv=notrunc status=none") == 0
    return os.posix_spawnp("true", ["true"], os.environ)


def children():
    """What the parent wrote before it made a child does not come over what the child wrote after."""
    def work():
        file = os.open("shared", os.O_RDWR)
        assert os.pread(file, 9, 0) == b"parent 12", os.pread(file, 9, 0)
        os.pwrite(file, b"child", 0)
        os.close(file)
    for start in [start_by_fork, start_by_spawn, start_by_system]:
        file = os.open("shared", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        os.write(file, b"parent 12")
        assert os.waitpid(start(work), 0)[1] == 0
        os.pwrite(file, b"3", 9)
        os.close(file)
        with open("shared", "rb") as again:
            assert again.read() == b"childt 123", start


def greatest_offset():
    file = os.open("end", os.O_RDWR | os.O_CREAT)
    fails(errno.EINVAL, lambda: os.pwrite(file, b"z", 2**63 - 1))
    fails(errno.EINVAL, lambda: os.pread(file, 1, 2**63 - 1))
    assert os.fstat(file).st_size == 0


def bad_pointers():
    """Of memory that is not there, as the kernel says it: what is before it is written or read."""
    libc = ctypes.CDLL(None, use_errno=True)
    file = os.open("bad", os.O_RDWR | os.O_CREAT | os.O_APPEND)
    os.write(file, b"hello world")

    class Piece(ctypes.Structure):
        _fields_ = [("at", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]
    room = ctypes.create_string_buffer(b"..", 3)
    pieces = (Piece * 3)(Piece(ctypes.addressof(room), 2), Piece(8, 3), Piece(ctypes.addressof(room), 2))
    for bad in [None, ctypes.c_void_p(8), ctypes.c_void_p(-1)]:
        for name, arguments in [("write", [5]), ("pwrite", [5, 0]), ("read", [5]), ("pread", [5, 0])]:
            os.lseek(file, 0, os.SEEK_SET)
            assert getattr(libc, name)(file, bad, *map(ctypes.c_long, arguments)) == -1, name
            assert ctypes.get_errno() == errno.EFAULT, (name, ctypes.get_errno())
            assert os.lseek(file, 0, os.SEEK_CUR) == 0, name
    assert libc.pread(file, ctypes.c_void_p(8), ctypes.c_long(5), ctypes.c_long(99)) == 0, "at the end"
    assert libc.preadv(file, pieces, 3, ctypes.c_long(0)) == 2 and room.value == b"he"
    assert libc.writev(file, pieces, 3) == 2
    os.write(file, b"!")
    assert os.pread(file, 99, 0) == b"hello worldhe!"


def memory_that_ends():
    """A buffer of which a page is not there, or cannot be written: what is before it counts."""
    libc = ctypes.CDLL("libc.so.6", use_errno=True)  # by its handle, and not in the scope of the program
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    map = libc.mmap(None, 5 * 4096, 3, 0x22, -1, 0)
    file = os.open("ends", os.O_RDWR | os.O_CREAT)
    at = ctypes.c_void_p(map)
    assert libc.write(file, at, 5 * 4096) == 5 * 4096  # so that it is known to be there
    assert libc.munmap(ctypes.c_void_p(map + 4 * 4096), 4096) == 0
    assert libc.mprotect(ctypes.c_void_p(map + 3 * 4096), 4096, 1) == 0
    os.ftruncate(file, 0)
    assert libc.pwrite(file, at, 5 * 4096, ctypes.c_long(0)) == 4 * 4096
    assert os.fstat(file).st_size == 4 * 4096
    assert libc.pread(file, at, 4 * 4096, ctypes.c_long(0)) == 3 * 4096
    assert libc.pread(file, ctypes.c_void_p(map + 3 * 4096), 10, ctypes.c_long(0)) == -1 and ctypes.get_errno() == errno.EFAULT
    assert libc.write(file, ctypes.c_void_p(map + 4 * 4096), 10) == -1 and ctypes.get_errno() == errno.EFAULT
    assert libc.writev(file, ctypes.c_void_p(map + 4 * 4096), 3) == -1 and ctypes.get_errno() == errno.EFAULT


def room_that_is_reserved():
    file = os.open("room", os.O_RDWR | os.O_CREAT)
    os.write(file, b"x" * 100)
    os.posix_fallocate(file, 50, 100)
    assert os.fstat(file).st_size == 150 and os.pread(file, 999, 0) == b"x" * 100 + bytes(50)
    os.posix_fallocate(file, 0, 10)
    assert os.stat("room").st_size == 150
    os.ftruncate(file, 20)
    os.ftruncate(file, 200)
    assert os.pread(file, 999, 10) == b"x" * 10 + bytes(180)
    if os.fork() == 0:
        assert os.stat("room").st_size == 200
        with open("room", "rb") as again:
            assert again.read() == b"x" * 20 + bytes(180)
        os._exit(0)
    assert os.wait()[1] == 0


def in_child(work):
    """A process of its own, which has not the descriptors' locks of this one."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, work


def locked_and_written(name, kind):
    file = os.open(name, os.O_RDWR | os.O_CREAT, 0o644)
    fcntl.flock(file, kind | fcntl.LOCK_NB)
    os.write(file, b"abc")
    return file


def locks_of_open_files():
    """flock ends with the last descriptor of the open file, also where it was written through."""
    for name, kind in [("exclusive", fcntl.LOCK_EX), ("shared lock", fcntl.LOCK_SH)]:
        for _ in range(3):
            file = locked_and_written(name, kind)
            other = os.open(name, os.O_RDWR)
            fails(errno.EAGAIN, lambda: fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB))
            os.close(os.dup(file))
            fails(errno.EAGAIN, lambda: fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB))
            os.close(file)
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.close(other)
        in_child(lambda: locked_and_written(name, kind))
        os.close(locked_and_written(name, fcntl.LOCK_EX))
    # it is one of the open file, not of the process that took it
    file = locked_and_written("passed on", fcntl.LOCK_EX)
    if os.fork() == 0:
        os._exit(os.write(file, b"def") != 3)
    assert os.wait()[1] == 0
    other = os.open("passed on", os.O_RDWR)
    fails(errno.EAGAIN, lambda: fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB))
    os.close(file)
    fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert os.pread(other, 9, 0) == b"abcdef"
    os.close(other)
    # files without a name
    for flags in [os.O_TMPFILE, os.O_TMPFILE | os.O_EXCL]:
        file = os.open(".", flags | os.O_RDWR)
        fcntl.flock(file, fcntl.LOCK_EX)
        os.write(file, b"no name")
        os.fsync(file)
        assert os.pread(file, 9, 0) == b"no name"
        os.close(file)
    file = locked_and_written("unlinked", fcntl.LOCK_EX)
    os.unlink("unlinked")
    os.write(file, b"def")
    assert os.pread(file, 9, 0) == b"abcdef"
    os.close(file)


def locks_of_open_file_descriptions():
    """The same of F_OFD_SETLK."""
    def lock(file):
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 9, 0))
    for _ in range(3):
        file, other = (os.open("by description", os.O_RDWR | os.O_CREAT) for _ in range(2))
        lock(file)
        os.write(file, b"abc")
        fails(errno.EAGAIN, lambda: lock(other))
        os.close(file)
        lock(other)
        os.close(other)


def locks_of_processes():
    """A lock of fcntl stays until the program closes a descriptor of the file: nobody else does."""
    file = os.open("record", os.O_RDWR | os.O_CREAT)

    def other(errors):
        again = os.open("record", os.O_RDWR)
        try:
            fcntl.lockf(again, fcntl.LOCK_EX | fcntl.LOCK_NB, 9)
        except OSError as error:
            assert errors and error.errno in (errno.EAGAIN, errno.EACCES)
        else:
            assert not errors, "the lock is lost"
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 9)
    os.write(file, b"x" * 5000)
    os.pread(file, 10, 4000)
    os.fsync(file)
    in_child(lambda: other(True))
    os.ftruncate(file, 9000)
    os.truncate("record", 8000)
    os.truncate("record", 8500)
    in_child(lambda: other(True))
    os.stat("record"), os.access("record", os.R_OK), os.utime("record")
    fails(errno.ETXTBSY, lambda: os.execv("record", ["record"]))  # it is open to write
    try:
        ctypes.CDLL("./no such library")
    except OSError:
        pass
    in_child(lambda: other(True))
    assert os.fstat(file).st_size == 8500
    os.close(os.open("record", os.O_RDONLY))
    in_child(lambda: other(False))


for test in [copy_that_fails, times_that_are_set, children, greatest_offset, bad_pointers, memory_that_ends, room_that_is_reserved,
             locks_of_open_files, locks_of_open_file_descriptions, locks_of_processes]:
    test()
