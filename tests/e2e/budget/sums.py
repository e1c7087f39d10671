"""sums.py save FILE | same FILE | functions FILE [ranks]: sums by function and by file of $TRACE: what is exact whatever the budget was, as JSON.
ranks: of the files that ranks of MPI work on, and their functions; what the libraries of MPI do differs from run to run."""

import sys
from lib import *

EXACT = {"functions": ("func", "calls", "errors", "bytes_read", "bytes_written"), "files": ("path", "opens", "calls", "bytes_read", "bytes_written")}


def is_compared(row):
    if len(sys.argv) < 4:
        return True
    return row.get("func") in ("pwrite", "pread", "sendfile", "fprintf", "access") or any(name in row.get("path", "") for name in ("/data.", "/more.", "/streamed."))


def exact():
    return {table: sorted([row[column] for column in columns] for row in stats()[table] if is_compared(row)) for table, columns in EXACT.items()}


what, path = sys.argv[1:3]
if what == "save":
    json.dump(exact(), open(path, "w"))
elif what == "same":
    saved = json.load(open(path))
    for table in EXACT:
        expect_equal(exact()[table], saved[table], table)
else:
    saved = json.load(open(path))
    expect_equal(exact()["functions"], saved["functions"], "functions")
    for column in range(1, 5):
        expect_equal(sum(row[column] for row in exact()["files"]), sum(row[column] for row in saved["files"]), EXACT["files"][column] + " of all files")
    expect(len(exact()["files"]) < len(saved["files"]), "all files are there")
