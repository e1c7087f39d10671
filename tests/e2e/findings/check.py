"""What is true of every report: columns and rows agree, shares follow from severities, evidence names calls that are in the trace."""
import json
import os
import re
import sys

from lib import check_evidence, fathom

with open(sys.argv[1]) as file:
    report = json.load(file)
assert set(report) == {"run", "tables", "findings"}, set(report)
for name, table in report["tables"].items():
    names = [column["name"] for column in table["columns"]]
    assert all(set(column) == {"name", "type", "unit"} for column in table["columns"]), name
    for row in table["rows"]:
        assert list(row) == names, (name, row)

# Programs make many calls: to parse all of each takes longer than to record them.
known = set(re.findall(r'^\{[^{]*?"id":"([0-9.]+)"', fathom("dump", "--json", os.environ["TRACE"]), re.M))
life = sum(row["life"] for row in report["tables"]["time_by_process"]["rows"])
working = life * (1 - report["run"]["mpi_share"] / 100)
for finding in report["findings"]:
    assert finding["text"] and finding["title"], finding
    assert finding["effective"] or finding["advice"], finding
    assert abs(finding["share"] - 100 * finding["severity_s"] / working) < 0.01 * finding["share"] + 0.01, (finding, working)
    assert finding["gain_share"] is None or 0 <= finding["gain_share"] <= 100, finding
    for name in finding["evidence"]:
        assert name in known, (finding["kind"], name)
    assert finding["evidence"], finding
    cause = next((other for other in report["findings"] if other["kind"] == finding["part_of"]), None)
    assert cause or not finding["part_of"], finding
    assert not cause or not cause["part_of"], (finding, cause)  # what hides something is in sight
    if cause and cause["gain_s"] is not None and finding["gain_s"]:
        assert 2 * cause["gain_s"] >= finding["gain_s"] - 1e-6, (finding, cause)
check_evidence(report)
spent = sum(row["time"] for row in report["tables"]["time"]["rows"])
threads = any(name.split(".")[1] != "0" for name in known)  # of processes with several the time is that of all of them
assert abs(spent - life) < 0.02 * life or (threads and spent > life), (spent, life)
