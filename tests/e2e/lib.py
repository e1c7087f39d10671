"""What the checks of the end-to-end tests share: the trace $TRACE as `fathom` shows it in JSON, and questions to it."""

import functools
import json
import os
import subprocess


def fathom(*arguments):
    done = subprocess.run([os.environ["FATHOM"], *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"FAILED: fathom {' '.join(arguments)}: exit status {done.returncode}")
    return done.stdout


@functools.cache
def info():
    return json.loads(fathom("info", "--json", os.environ["TRACE"]))


@functools.cache
def stats():
    return json.loads(fathom("stats", "--json", os.environ["TRACE"]))


@functools.cache
def dump():
    return [json.loads(line) for line in fathom("dump", "--json", os.environ["TRACE"]).splitlines()]


def calls(*functions, **fields):
    """The calls to these functions whose fields and arguments have these values."""

    def matches(call):
        values = {**call["args"], **call}
        return all(values.get(name) == value for name, value in fields.items())

    return [call for call in dump() if (not functions or call["func"] in functions) and matches(call)]


def outermost(found):
    return [call for call in found if call["parent"] is None]


def processes(executable):
    """The processes whose program has this name."""
    return [process for process in info()["processes"] if os.path.basename(process["exe"]) == executable]


def file(path):
    """The row of `stats` for a file given by the end of its path, which must be there once."""
    rows = [row for row in stats()["files"] if ("/" + row["path"]).endswith("/" + path)]
    expect(len(rows) == 1, f"{len(rows)} rows in stats for the file {path}")
    return rows[0]


def function(name):
    """The row of `stats` for a function."""
    rows = [row for row in stats()["functions"] if row["func"] == name]
    expect(len(rows) == 1, f"{len(rows)} rows in stats for the function {name}")
    return rows[0]


def fail(message):
    raise SystemExit("FAILED: " + message)


def expect(condition, message):
    if not condition:
        fail(message)


def expect_equal(found, wanted, what):
    expect(found == wanted, f"{what}: found {found!r}, expected {wanted!r}")


DATA = {"read", "write"}
METADATA = {"open", "close", "dup", "truncate", "lock", "control", "stat", "name", "delete", "permission", "list", "view"}
WAITS_FOR_LAST = {"wait_at_barrier", "wait_at_nxn", "early_reduce", "late_broadcast", "early_scan", "late_in_collective_io", "wait_at_collective", "wait_at_end"}
# What the calls do that a finding is about; of findings about waits, the waits.
EVIDENCE = {
    **dict.fromkeys(("frequent_sync", "long_sync", "frequent_flush"), {"sync"}),
    **dict.fromkeys(("read_again", "read_by_all", "read_back", "read_failed"), {"read"}),
    **dict.fromkeys(("written_never_read", "serial_io", "read_before_write", "lost_in_buffer", "short_write", "written_pipe"), {"write"}),
    **dict.fromkeys(("small_accesses", "small_in_a_row", "small_stdio_buffer", "small_library_calls", "independent_instead_of_collective",
                     "collective_ran_independently", "collective_buffering", "data_sieving", "harmful_data_sieving", "fan_out", "messages_inside_io",
                     "uneven_io", "temporary_on_network", "unaligned", "straggling_server"), DATA),
    "amplification": DATA | {"seek"},  # of a stream: whatever fills its buffer
    **dict.fromkeys(("opened_again", "many_files", "uneven_opening", "opening_burst", "unexpected_file", "openings_fail"), {"open"}),
    "long_opening": {"open", "close"},
    "metadata_heavy": METADATA,
    "metadata_by_all": {"open", "stat", "list", "permission"},
    "much_metadata": {"open", "stat", "name", "delete", "permission", "list"},
    "renamed_before_sync": {"name"},
    **dict.fromkeys(("lock_contention", "frequent_lock", "lock_polled"), {"lock", "control"}),
    "write_failed": {"write", "sync", "close"},
    "calls_fail": METADATA | DATA | {"seek", "sync", "map", "poll"},
    "polling": {"test", "probe"},
    "repeated_set_up": {"type", "comm", "rma", "open"},
    "idle_io_servers": {"recv", "wait", "test", "probe"},
    "busy_io_servers": {"send"},
    **dict.fromkeys(("bound_by_messages", "much_in_messages"), {"send", "recv", "exchange", "probe", "start", "wait", "test", "collective", "rma"}),
}


def check_evidence(report):
    """Each call that a finding shows is one that it is about, of one of its ranks."""
    names = {process["proc"]: str(process["rank"]) if process["rank"] is not None else f"proc {process['proc']}" for process in info()["processes"]}
    waits = {}
    for row in report["tables"].get("waits", {"rows": []})["rows"]:
        waits.setdefault(row["kind"], set()).add(row["func"])
    for finding in report["findings"]:
        kind, listed = finding["kind"], finding["ranks"]
        expect(len(listed) <= finding["rank_count"], f"{kind}: more ranks than there are")
        for name in finding["evidence"]:
            shown = map(json.loads, fathom("dump", "--json", "--call", name, os.environ["TRACE"]).splitlines())
            call = next(call for call in shown if call["id"] == name)  # the calls around it come first
            func = call["func"]
            if kind in waits:
                right = func in waits[kind]
            elif kind in ("straggler", "compute_imbalance", "io_imbalance", "more_ranks_than_processors"):
                by_message = kind == "compute_imbalance"
                right = any(func in waits[wait] for wait in waits if kind == "more_ranks_than_processors" or wait in WAITS_FOR_LAST or (by_message and wait in ("late_sender", "late_receiver")))
            else:
                expect(kind in EVIDENCE, f"{kind} is not in the list of findings of these tests")
                right = call["kind"] in EVIDENCE[kind]
            expect(right, f"{kind} shows a call of {func}, which it is not about: {finding}")
            rank = names[int(name.split(".")[0])]
            expect(rank in listed or finding["rank_count"] > len(listed), f"{kind} shows {name} of rank {rank}: {finding}")
