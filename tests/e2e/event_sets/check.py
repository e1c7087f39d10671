"""Operations in event sets."""

from lib import *

operations = [json.loads(line) for line in fathom("dump", "--operations", "--json", os.environ["TRACE"]).splitlines()]
by_id = {call["id"]: call for call in dump()}
found = [(by_id[op["begin"]]["func"], by_id[op["begin"]]["object"], op["how"], op["completed_by"], op["tests"])
         for op in operations]
expect_equal(
    found,
    [
        ("H5Dwrite_async", "/one", "complete", "H5ESwait", 1),
        ("H5Dwrite_async", "/two", "complete", "H5ESwait", 1),
        ("H5Dwrite_async", "/one", "cancelled", "H5EScancel", 0),
        ("H5Dwrite_async", "/two", "cancelled", "H5EScancel", 0),
        ("H5Dread_async", "/two", "complete", "H5ESwait", 0),
    ],
    "operations",
)
expect_equal([call["bytes"] for call in calls("H5Dwrite_async", "H5Dread_async")], [100] * 6, "bytes")

# The thread that the file's creation starts does what the sets hold; the write in no set is done at once.
create, last = calls("H5Fcreate")[0], calls("H5Dwrite_async")[-1]
moved = [(call["func"], call["args"]["offset"], call["parent"] == create["id"], call["thread"] == create["thread"]) for call in calls("pwrite", "pread")]
expect_equal(moved, [("pwrite", 0, True, False), ("pwrite", 100, True, False), ("pread", 100, True, False), ("pwrite", 0, False, True)], "what was moved")
expect_equal(calls("pwrite")[-1]["parent"], last["id"], "parent of the write in no set")
