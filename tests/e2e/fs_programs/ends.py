# Is what was written last there? ends.py FILE NOTED
import struct
import sys

with open(sys.argv[2], "rb") as noted, open(sys.argv[1], "rb") as file:
    least = struct.unpack("i", noted.read(4))[0]
    file.seek(8192)
    found = struct.unpack("i", file.read(4).ljust(4, b"\0"))[0]
assert found >= least > 0, (found, least)
