"""Tables as frames of pandas, Polars and Dask, and pictures, hold what `fathom dump` says."""
import fathom as package
import numpy
from lib import *

run = package.open(os.environ["TRACE"])
wanted = {}
for call in dump():
    count, moved = wanted.get(call["func"], (0, 0))
    wanted[call["func"]] = (count + 1, moved + (call["bytes"] or 0))
for name, frame in {"pandas": run.calls().to_pandas(), "Polars": run.calls().to_polars().to_pandas(), "Dask": run.calls().dask().compute()}.items():
    expect_equal(len(frame), len(dump()), f"{name}: calls")
    by_function = frame.groupby("func", observed=True)["bytes"].agg(["size", "sum"])
    expect_equal({func: (int(row["size"]), int(row["sum"])) for func, row in by_function.iterrows()}, wanted, f"{name}: functions")
for table in (run.accesses(), run.files(), run.handles(), run.processes(), run.messages(), run.samples()):
    expect_equal(len(table.dask().compute()), table.to_arrow().num_rows, f"Dask: {table}")
    expect(table.name in table._repr_html_(), f"{table} for notebooks")
expect_equal(run.calls(layers=["posix"]).dask().npartitions, len(run.processes().to_arrow()), "partitions")
expect("&lt;" in package.open(os.environ["TRACE"]).calls(where="bytes < 4K")._repr_html_(), "escaped texts")

# The pictures add up to what is in the tables.
axes = run.plot.rates(layers=["posix"])
line = axes.get_lines()[0]
seconds = numpy.diff(line.get_xdata())[0]
total = float(line.get_ydata().sum() * seconds * 2**20)
moved = run.calls(layers=["posix"]).to_pandas()["bytes"].sum()
expect(abs(total - moved) < 1e-3 * moved, f"rates add up to {total} of {moved} bytes")
axes = run.plot.timeline()
expect_equal(len(axes.get_yticklabels()), len(run.processes().to_arrow()), "rows of the time line")
axes = run.plot.file_map("*/part")
segments = axes.collections[0].get_segments()
expect_equal((len(segments), max(segment[1][1] for segment in segments)), (900, 90000), "the map of a file that dd writes")
try:
    run.plot.file_map("*/nothing")
    fail("a map of a file that is not there")
except LookupError as problem:
    expect("nothing" in str(problem), problem)
