import os

from lib import *

BLOCK, HALF, ASKED = 1000, 500, 4096
SHORT = 10 * HALF
for name, read, written in (
    ("alone", SHORT + ASKED, BLOCK),  # nobody asked how much the last one was
    ("other", 0, 0),
    ("threads", HALF, HALF),
    ("begun", HALF, HALF),
    ("one", BLOCK, BLOCK),
    ("two", HALF, HALF),
):
    row = file("work/" + name)
    expect_equal((row["bytes_read"], row["bytes_written"]), (read, written), f"bytes of the file {name}")
for name, read, written in (
    ("aio_read", SHORT + ASKED + 2 * HALF, 0),
    ("aio_write", 0, BLOCK),
    ("aio_fsync", 0, 0),
    ("aio_return", 0, 0),
    ("lio_listio", BLOCK + HALF, BLOCK + HALF),
):
    row = function(name)
    expect_equal((row["bytes_read"], row["bytes_written"]), (read, written), f"bytes of {name}")
single = [call for call in dump() if (call["file"] or "").endswith("work/one")]
expect_equal(file("work/one")["calls"], len(single) + 2, "calls on a file, with two lists")

# What calls say one by one is what the sums say; and so are their ranges, and what handles, tables of queries and the report add up.
reads = [call["bytes"] for call in calls("aio_read")]
expect_equal(sorted(reads), sorted([HALF] * 12 + [0, ASKED]), "bytes of reads")
expect_equal([call["bytes"] for call in calls("aio_write")], [BLOCK, 0], "bytes of writes")
trace = os.environ["TRACE"]
ranges = [json.loads(line) for line in fathom("dump", "--ranges", "--json", "--where", "func == aio_read", trace).splitlines()]
lengths = [sum(length for _, length in call["ranges"] or []) for call in ranges]
expect_equal(lengths, reads, "bytes of ranges")
lists = [json.loads(line)["blocks"] for line in fathom("dump", "--ranges", "--json", "--where", "func == lio_listio", trace).splitlines()]
shown = [[(os.path.basename(block["file"]), block["writes"], block["range"]) for block in blocks] for blocks in lists]
asked = [[("one", writes, [0, one]), ("two", writes, [0, two])] for writes, one, two in ((True, BLOCK, HALF), (False, ASKED, ASKED))]
expect_equal(shown, asked, "ranges of the blocks of lists")
lines = fathom("dump", "--ranges", "--where", "func == lio_listio", trace)
expect_equal(lines.count("bytes 0 to 499 written to "), 1, "lines of blocks")
handles = json.loads(fathom("handles", "--json", trace))
alone = [row for process in handles["processes"] for row in process["handles"] if (row["path"] or "").endswith("work/alone")]
expect_equal([row["bytes_read"] for row in alone], [SHORT + ASKED], "bytes of the handle")
listed = [row for process in handles["processes"] for row in process["handles"] if (row["path"] or "").endswith(("work/one", "work/two"))]
expect_equal([(row["bytes_read"], row["bytes_written"]) for row in listed], [(BLOCK, BLOCK), (HALF, HALF)], "bytes of the handles in lists")
report = json.loads(fathom("report", "--json", trace))
moved = report["tables"]["programs"]["rows"]
lists = BLOCK + HALF  # written, and read
plain = 2 * HALF
expect_equal([(row["bytes_read"], row["bytes_written"]) for row in moved], [(SHORT + ASKED + 2 * HALF + lists, BLOCK + plain + lists)], "bytes of the program in the report")
# Added up call by call, the sums are those of the recording.
chosen = json.loads(fathom("stats", "--json", "--where", "duration >= 0s", trace))
for table in ("functions", "files", "ranks"):
    moved = [sorted((row.get("func"), row.get("path"), row["bytes_read"], row["bytes_written"]) for row in rows[table]) for rows in (stats(), chosen)]
    expect_equal(*moved, f"bytes of {table} with --where, and without")

# Who starts a transfer does not take as long as that.
for row in json.loads(fathom("report", "--all", "--json", trace))["tables"]["file_rates"]["rows"]:
    expect(row["read_rate"] is None, f"a rate of reads that were only started: {row}")
    expect(row["write_rate"] is None or not row["name"].endswith(("alone", "one", "two")), f"a rate of writes that were only started: {row}")
