"""What threads of a library do is inside the call that started them; what other threads do is in none."""

from lib import *

opens = calls("writer_open")
expect_equal(len(opens), 2, "writers")
for number, name in enumerate(("first", "second")):
    inside = [call for call in dump() if call["layer"] == "posix" and (call["file"] or "").endswith(name)]
    writes = [call for call in inside if call["func"] == "write"]
    expect_equal(len(writes), 3, f"writes to {name}")
    expect_equal({call["parent"] for call in writes}, {opens[number]["id"]}, f"parents of the writes to {name}")
    expect_equal({call["depth"] for call in writes}, {0}, "their depth")
    expect(all(call["thread"] != opens[number]["thread"] for call in writes), "they are of other threads")
    for func in ("open", "fsync"):
        found = [call["parent"] for call in inside if call["func"].startswith(func)]
        expect_equal(found, [opens[number]["id"]], f"parent of {func} of {name}")
for name in ("own", "child"):
    found = [call for call in dump() if (call["file"] or "").endswith("/" + name)]
    expect_equal({call["parent"] for call in found}, {None}, f"parents of the calls on {name}")
    expect_equal(len(found), 3, f"calls on {name}")
expect_equal({call["parent"] for call in calls("fork")}, {None}, "parent of fork")

# Calls of such a thread are not inside one another because of that.
handles = json.loads(fathom("handles", "--json", os.environ["TRACE"]))["processes"][0]["handles"]
own = [handle for handle in handles if handle["class"] == "fd" and os.path.basename(handle["path"] or "") in ("one", "other")]
expect_equal([handle["parent"] for handle in own], [None] * 4, "what the files of the thread belong to")
expect_equal([handle["errors"] for handle in own], [0] * 4, "their failed calls")
