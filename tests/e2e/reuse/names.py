"""Files with another name than the one that they were written under."""
import json
import os
import sys

tables = json.load(open(sys.argv[1]))["tables"]
roles = {os.path.basename(row["path"]): row["role"] for row in tables["files_by_role"]["rows"]}
exact = {os.path.basename(row["path"]): row["exact"] for row in tables["reuse"]["rows"]}
for name in ("named", "second"):
    assert roles[name] == "read under a new name", (name, roles)
for name in ("new", "named", "second"):
    assert exact[name] == "of this name", (name, exact)
