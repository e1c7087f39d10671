"""The models and the violations of a verdict as CSV are those of JSON."""

import csv
import io
from lib import *

TRACE = os.environ["TRACE"]


def verify(*options):
    done = subprocess.run([os.environ["FATHOM"], "verify", *options, TRACE], stdout=subprocess.PIPE, text=True)
    expect(done.returncode in (0, 2, 3, 4), f"verify {options}: exit status {done.returncode}")
    return done.stdout


def table(name):
    return list(csv.DictReader(io.StringIO(verify(f"--csv={name}"), newline=""), strict=True))


models = json.loads(verify("--json"))["models"]
for row, (name, model) in zip(table("models"), models.items(), strict=True):
    expect_equal(row["model"], name, "the model")
    expect_equal(row["verdict"], model["verdict"], f"{name}: the verdict")
    for key in ("conflict_pairs", "violations", "same_process_pairs", "unordered_in_process"):
        expect_equal(row[key], str(model[key]), f"{name}: {key}")
    for key, count in model["hazards"].items():
        expect_equal(row[key], str(count), f"{name}: {key}")
groups = [(name, group) for name, model in models.items() for group in model["groups"]]
expect(groups, "the program is not racy under any model")
for row, (name, group) in zip(table("violations"), groups, strict=True):
    expect_equal((row["model"], row["file"], row["hazard"], row["pairs"]), (name, group["file"], group["hazard"], str(group["pairs"])), "a violation")
    expect_equal([row["range_start"], row["range_end"]], ["" if byte is None else str(byte) for byte in group["range"]], "its bytes")
    expect_equal((row["first"], row["second"]), (group["first"]["id"], group["second"]["id"]), "its calls")
    expect_equal(row["repair"], group["repair"] or "", "what repairs it")
