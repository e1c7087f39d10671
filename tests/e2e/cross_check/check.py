"""Numbers of one trace in several views: each is computed from the calls one by one, or is the same in both."""

import base64
import collections
import gzip
import re
import sys

from lib import *

OWN = ("the program's own", "all else")
NAME = sys.argv[1]


def near(found, wanted, tolerance, what):
    expect(abs(found - wanted) <= tolerance, f"{NAME}: {what}: {found}, not {wanted}")


def same(found, wanted, what):
    expect_equal(found, wanted, f"{NAME}: {what}")


def total(rows, column):
    return sum(row[column] or 0 for row in rows)


def check_calls(report, rounding):
    """`stats` and the table of times against the calls."""
    whole, calls = stats()["total"], dump()
    failed = sum(call["errno"] is not None for call in calls)
    same((whole["calls"], whole["errors"]), (len(calls), failed), "calls and failed calls of the total")
    same(info()["calls"] - info()["launcher_calls"], len(calls), "calls of info")
    same(report["run"]["total"], whole, "the total of the report")
    for table in ("functions", "layers", "ranks"):
        same(total(stats()[table], "calls"), len(calls), f"calls of {table}")
    for column in ("bytes_read", "bytes_written"):
        same(total(stats()["ranks"], column), whole[column], f"{column} of ranks")
    functions = collections.defaultdict(list)
    layers, open_calls = collections.Counter(), {}
    for call in calls:
        functions[call["func"], call["layer"]].append(call)
        around = open_calls.setdefault((call["proc"], call["thread"]), [])
        while around and around[-1]["depth"] >= call["depth"]:
            around.pop()
        layers[call["layer"]] += 0 if any(outer["layer"] == call["layer"] for outer in around) else call["end"] - call["start"]
        around.append(call)
    for row in stats()["functions"]:
        own = functions.pop((row["func"], row["layer"]))
        times = [call["end"] - call["start"] for call in own]
        same((row["calls"], row["errors"]), (len(own), sum(call["errno"] is not None for call in own)), row["func"])
        near(row["time"], sum(times), rounding, f"time of {row['func']}")
        near(row["shortest"], min(times), rounding, f"the shortest {row['func']}")
        near(row["longest"], max(times), rounding, f"the longest {row['func']}")
        if row["kind"] in ("read", "write"):
            expect(sum(call["bytes"] or 0 for call in own) in (row["bytes_read"], row["bytes_written"]), f"{NAME}: bytes of {row}")
    same(dict(functions), {}, "functions that stats lacks")
    check_head(report, calls, rounding)
    for row in stats()["layers"]:
        near(row["time"], layers[row["layer"]], rounding, f"time of the layer {row['layer']}")


def check_head(report, calls, rounding):
    """The time in calls, where each second of a thread counts once."""
    ends, once = {}, 0
    for call in calls:
        thread = call["proc"], call["thread"]
        once += max(0, call["end"] - max(call["start"], ends.get(thread, 0))) if call["layer"] != "application" else 0
        ends[thread] = max(call["end"], ends.get(thread, 0))
    sentence = report["run"]["facts"][1]
    spent = re.search(r"spent ([0-9.]+) (s|ms|us|ns) in recorded calls", sentence)
    found = float(spent[1]) * {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[spent[2]] if spent else 0
    near(found, once, rounding + once / 100, f"time in calls ({sentence})")
    expect(stats()["total"]["time"] >= once - rounding, f"{NAME}: the total of stats, not {once}")


def check_times(tables, rounding):
    """The tables of the report that divide the time of the same calls."""
    times, processes, activity = (tables[name]["rows"] for name in ("time", "time_by_process", "activity"))
    in_calls = sum(row["time"] for row in times if row["layer"] not in OWN)
    same(total(times, "calls"), len(dump()), "calls of the table of times")
    same(total(activity, "calls"), len(dump()), "calls by activity")
    same(total(tables["programs"]["rows"], "calls"), len(dump()), "calls of programs")
    near(total(times, "share"), 100, 1e-4, "shares of the table of times")
    near(total(activity, "share"), 100, 1e-4, "shares of activities")
    near(total(activity, "time"), in_calls, 1e-6, "time of activities")
    near(total(processes, "thread_time"), total(times, "time"), 1e-6, "time of processes")
    for row in processes:
        near(sum(row[part] for part in ("io", "messages", "waiting", "other", "own")), row["thread_time"], 1e-6, f"parts of {row}")
    for part in ("own", "io", "messages", "waiting", "other"):
        near(total(tables["intervals"]["rows"], part), total(processes, part), rounding, f"{part} in intervals")


def check_bytes(tables):
    """The tables about bytes: each byte is in each of them, as long as all is about files."""
    whole = stats()["total"]
    files = {row["path"]: row for row in stats()["files"]}
    for column in ("bytes_read", "bytes_written"):
        rates = [row for row in tables["rates"]["rows"] if row["of"] == "layer" and row["name"] == "posix"]
        system = next((row for row in stats()["layers"] if row["layer"] == "posix"), {column: 0})
        same(total(rates, column), system[column], f"{column} in rates")
        same(total(tables["over_time"]["rows"], column), total(tables["programs"]["rows"], column), f"{column} over time, and of programs")
        if NAME != "mixed":
            continue
        same(total(tables["over_time"]["rows"], column), whole[column], f"{column} over time")
        for table in ("file_rates", "files_by_role", "patterns"):
            rows = [row for row in tables[table]["rows"] if row.get("layer", "posix") == "posix"]
            for row in rows:
                path = row.get("path") or row["name"]
                if not path.startswith(("pipe:", "/dev/")) and not path.endswith((".so", ".so.6", "/mixed")):
                    same(row[column], files[path][column], f"{column} of {path} in {table}")


def check_path(tables):
    length = total(tables["critical_ranks"]["rows"], "critical_time")
    for name in ("critical_layers", "critical_functions", "critical_ranks"):
        near(total(tables[name]["rows"], "share"), 100, 1e-3, f"shares of {name}")
        near(total(tables[name]["rows"], "critical_time"), length, 1e-6, f"time of {name}")
    for row in tables["what_if"]["rows"]:
        near(row["length"] + row["saved"], length, 1e-6, f"without {row['without']}, and what it saves")


def page_data():
    """JSON of the names, and an iterator over the numbers."""
    page = open("page.html", encoding="utf-8").read()
    names, numbers = (gzip.decompress(base64.b64decode(re.search(f'id="data-{part}"[^>]*>([^<]*)<', page)[1])) for part in ("names", "numbers"))

    def values():
        value = shift = 0
        for byte in numbers:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                yield value
                value = shift = 0

    return json.loads(names), values()


def check_page(rounding):
    """The lanes and the tree of calls (docs/page.md) against `stats`."""
    names, values = page_data()

    def columns(count, many):
        return [[next(values) for _ in range(count)] for _ in range(many)]

    def sums():
        """Of a lane or a node: time, calls, bytes read and written."""
        _, busy, calls, _, read, written = columns(next(values), 6)
        return [sum(busy) / 1e9, sum(calls), sum(read), sum(written)]

    def add(to, key):
        to[key] = [a + b for a, b in zip(to.get(key, [0, 0, 0, 0]), sums())]

    lanes, functions = {}, {}
    for _ in range(next(values)):
        next(values)
        add(lanes, names["layers"][next(values)])
    columns(next(values), 8)
    for _ in range(next(values)):
        _, function, _, _ = (next(values) for _ in range(4))
        add(functions, names["functions"][function]["name"])
        columns(next(values), 3)
    for found, rows, key in ((lanes, stats()["layers"], "layer"), (functions, stats()["functions"], "func")):
        for row in rows:
            time, *counts = found[row[key]]
            same(counts, [row["calls"], row["bytes_read"], row["bytes_written"]], f"{row[key]} in the page")
            near(time, row["time"], rounding, f"time of {row[key]} in the page")


def main():
    report = json.loads(fathom("report", "--all", "--json", os.environ["TRACE"]))
    tables = report["tables"]
    rounding = 2 * len(dump()) * info()["resolution"]
    check_calls(report, rounding)
    check_times(tables, rounding)
    check_path(tables)
    check_bytes(tables)
    check_page(rounding)


main()
