"""Ends while threads make calls, with the GIL and without: nobody waits for them."""

import os
import threading
import time


def work(name):
    descriptor = os.open(name, os.O_RDWR | os.O_CREAT)
    while True:
        os.pwrite(descriptor, b"x", 0)
        os.lseek(descriptor, 0, os.SEEK_SET)


def deep(depth, name):
    return deep(depth - 1, name) if depth else work(name)


for number in range(4):
    threading.Thread(target=deep, args=(number * 100, f"ends{number}"), daemon=True).start()
time.sleep(0.02)
