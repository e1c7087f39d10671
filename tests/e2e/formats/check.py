"""check.py [NAME]: tables as CSV, read with Python's csv, are those of JSON; Markdown has their rows. NAME: of a file that the run made."""

import csv
import io
import re
import shlex
import sys
from lib import *

TRACE = os.environ["TRACE"]


def as_json(*command):
    return json.loads(fathom(*command, "--json", TRACE))


def as_csv(name, *command):
    done = subprocess.run([os.environ["FATHOM"], *command, f"--csv={name}", TRACE], stdout=subprocess.PIPE)
    expect(done.returncode == 0, f"{command} --csv={name}: exit status {done.returncode}")
    return list(csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "surrogateescape"), newline=""), strict=True))


def same_value(text, value):
    if value is None:
        return text == ""
    if isinstance(value, bool):
        return text == str(int(value))
    if isinstance(value, int):
        return text == str(value)
    if isinstance(value, float):
        return abs(float(text) - value) <= 1e-8 * max(1, abs(value))
    if isinstance(value, list):  # the words of a command
        return shlex.split(text) == value or "'$'" in text or text.startswith("$'") or " $'" in text
    return text == value


compared = 0


def compare(rows, name, *command, leave=()):
    """The CSV table NAME of this command has these rows."""
    global compared
    table = as_csv(name, *command)
    expect_equal(len(table), len(rows), f"{command} --csv={name}: rows")
    for got, row in zip(table, rows):
        row = {key: value for key, value in row.items() if key not in leave}
        expect_equal(list(got), list(row), f"{command} --csv={name}: columns")
        for key, value in row.items():
            expect(same_value(got[key], value), f"{command} --csv={name}: {key} is {got[key]!r}, not {value!r}")
        compared += 1


everything = as_json("stats")
for name in ("functions", "files", "layers", "ranks"):
    compare(everything[name], name, "stats")
compare([everything["total"]], "total", "stats")
compare(as_json("stats", "--top", "2")["functions"], "functions", "stats", "--top", "2")
compare(as_json("stats", "--histogram", "read")["durations"], "durations", "stats", "--histogram", "read")

for name, table in as_json("report")["tables"].items():
    compare(table["rows"], name, "report")
for name, table in as_json("path")["tables"].items():
    compare(table["rows"], name, "path")

query = "latency breakdown inclusive"
done = json.loads(fathom("query", "--json", TRACE, query))
for name, rows in done["tables"].items():
    table = csv.DictReader(io.StringIO(fathom("query", f"--csv={name}", TRACE, query), newline=""), strict=True)
    for got, row in zip(table, rows, strict=True):
        expect(all(same_value(got[key], row[key]) for key in row) and list(got) == list(row), f"query: {got}, not {row}")
        compared += 1

compare([{"proc": process["proc"], "rank": process["rank"], **handle} for process in as_json("handles")["processes"] for handle in process["handles"]], "handles", "handles")

# Processes and counters are facts in JSON, with the same keys in another order, and the words of a command for themselves.
facts = as_json("info", "--size")
table = as_csv("processes", "info")
expect_equal(len(table), len(facts["processes"]), "info: processes")
for got, process in zip(table, facts["processes"]):
    expect_equal(sorted(got), sorted(process), "info: columns")
    expect(all(same_value(got[key], process[key]) for key in process), f"info: {got}, not {process}")
    compared += 1
compare(facts["functions"], "functions", "info", "--size")

samples = as_json("samples")
compare(samples["counters"], "counters", "samples")
compare(samples["processes"], "processes", "samples")
named = as_json("samples", "--counter", "cpu.*")
values = [(counter, value) for counter in named["counters"] for value in counter["values"]]
table = as_csv("values", "samples", "--counter", "cpu.*")
expect_equal(len(table), len(values), "samples: values")
for got, (counter, value) in zip(table, values):
    expect(same_value(got["counter"], counter["counter"]) and all(same_value(got[key], part) for key, part in zip(("start", "end", "min", "mean", "max"), value)), f"samples: {got}, not {value}")
    compared += 1
def single(value):
    return None if isinstance(value, list) else value


SINGLE = "proc world rank pid thread tid id parent layer func kind language depth start end source file object collective bytes errno error ret".split()
calls = [{key: single(call[key]) for key in SINGLE} for call in dump()]
compare(calls, "calls", "dump")
compare([call for call in calls if call["func"] == "read"], "calls", "dump", "--func", "read")
compare([], "operations", "dump", "--operations", "--func", "no_such_function")

expect(compared > 100, f"only {compared} rows were compared")

# ---- Markdown ----


def markdown(*command):
    """Tables by title: the title row and the others, each as cells without their escapes."""
    tables, title = {}, None
    for line in fathom(*command, "--markdown", TRACE).splitlines():
        if line.startswith("## "):
            title = re.sub(r"\\(.)", r"\1", line[3:])
        elif line.startswith("|"):
            cells = [re.sub(r"\\(.)", r"\1", cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            tables.setdefault(title, []).append(cells)
    for title, rows in tables.items():
        expect(len({len(row) for row in rows}) == 1 and set("".join(rows[1])) <= set("-:"), f"{command} --markdown: {title} is no table")
    return {title: [rows[0], *rows[2:]] for title, rows in tables.items()}


def visible(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n")


tables = markdown("stats", "--top", "0", "--all")
for title, name in (("Functions", "functions"), ("Files", "files")):
    key = {"functions": "func", "files": "path"}[name]
    expect_equal([row[0] for row in tables[title][1:]], [visible(row[key]) for row in everything[name]], f"Markdown: {title}")
expect("Processes" in markdown("info"), "Markdown of info has no processes")
expect(any(title.startswith("Handles of") for title in markdown("handles")), "Markdown of handles has none")
expect("Nodes" in markdown("samples"), "Markdown of samples has no nodes")
expect(len(markdown("path")) >= 1, "Markdown of path has no table")
expect("Conflicting pairs of accesses" in markdown("verify"), "Markdown of verify has no models")
if len(sys.argv) > 1:
    expect(any(row["path"].endswith("/" + sys.argv[1]) for row in as_csv("files", "stats")), "the odd name is not in CSV")
