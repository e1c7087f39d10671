"""Operations that do not block as CSV are those of JSON, with all of their keys."""

import csv
import io
from lib import *

operations = [json.loads(line) for line in fathom("dump", "--operations", "--json", os.environ["TRACE"]).splitlines()]
rows = list(csv.DictReader(io.StringIO(fathom("dump", "--operations", "--csv", os.environ["TRACE"]), newline=""), strict=True))
expect(operations, "there are no operations")
for row, operation in zip(rows, operations, strict=True):
    expect_equal(list(row), list(operation), "columns")
    for key, value in operation.items():
        if isinstance(value, float):
            expect(abs(float(row[key]) - value) < 1e-8, f"{key} is {row[key]}, not {value}")
        else:
            expect_equal(row[key], "" if value is None else str(int(value)) if isinstance(value, bool) else str(value), key)
