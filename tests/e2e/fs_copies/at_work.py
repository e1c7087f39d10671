"""Publishes and reads back, one step after the other, in files of all homes, until `lost` is there and for some steps more: none of it fails, and
each read has the last bytes."""
import os
import sys

node, step, more = sys.argv[1], 0, 40
while more:
    with open(f"below/at.{node}", "w") as file:
        file.write(f"{step:9}")
    for i in range(4):
        with open(f"below/work.{node}.{i}", "w") as file:
            file.write(f"{step:9}" * 500)
    for i in range(4):
        text = open(f"below/work.{node}.{i}").read()
        assert text == f"{step:9}" * 500, (node, i, step, text[:9])
    step += 1
    more -= os.path.exists("lost")
