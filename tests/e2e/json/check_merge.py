"""Checks what `merge --json` says against its manual page and against the trace that it made, $TRACE."""

import json
import os
import re
import sys

from lib import expect, expect_equal, info

with open(f"{os.environ['SOURCE']}/docs/fathom-merge.1.md") as file:
    section = file.read().split("\n## JSON\n")[1].split("\n## ")[0]
keys = {key for row in re.findall(r"^\| (`.*?) \|", section, re.M) for key in re.findall(r"`(\w+)`", row)}
with open(sys.argv[1]) as file:
    said = json.load(file)
expect_equal(set(said), keys, "keys of what merge says")
expect_equal(said["trace"], os.environ["TRACE"], "the trace")
expect_equal([said["calls"], said["bytes"]], [info()["calls"], info()["bytes"]["total"]], "what merge says")
expect_equal(said["processes"], len(info()["processes"]), "processes")
expect(os.path.isdir(said["spill"]), "the spill folder stays")
