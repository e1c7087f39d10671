"""selected.py LEAST MOST: calls of ranks that were only watched are in sums, and their time is not known."""

import sys
from lib import *

facts, report = info(), json.loads(fathom("report", "--json", "--all", os.environ["TRACE"]))
coverage = facts["coverage"]
expect(coverage["phases"] > 10 and 0 < coverage["watched_process_phases"] < coverage["process_phases"], f"coverage: {coverage}")
expect(coverage["watched_time"] > 0, f"watched calls took time: {coverage}")
ranks = [process for process in facts["processes"] if process["rank"] is not None]
calls = []
for process in ranks:
    rows = json.loads(fathom("stats", "--json", "--rank", str(process["rank"]), os.environ["TRACE"]))["functions"]
    calls.append(sum(row["calls"] for row in rows if row["func"] == "MPI_File_write_at"))
# They meet after each write; so many were made while all of them were attached to, and while any was. A rank may be a write ahead at either end.
least, most = int(sys.argv[1]), int(sys.argv[2])
expect(least - 2 <= min(calls) and max(calls) <= most + 2, f"writes of the ranks: {calls}, not {least} to {most}")
rows = {row["proc"]: row for row in report["tables"]["time_by_process"]["rows"]}
for process in ranks:
    if process["summed"]:
        expect(rows[process["proc"]]["own"] is None and rows[process["proc"]]["unknown"] > 0, f"time of a watched rank: {rows[process['proc']]}")
expect(all(finding["gain_s"] is None for finding in report["findings"]), f"gains: {report['findings']}")
