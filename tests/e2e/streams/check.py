"""The calls on the file `data` are those that the program has noted."""

import sys

from lib import calls, expect_equal

KEPT = {"pwrite": ("count", "offset"), "pread": ("count", "offset"), "write": ("count",), "lseek": ("distance", "whence")}

wanted = [line.split() for line in open(sys.argv[1])]
found = [call for call in calls(*KEPT) if (call["file"] or "").endswith("/data")]
expect_equal(len(found), len(wanted), "calls")
for call, (function, *values) in zip(found, wanted):
    kept = [call["args"][name] for name in KEPT[call["func"]]] + [call["ret"]]
    expect_equal([call["func"], *kept], [function, *map(int, values)], f"call {call['id']}")
