"""Publishes one number after the other until that fails, or `lost.2` is there: writes the last one that is published."""
import os
import sys
import time

node, step = sys.argv[1], 0
file = os.open(f"below/until.{node}", os.O_RDWR | os.O_CREAT)
while not os.path.exists("lost.2"):
    try:
        os.pwrite(file, b"%9d" % (step + 1), 0)
    except OSError:
        break
    step += 1
    time.sleep(0.001)
print(step, flush=True)
os._exit(0)  # what is written and not published is lost
