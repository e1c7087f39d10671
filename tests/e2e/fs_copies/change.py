"""Names and ends that change: a file that is renamed, one that is shorter, one that is gone, one that is appended to, one that is longer without
bytes."""
import os

for node in (1, 2, 3):
    os.rename(f"below/{node}.0", f"below/{node}.renamed")
    os.truncate(f"below/{node}.1", 7)
    os.unlink(f"below/{node}.2")
    with open(f"below/{node}.3", "ab") as file:
        file.write(b"end")
    with open(f"below/{node}.4", "r+b") as file:
        file.truncate(200000)
