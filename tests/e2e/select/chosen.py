"""chosen.py: who was slowest in a phase is recorded in the next one from the start on; and that is the rank that waits long, in phases in which
the others were faster by the program's own clock: on a machine that is busy with something else they may not be."""

from lib import *

phases = info()["phases"]
expect_equal(len(phases), 41, "phases")
for before, row in zip(phases, phases[1:]):
    expect_equal(row["how"] == "chosen", row["rank"] == before["rank"], f"chosen, and the slowest of the phase before: {before}, {row}")
times = [[float(line) for line in open(f"times-{rank}")] for rank in range(4)]
clear = wrong = 0
for row in phases[:40]:
    slow = row["phase"] // 10 % 4
    if max(times[rank][row["phase"]] for rank in range(4) if rank != slow) < times[slow][row["phase"]] / 2:
        clear += 1
        wrong += row["rank"] != slow
# What keeps a rank from running between its clock and its call counts for the one and not for the other.
expect(wrong <= clear / 4, f"in {wrong} of {clear} phases another rank than the slow one was the slowest: {phases}")
for row in phases[1:]:
    expect(row["processes"] == 4 and row["watched"] >= 3, f"more than one rank is recorded: {row}")
    expect(0 <= row["recorded"] <= row["time"], f"times: {row}")
    expect(row["how"] != "chosen" or row["recorded"] == row["time"], f"not all of a chosen rank is recorded: {row}")
coverage = info()["coverage"]
expect_equal(coverage["phases"], 41, "phases")
expect(abs(coverage["slowest_time"] - sum(row["time"] for row in phases)) < 1e-6, "time of the slowest")
expect("was recorded in full" in fathom("info", os.environ["TRACE"]), "info says what was recorded")
expect("was recorded in full" in fathom("report", os.environ["TRACE"]), "report says what was recorded")
verdict = subprocess.run([os.environ["FATHOM"], "verify", os.environ["TRACE"]], capture_output=True, text=True).stdout
verdict = " ".join(verdict.split())
expect("only watched (--select)" in verdict and "as far as was seen" in verdict.lower(), f"verify says {verdict}")
expect("--budget" not in verdict, "nothing is said of a budget")
