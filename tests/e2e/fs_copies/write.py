"""What node NODE publishes: files of its own, and its part of each block of a shared one."""
import os
import sys

node = int(sys.argv[1])
for i in range(8):
    with open(f"below/{node}.{i}", "wb") as file:
        file.write(b"%d" % node * 100000)
if node == 2:  # it is copied in pieces
    with open("below/large", "wb") as file:
        file.write(b"".join(b"%10d" % i for i in range(1000000)))
file = os.open("below/blocks", os.O_RDWR | os.O_CREAT)
for block in range(6):
    os.pwrite(file, b"%d" % node * 1000, (block << 26) + 1000 * (node - 1))
