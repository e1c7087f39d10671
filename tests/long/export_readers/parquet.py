"""Three readers of Parquet find in a dataset what `fathom stats` and `fathom dump` say."""
import glob
import sys

import duckdb
import polars
import pyarrow.dataset
import pyarrow.parquet
from lib import *

dataset = sys.argv[1]
SAME = ["layer", "func", "kind", "depth", "file", "object", "bytes", "collective", "errno", "error", "source", "world", "rank"]
wanted = {(row["func"], row["layer"]): row["calls"] for row in stats()["functions"]}

table = duckdb.connect()
found = table.execute(
    f"""select func, layer, count(*), sum("end" - start) from read_parquet('{dataset}/calls/*/*.parquet', hive_partitioning = true)
        group by func, layer"""
).fetchall()
expect_equal({(func, layer): count for func, layer, count, _ in found}, wanted, "DuckDB: calls of functions")
times = {(row["func"], row["layer"]): row["time"] for row in stats()["functions"]}
for func, layer, count, time in found:
    expect(abs(time / 1e9 - times[func, layer]) < 2e-9 * count, f"DuckDB: the time of {func}")
rows = polars.scan_parquet(dataset + "/calls/**/*.parquet").group_by(["func", "layer"]).len().collect().iter_rows()
expect_equal({(func, layer): count for func, layer, count in rows}, wanted, "Polars: calls of functions")

if any(call["func"] == "write" for call in dump()):
    counts = sum(call["args"]["count"] for call in dump() if call["func"] == "write")
    asked = table.execute(f"select sum(arg_count) from read_parquet('{dataset}/calls/*/*.parquet') where func = 'write'").fetchone()[0]
    rows = polars.scan_parquet(dataset + "/calls/**/*.parquet").filter(polars.col("func") == "write").select(polars.col("arg_count").sum()).collect()
    expect_equal((asked, rows.item()), (counts, counts), "DuckDB, Polars: the sum of a parameter")

calls = pyarrow.dataset.dataset(dataset + "/calls", partitioning="hive", format="parquet").to_table().to_pylist()
by_name = {(call["proc"], call["thread"], call["call"]): call for call in calls}
expect_equal((len(by_name), len(calls)), (len(dump()), len(dump())), "pyarrow: calls")
for call in dump():
    row = by_name[tuple(map(int, call["id"].split(".")))]
    for name in SAME:
        expect_equal(row[name], call[name], f"pyarrow: {name} of {call['id']}")
    expect_equal((row["start"], row["end"]), (round(call["start"] * 1e9), round(call["end"] * 1e9)), f"pyarrow: times of {call['id']}")
    for name, value in call["args"].items():
        if isinstance(value, int):
            expect_equal(row[f"arg_{name}"], value, f"pyarrow: {name} of {call['id']}")
        elif value is not None:
            text = row[f"text_{name}"]
            expect_equal(json.loads(text) if isinstance(value, list) else text, value, f"pyarrow: {name} of {call['id']}")
    parent = None if row["parent"] is None else f"{row['proc']}.{row['parent_thread']}.{row['parent']}"
    expect_equal(parent, call["parent"], f"pyarrow: the parent of {call['id']}")
    if call["rank"] is not None:
        first, last = map(int, row["ranks"].split("-"))
        expect(first <= call["rank"] <= last, f"pyarrow: {call['id']} is in the part {row['ranks']}")

ranges = {}
for line in fathom("dump", "--json", "--ranges", os.environ["TRACE"]).splitlines():
    call = json.loads(line)
    for offset, length in call.get("ranges") or []:
        ranges.setdefault(call["id"], []).append((offset, length))
accesses = {}
files = glob.glob(dataset + "/accesses/*/*.parquet")
for row in polars.read_parquet(files).iter_rows(named=True) if files else []:
    accesses.setdefault(f"{row['proc']}.{row['thread']}.{row['call']}", []).append((row["offset"], row["bytes"]))
for name, wanted_ranges in ranges.items():
    expect(set(wanted_ranges) <= set(accesses.get(name, [])), f"ranges of {name}: {accesses.get(name)}, and dump has {wanted_ranges}")

for name in ["calls", "accesses", "handles", "processes", "files", "messages", "samples", "findings"]:
    files = glob.glob(f"{dataset}/{name}/**/*.parquet", recursive=True)
    if files:
        counts = {table.execute(f"select count(*) from read_parquet('{dataset}/{name}/**/*.parquet')").fetchone()[0],
                  polars.read_parquet(files).height, sum(pyarrow.parquet.read_table(file).num_rows for file in files)}  # fmt: skip
        expect_equal(len(counts), 1, f"rows of {name} for three readers: {counts}")
        metadata = pyarrow.parquet.read_metadata(files[0])
        expect(b"fathom.units" in metadata.metadata and json.loads(metadata.metadata[b"fathom"])["end"] > 0, f"facts of {name}")
processes = polars.read_parquet(dataset + "/processes/*.parquet")
expect_equal(sorted(processes["pid"]), sorted(p["pid"] for p in info()["processes"] if p["proc"] in set(processes["proc"])), "processes")
for metadata in (pyarrow.parquet.read_metadata(file) for file in glob.glob(dataset + "/calls/*/*.parquet")):
    for group in range(metadata.num_row_groups):
        statistics = metadata.row_group(group).column(metadata.schema.names.index("start")).statistics
        expect(statistics.has_min_max and statistics.min <= statistics.max and statistics.null_count == 0, "bounds of start")
print(len(calls), "calls")
