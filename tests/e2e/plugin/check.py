"""settings of examples/plugin: what its store does, and what is inside; on so many ranks."""

import sys

from lib import *

ranks = int(sys.argv[1])
expect_equal(len(processes("settings")) + len(processes("settings.openmpi")) + len(processes("settings.mpich")), ranks, "processes")
puts = calls("kv_put")
expect_equal(len(puts), 10 * ranks, "kv_put")
for call in puts:
    expect_equal((call["layer"], call["ret"], call["args"]["size"]), ("kvstore", 100, 100), "kv_put")
expect_equal([call["args"]["key"] for call in puts[:10]], [f"setting{i}" for i in range(10)], "keys")
expect_equal(sorted({os.path.basename(call["file"]) for call in puts}), [f"settings.{i}.kv" for i in range(ranks)], "stores")
failed = [call for call in calls("kv_get") if call["ret"] is None or call["ret"] < 0]
expect_equal(len(failed), 2 * ranks, "kv_get of what is not there")
for name, kind in ("kv_put", "write"), ("kv_get", "read"):
    row = function(name)
    expect_equal((row["layer"], row["kind"]), ("kvstore", kind), name)
expect_equal(function("kv_put")["bytes_written"], 1000 * ranks, "bytes of kv_put")
expect_equal(file("settings.0.kv")["bytes_written"], 1640, "bytes of the file")
expect_equal(calls("kv_open")[0]["names"]["flags"], "KV_WRITE|KV_SYNC", "flags")
parents = {call["func"] for call in dump() if call["parent"] is None}
expect("pwrite" not in parents and "fsync" not in parents, f"the store's calls are inside of it: {parents}")
