"""summed.py: calls are in sums only; their number and since when is said by every command, and those that were kept are there."""

import sys
from lib import *

incomplete = info()["incomplete"]
expect(incomplete, "info does not say that calls are in sums only")
summed = incomplete["summed"]
expect(summed["calls"] > 0 and summed["processes"] > 0, f"summed: {summed}")
expect_equal(sum(process["summed"] for process in info()["processes"]), summed["calls"], "calls of all processes")
expect_equal(incomplete["unkept"]["calls"], 0, "calls that were not kept")
expect(0 <= summed["since"] <= info()["duration"], f"since when: {summed}")
expect("--budget" in incomplete["text"] and "function and file only" in incomplete["text"], incomplete["text"])
own = [process for process in info()["processes"] if not process["launcher"]]
expect_equal(stats()["incomplete"]["summed"]["calls"], sum(process["summed"] for process in own), "calls of all but launchers")
expect_equal(sum(process["calls"] - process["summed"] for process in own), len(dump()), "calls that are kept one by one")
expect_equal([spot for spot in info()["blind_spots"] if "are missing" in spot], [], "blind spots")
said = {page: (f"{missing['summed']['calls']:,} of ", missing["text"].partition(" calls are ")[2]) for page, missing in (("info", incomplete), ("stats", stats()["incomplete"]))}
for command in (["info"], ["stats"], ["report"], ["report", "--markdown"], ["dump"], ["handles"], ["path"], ["stats", "--markdown"], ["query"]):
    question = ["throughput"] if command == ["query"] else []
    count, says = said.get(command[0], said["stats"])
    page = fathom(*command, os.environ["TRACE"], *question).splitlines()[0]
    expect("Incomplete: " + count in page and says in page, f"{command} begins with {page!r}")
for command in (["stats", "--csv=files"], ["info", "--csv"], ["handles", "--csv"], ["report", "--csv=functions"]):
    count, says = said.get(command[0], said["stats"])
    done = subprocess.run([os.environ["FATHOM"], *command, os.environ["TRACE"]], capture_output=True, text=True)
    expect(done.returncode == 0 and "incomplete: " + count in done.stderr and says in done.stderr, f"{command} says {done.stderr!r}")
verdict = subprocess.run([os.environ["FATHOM"], "verify", os.environ["TRACE"]], capture_output=True, text=True).stdout
expect("Incomplete: " + said["info"][0] in " ".join(verdict.split()), f"verify says {verdict!r}")
