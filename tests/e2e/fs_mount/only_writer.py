"""Cuts off a file that its writer alone has open to write, and that nobody may open so any more: only_writer.py PATH."""
import os
import sys

file = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)
os.write(file, b"123456")
os.fchmod(file, 0o400)
os.ftruncate(file, 3)
