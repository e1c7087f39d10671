"""chosen.py: in most phases the rank that waits long was recorded from the start on, since it did so in the phase before."""

from lib import *

phases = info()["phases"]
expect_equal(len(phases), 41, "phases")
right = sum(row["how"] == "chosen" and row["rank"] == row["phase"] // 10 % 4 for row in phases if row["phase"] % 10 and row["phase"] < 40)
expect(right >= 27, f"only in {right} of 36 phases the slow rank was chosen: {phases}")
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
