from collections import defaultdict

from lib import *

THREADS, WRITES, SHORT_THREADS = 4, 2000, 200

by_thread = defaultdict(list)
for call in calls("pwrite", "pwrite64"):
    by_thread[call["thread"]].append(call["args"]["offset"])
long, short = [o for o in by_thread.values() if len(o) > 1], [o for o in by_thread.values() if len(o) == 1]
wanted = [[(number * WRITES + i) * 16 for i in range(WRITES)] for number in range(THREADS)]
expect_equal(sorted(long), wanted, "offsets of the long threads")
expect_equal(sorted(short), [[i * 7] for i in range(SHORT_THREADS)], "offsets of the short threads")
for number in range(THREADS):
    expect_equal(file(f"work/own.{number}")["bytes_written"], WRITES * 10, f"bytes of own.{number}")
expect_equal(file("work/shared")["bytes_written"], THREADS * WRITES * 16 + SHORT_THREADS * 7, "bytes of shared")
