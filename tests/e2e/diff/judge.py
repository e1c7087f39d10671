"""Is this true of diff.json?"""

import json
import sys

diff = json.load(open("diff.json"))


def row(table, name=None, **keys):
    """The one row whose keys are these; of a file: whose name ends so."""
    found = [
        row
        for row in diff[table]
        if all(row[key] == value for key, value in keys.items()) and (name is None or row["path"].endswith("/" + name))
    ]
    assert len(found) == 1, (table, name, keys, found)
    return found[0]


sys.exit(not eval(sys.argv[1]))
