"""The calls of posix.c, one by one: function, some parameters, result."""

from lib import *

wanted = [
    ("open", {"path": "a"}, 3),
    ("write", {"fd": 3, "count": 100}, 100),
    ("pwrite", {"fd": 3, "count": 50, "offset": 1000}, 50),
    *[("pwrite", {"fd": 3, "count": 64, "offset": 4096 + 256 * i}, 64) for i in range(10)],
    ("lseek", {"fd": 3, "distance": 10}, 10),
    ("read", {"fd": 3, "count": 20}, 20),
    ("lseek", {"fd": 3, "distance": 5}, 35),
    ("writev", {"fd": 3}, 24),
    ("lseek", {"fd": 3, "distance": 0}, 0),
    ("readv", {"fd": 3}, 15),
    ("pread", {"fd": 3, "count": 4096, "offset": 6000}, 464),
    ("fsync", {"fd": 3}, 0),
    ("fdatasync", {"fd": 3}, 0),
    ("ftruncate", {"fd": 3}, 0),
    ("dup", {}, 4),
    ("dup2", {}, 17),
    ("write", {"fd": 17, "count": 1}, 1),
    ("close", {"fd": 3}, 0),
    ("pwrite", {"fd": 4, "count": 2, "offset": 0}, 2),
    ("close", {"fd": 4}, 0),
    ("close", {"fd": 17}, 0),
    ("open", {"path": "missing"}, -1),
    ("write", {"count": 5}, -1),
    ("mkdir", {"path": "a"}, -1),
    ("access", {"path": "a"}, 0),
    ("mkdir", {"path": "d"}, 0),
    ("rename", {}, 0),
    ("symlink", {}, 0),
    ("link", {}, 0),
    ("open", {"path": "d"}, 3),
    ("openat", {"path": "c"}, 4),
    ("read", {"fd": 4, "count": 1000}, 123),
    ("close", {"fd": 4}, 0),
    ("close", {"fd": 3}, 0),
    ("unlink", {"path": "d/c"}, 0),
    ("chmod", {"path": "d/b"}, 0),
    ("truncate", {"path": "d/b"}, 0),
    ("open", {"path": "large"}, 3),
    ("pwrite", {"fd": 3, "count": 3, "offset": (1 << 40) + 12345}, 3),
    ("close", {"fd": 3}, 0),
    ("unlink", {"path": "large"}, 0),
]

# A C library may export a call under its name for large files.
found = [call for call in outermost(dump()) if call["layer"] == "posix"]
for number, (call, (name, arguments, result)) in enumerate(zip(found, wanted)):
    where = f"call {number}"
    expect_equal(call["func"].removesuffix("64"), name, where)
    for argument, value in arguments.items():
        expect_equal(call["args"][argument], value, f"{where}, {name}, {argument}")
    expect_equal(call["ret"], result, f"{where}, {name}, result")
expect_equal(len(found), len(wanted), "number of calls")

expect_equal(file("work/a")["bytes_written"], 100 + 50 + 640 + 24 + 1 + 2, "bytes written to a")
expect_equal(file("work/a")["bytes_read"], 20 + 15 + 464, "bytes read from a")
expect_equal(file("work/d/c")["bytes_read"], 123, "bytes read from d/c")
expect_equal(file("work/large")["bytes_written"], 3, "bytes written to large")

# Times: calls of one thread follow each other.
for before, after in zip(found, found[1:]):
    expect(before["start"] <= before["end"] <= after["start"], f"{after['func']} starts before {before['func']} ends")
