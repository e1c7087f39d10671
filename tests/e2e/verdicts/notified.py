"""A process writes, tells its child by a pipe, and waits for its end; the child reads then."""
import os

file = os.open('notified.data', os.O_CREAT | os.O_RDWR)
read_end, write_end = os.pipe()
if os.fork() == 0:
    child_file = os.open('notified.data', os.O_RDONLY)
    os.read(read_end, 1)
    os._exit(os.pread(child_file, 64, 0) != b'x' * 64)
os.pwrite(file, b'x' * 64, 0)
os.write(write_end, b'1')
os.wait()
