"""first.py WORD: every view says first that a program was not recorded, with a reason that has this word in it."""

import sys
from lib import *

incomplete = info()["incomplete"]
expect(incomplete and sys.argv[1] in incomplete["not_recorded"], f"info: {incomplete}")
expect_equal(stats()["incomplete"], incomplete, "stats")
expect_equal(json.loads(fathom("report", "--json", os.environ["TRACE"]))["run"]["incomplete"], incomplete, "report")
expect_equal(json.loads(fathom("handles", "--json", os.environ["TRACE"]))["incomplete"], incomplete, "handles")
for command in (["info"], ["stats"], ["report"], ["report", "--markdown"], ["dump"], ["handles"], ["path"], ["info", "--markdown"]):
    page = fathom(*command, os.environ["TRACE"]).splitlines()[0]
    expect("Incomplete: " in page and "not recorded: " in page and sys.argv[1] in page, f"{command} begins with {page!r}")
