"""Eight processes each do one thing to a file of their own when `go` is there, and say when that is done: each_file.py cuts|reads NODE."""
import os
import sys
import time

what, node = sys.argv[1:3]
for i in range(8):
    if not os.fork():
        while not os.path.exists("go"):
            time.sleep(0.01)
        if what == "cuts":
            os.truncate(f"below/{node}.{i}", 7)
        else:
            open(f"below/{node}.{i}", "rb").read(1)
        print(what, flush=True)
        os._exit(0)
print("ready", flush=True)
for _ in range(8):
    assert os.wait()[1] == 0
