"""Tables of report that add up: what time went to, programs, rates, uses of files, common sizes, the job."""

import re

from lib import *

report = json.loads(fathom("report", "--json", os.environ["TRACE"]))
tables = {name: table["rows"] for name, table in report["tables"].items()}


def row(table, **keys):
    found = [row for row in tables[table] if all(row[key] == value for key, value in keys.items())]
    expect_equal(len(found), 1, f"rows of {table} with {keys}")
    return found[0]


expect_equal(report["run"]["job"], "Slurm job 4711, task 3", "the job")
total = stats()["total"]
expect_equal(sum(row["calls"] for row in tables["activity"]), total["calls"], "calls of activity")
expect(abs(sum(row["share"] for row in tables["activity"]) - 100) < 0.1, "shares of activity")
expect_equal(sum(row["processes"] for row in tables["programs"]), total["processes"], "processes of programs")
expect_equal(sum(row["calls"] for row in tables["programs"]), total["calls"], "calls of programs")

# dd if=/dev/zero of=a bs=4096 count=5; dd if=a of=b bs=1000 (20 whole blocks and 480 bytes); head -c 100 a
dd = row("programs", program="dd")
expect_equal((dd["processes"], dd["bytes_written"]), (2, 40960), "dd")
expect(dd["bytes_read"] >= 20480, "what dd read")
sizes = {(row["does"], row["bytes"]): row for row in tables["common_sizes"] if row["layer"] == "posix"}
expect_equal(sizes["writes", 1000]["accesses"], 20, "writes of 1000 bytes")
expect_equal(sizes["writes", 4096]["accesses"], 5, "writes of 4096 bytes")
expect_equal([row["bytes"] for row in tables["common_sizes"]][:2] != [480, 480], True, "the most frequent come first")
both, written = row("file_uses", use="read and written"), row("file_uses", use="only written")
expect_equal((both["files"], both["bytes_written"], both["largest_size"], both["mean_size"]), (1, 20480, 20480, 20480), "a")
expect_equal((written["files"], written["bytes_written"], written["largest_size"]), (1, 20480, 20480), "b")
rates = row("rates", of="layer", name="posix")
expect(rates["bytes_written"] >= 40960 and rates["write_rate"] > 0 and rates["call_rate"] > 0, f"rates of posix: {rates}")
systems = [row for row in tables["rates"] if row["of"] == "file system"]
expect(sum(row["bytes_written"] for row in systems) >= 40960, f"volume by file system: {systems}")
files = {os.path.basename(row["name"]): row for row in tables["file_rates"]}
expect_equal((files["a"]["bytes_written"], files["b"]["bytes_written"]), (20480, 20480), "files")
for direction in ("read", "written"):
    whole = next(row for row in tables["rates"] if (row["of"], row["name"]) == ("layer", "posix"))
    expect_equal(sum(part[f"bytes_{direction}"] for part in tables["over_time"]), whole[f"bytes_{direction}"], f"bytes {direction} over time")
page = fathom("report", os.environ["TRACE"])
expect("Bytes of system calls over time" in page, "report does not say which bytes it shows over time")
moved = sum(part["bytes_written"] for part in tables["over_time"])
shown = re.search(r"^written .* at most .*/s, ([0-9.]+) KiB in all$", page, re.M)
expect(shown and abs(float(shown[1]) * 1024 - moved) < 0.01 * moved, f"bytes over time of {moved}: {page}")
for form in ((), ("--markdown",)):
    page = fathom("report", "--all", *form, os.environ["TRACE"])
    for title in ("Time in calls by activity", "Programs, all their", "The most common access sizes", "Transfer rates, per second", "Uses of files"):
        expect(title in page, f"report --all {form} lacks '{title}'")
    expect("Slurm job 4711, task 3" in page, f"report {form} does not name the job")
