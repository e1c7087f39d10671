"""Signals come while functions are made, called and dropped; the interpreter's handler writes to a pipe wherever it interrupts."""

import os
import signal
import time

reader, writer = os.pipe()
os.set_blocking(writer, False)
signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)


def call(depth):
    return answer(depth) if depth else 0


def answer(depth):
    kept = [depth] * 10
    return call(len(kept) and depth - 1)


end = time.time() + 0.5
turn = 0
while time.time() < end:
    exec(compile(f"def made{turn % 7}(n):\n return call(n)\nmade{turn % 7}(50)", f"<{turn % 13}>", "exec"))
    turn += 1
signal.setitimer(signal.ITIMER_REAL, 0)
print("done")
