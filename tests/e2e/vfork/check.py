from lib import *

parent = info()["processes"][0]
expect_equal(parent["how_ended"], "exit 0", "how the parent ended")
own = [call for call in dump() if call["proc"] == parent["proc"]]

# 1 + 1 + 1 + 1 + 4 * 50 children; the grandchild is its parent's business.
expect_equal(sum(call["func"] == "vfork" and call["ret"] > 0 for call in own), 204, "vforks of the parent")
expect(not any(call["func"] in ("close", "_exit", "dup2") for call in own), "calls of children taken for the parent's")
expect(not any("/borrowed" in (call["file"] or "") for call in own), "files of children taken for the parent's")

# The descriptor that children closed is still the same file to the parent.
writes = [call for call in own if call["func"] == "write" and (call["file"] or "").endswith("/kept")]
expect_equal([call["ret"] for call in writes], [5, 6], "writes of the parent")
expect_equal(len({call["args"]["fd"] for call in writes}), 1, "descriptors of the parent's file")

# Programs that the children became come from the parent.
became = processes("true")
expect_equal(len(became), 4 * 50, "programs that children became")
expect(all(process["parent_proc"] == parent["proc"] for process in became), "they come from the parent")

# A child has a working folder of its own.
expect(any((call["file"] or "").endswith("/above") for call in own), "a file in the folder of the parent")
expect(not any("/below/above" in (call["file"] or "") for call in own), "a file of the parent in the folder of a child")
