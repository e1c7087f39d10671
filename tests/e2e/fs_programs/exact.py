"""What one process must find on any file system, one function each: exact.py FOLDER."""
import fcntl
import os
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
    fails(9, lambda: os.dup2(999, file))
    os.pwrite(file, b"ONE", 0)  # a write that appends does so at any offset
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, b"two")
    assert os.fstat(file).st_size == 9, os.fstat(file)
    assert os.pread(file, 9, 0) == b"oneONEtwo"
    assert fcntl.fcntl(file, fcntl.F_GETFL) & os.O_APPEND


for test in [copy_that_fails]:
    test()
