"""What `fathom path --json` says in path.json of the runs of this test."""

import json
import sys

SLEEP = 0.2
ENOUGH = SLEEP / 2  # ranks do not leave a collective call at one instant

path = json.load(open("path.json"))
tables = {name: table["rows"] for name, table in path["tables"].items()}
ranks = {row["proc"]: row["rank"] for row in tables["critical_ranks"] + tables["waits"]}


def expect(condition, message):
    if not condition:
        raise SystemExit(f"FAILED: {message}\n{json.dumps(tables['waits'], indent=1)}")


def waits(kind, function):
    return {row["rank"]: row for row in tables["waits"] if row["kind"] == kind and row["func"] == function}


def check_wait(kind, function, waiting, late):
    """These ranks wait in this function for that one, and no others for long."""
    found = waits(kind, function)
    for rank in waiting:
        expect(rank in found, f"rank {rank} does not wait in {function} ({kind})")
        expect(found[rank]["longest"] >= ENOUGH, f"rank {rank} waits too short in {function} ({kind})")
        expect(ranks.get(found[rank]["cause"], late) == late, f"rank {rank} waits in {function} for another one than {late}")
    for rank, row in found.items():
        expect(rank in waiting or row["time"] < ENOUGH, f"rank {rank} waits in {function} ({kind})")


def check_path():
    """All of the run is on the path, and nothing twice."""
    length = sum(row["critical_time"] for row in tables["critical_ranks"])
    for name in ("critical_layers", "critical_functions"):
        expect(abs(sum(row["critical_time"] for row in tables[name]) - length) < 1e-6, f"{name} do not add up")
    share = sum(row["share"] for row in tables["critical_ranks"])
    expect(99 < share < 100.1, f"the path is {share} % of the run")
    for row in tables["what_if"]:
        expect(0 <= row["saved"] <= length, f"without {row['without']} the run would be shorter than nothing")
    for row in tables["what_if"]:
        expect(row["kind"] != "where" or row["saved"] == 0, f"without nothing the run would be shorter by {row['saved']}")
    behind = None
    for row in tables["critical_parts"]:
        expect(behind is None or abs(row["start"] - behind) < 1e-8, f"the path has a hole or an overlap between {behind} s and {row['start']} s")
        behind = row["start"] + row["duration"]
    expect(abs(sum(row["duration"] for row in tables["critical_parts"]) - length) < 1e-6, "parts of the path do not add up")
    for row in tables["critical_ranks"]:
        parts = sum(part["duration"] for part in tables["critical_parts"] if part["proc"] == row["proc"])
        expect(abs(parts - row["critical_time"]) < 1e-6, f"parts of process {row['proc']} are {parts} s, not {row['critical_time']} s")
    parts = sum(row[part] for row in tables["intervals"] for part in ("own", "io", "messages", "waiting", "other"))
    alone = sum(row["mean"] for row in tables["imbalance"])  # of a rank
    ranks_seen = len({row["rank"] for row in tables["waits"] if row["rank"] is not None})
    expect(ranks_seen < 2 or parts >= alone * ranks_seen * 0.99, f"time is missing over the run: {parts} s of {alone} s each")
    for row in tables["waits"]:
        expect(row["time"] >= row["longest"] >= 0, "a wait is longer than all of them")


check_path()
if sys.argv[1] == "waits":
    check_wait("wait_at_barrier", "MPI_Barrier", {0, 2}, 1)
    check_wait("wait_at_nxn", "MPI_Allreduce", {0, 1}, 2)
    check_wait("late_broadcast", "MPI_Bcast", {1, 2}, 0)
    check_wait("early_reduce", "MPI_Reduce", {0}, 1)
    check_wait("early_scan", "MPI_Scan", {1, 2}, 0)
    check_wait("late_sender", "MPI_Recv", {1}, 0)
    check_wait("late_sender", "MPI_Wait", {2}, 0)
    check_wait("late_receiver", "MPI_Ssend", {0}, 1)
    check_wait("late_sender_wrong_order", "MPI_Recv", {0}, 2)
    check_wait("late_in_collective_io", "MPI_File_write_at_all", {0, 2}, 1)
    kinds = {finding["kind"] for finding in path["findings"]}
    for kind in ("wait_at_barrier", "wait_at_nxn", "late_broadcast", "late_sender", "late_receiver", "late_in_collective_io"):
        expect(kind in kinds, f"{kind} is not worth telling")
elif sys.argv[1] == "straggler":
    found = [finding for finding in path["findings"] if finding["kind"] == "straggler"]
    expect(len(found) == 1 and found[0]["late_ranks"] == ["2"] and "2" not in found[0]["ranks"], f"rank 2 is the straggler, not {found}")
    balance = [row for row in tables["what_if"] if row["kind"] == "balance"]
    expect(balance and balance[0]["saved"] > ENOUGH, f"balance would help more: {balance}")
elif sys.argv[1] == "polling":
    found = waits("late_sender", "MPI_Test")
    expect(set(found) == {0} and found[0]["longest"] > 0.001, f"rank 0 asks again and again: {found}")
elif sys.argv[1] == "classes":
    report = json.load(open("report.json"))["tables"]["time_by_process"]["rows"]
    intervals = tables["intervals"]
    for part in ("own", "io", "messages", "waiting", "other"):
        here, there = (sum(row[part] for row in rows) for rows in (intervals, report))
        expect(abs(here - there) < 1e-6, f"{part}: {here} s in the path, {there} s in the report")
    expect(sum(row["io"] for row in intervals) < 0.5 * sum(row["waiting"] for row in intervals), "sleeps and locks are I/O")
    expect(abs(sum(row["waits"] for row in intervals) - sum(row["time"] for row in tables["waits"])) < 1e-6, "waits do not add up")
    for row in intervals:
        time = sum(row[part] for part in ("own", "io", "messages", "waiting", "other"))
        expect(time <= 4.001 * (row["end"] - row["begin"]), f"four threads spend {time} s from {row['begin']} s to {row['end']} s")
        expect(row["waits"] <= time, f"more waits than time from {row['begin']} s on")
else:
    found = [row for row in tables["waits"] if row["kind"] == "wait_for_child"]
    expect(found and found[0]["longest"] >= ENOUGH, "the shell waits for its child")
    expect(not path["findings"], f"that is nothing to tell: {path['findings']}")
