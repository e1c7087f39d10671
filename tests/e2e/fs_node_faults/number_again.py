"""Sixteen processes make a file each, which may have the number of one that was deleted: number_again.py FOLDER. Each is empty, until its process writes to it.
Prints the numbers."""
import os
import sys

folder = sys.argv[1]
for i in range(16):
    if os.fork():
        continue
    file = os.open(f"{folder}/new.{i}", os.O_RDWR | os.O_CREAT)
    found = (os.fstat(file).st_size, os.stat(f"{folder}/new.{i}").st_size, os.pread(file, 100, 0))
    if found != (0, 0, b""):
        print(found, flush=True)
        os._exit(1)
    os.write(file, b"new bytes\n")
    print(os.fstat(file).st_ino, flush=True)
    os._exit(0)
sys.exit(sum(os.wait()[1] != 0 for _ in range(16)))
