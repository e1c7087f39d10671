"""missing.py CALLS [at_least]: calls that were kept and those that were counted are so many, and every view says first what is missing."""

import sys
from lib import *

total, at_least = int(sys.argv[1]), len(sys.argv) > 2
incomplete = info()["incomplete"]
expect(incomplete, "info does not say that the trace is incomplete")
unkept, unrecorded = incomplete["unkept"], incomplete["unrecorded"]
expect((unrecorded["calls"] is None) == at_least, f"not counted: {unrecorded}")
counted = info()["calls"] + unkept["calls"] + (unrecorded["calls"] or 0)
if not at_least:
    expect_equal(counted, total, "calls kept and counted")
for missing in (unkept, unrecorded):
    expect(not missing["processes"] or 0 <= missing["since"] <= info()["duration"], f"since when: {missing}")
    expect((missing["error"] is not None) == (missing["processes"] > 0), f"why: {missing}")
expect_equal(stats()["incomplete"], incomplete, "stats")
expect_equal(json.loads(fathom("report", "--json", os.environ["TRACE"]))["run"]["incomplete"], incomplete, "report")
expect_equal(json.loads(fathom("handles", "--json", os.environ["TRACE"]))["incomplete"], incomplete, "handles")
for command in (["info"], ["stats"], ["report"], ["report", "--markdown"], ["dump"], ["handles"], ["path"], ["stats", "--markdown"], ["handles", "--markdown"]):
    page = fathom(*command, os.environ["TRACE"]).splitlines()[0]
    expect("Incomplete: " in page and incomplete["text"] in page, f"{command} begins with {page!r}")
for command in (["stats", "--csv=files"], ["info", "--csv"], ["handles", "--csv"], ["report", "--csv=functions"]):
    done = subprocess.run([os.environ["FATHOM"], *command, os.environ["TRACE"]], capture_output=True, text=True)
    expect(done.returncode == 0 and incomplete["text"] in done.stderr and "incomplete" not in done.stdout.lower(), f"{command} says {done.stderr!r}")
