"""check_resolution.py TRACE HOW: every process of the trace keeps its times so."""

import json
import os
import subprocess
import sys

from lib import expect_equal

info = json.loads(subprocess.run([os.environ["FATHOM"], "info", "--json", sys.argv[1]], stdout=subprocess.PIPE, check=True).stdout)
how = sys.argv[2]
expect_equal(info["times"], "means" if how == "mean" else "bins" if "%" in how else "exact", "times")
expect_equal(info["meta"]["time"], how, "meta")
if how == "1us":
    for line in subprocess.run([os.environ["FATHOM"], "dump", "--json", sys.argv[1]], stdout=subprocess.PIPE, check=True).stdout.splitlines():
        call = json.loads(line)
        took = (call["end"] - call["start"]) * 1e6
        # Ticks of a microsecond are rounded down.
        expect_equal(round(took) == 0 or abs(took - round(took)) < 0.002 * took + 0.002, True, f"{took} us")
