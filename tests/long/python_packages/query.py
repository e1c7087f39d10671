"""The table of the example is that of `fathom stats` for each run."""
import csv
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    found = {(row["run"], row["func"]): (int(row["calls"]), int(float(row["bytes"]))) for row in csv.DictReader(file)}
wanted = {}
for run in sys.argv[2:]:
    with open(f"stats.{run}", encoding="utf-8") as file:
        for row in json.load(file)["functions"]:
            copies = row["bytes_read"] and row["bytes_written"]  # a copied byte is read and written; the call moves it once
            wanted[run, row["func"]] = (row["calls"], row["bytes_read"] + (0 if copies else row["bytes_written"]))
if found != wanted or not wanted:
    sys.exit(f"FAILED: the query: {found}, expected {wanted}")
