"""The table of messages has the numbers and bytes that messages.c sends, and times of those that are received."""

import csv
import io

from lib import *

# (from, to): messages, bytes, those of them that are received
EXPECTED = {
    (0, 1): (3 + 50, 3 * 400 + 50 * 64, 53),
    (1, 2): (50, 50 * 64, 50),
    (2, 3): (50 + 1, 50 * 64 + 20, 51),
    (3, 0): (50 + 1, 50 * 64 + 24, 51),
    (2, 0): (4 + 1, 4 * 10 + 16, 5),
    (3, 2): (1, 14, 1),
    (1, 3): (2, 2 * 192, 2),
    (1, 0): (1, 8, 1),
    (2, 2): (2, 4, 2),
    (3, 1): (1, 20, 0),
}


def main():
    trace = os.environ["TRACE"]
    ranks = {process["proc"]: process["rank"] for process in info()["processes"]}
    for command in ("report", "path"):
        rows = json.loads(fathom(command, "--json", trace))["tables"]["messages"]["rows"]
        found = {(row["from_rank"], row["to_rank"]): (row["count"], row["bytes"], row["timed"]) for row in rows}
        expect_equal(len(rows), len(found), f"{command}: rows")
        expect_equal(found, EXPECTED, f"{command}: messages")
        for row in rows:
            expect_equal([ranks[row["from_proc"]], ranks[row["to_proc"]]], [row["from_rank"], row["to_rank"]], f"{command}: processes of {row}")
            expect_equal([row["unsized"], row["unknown"]], [0, None], f"{command}: unknown in {row}")
            if not row["timed"]:
                expect_equal([row["timed_bytes"], row["time"], row["rate"]], [None] * 3, f"{command}: time of {row}")
                continue
            expect_equal(row["timed_bytes"], row["bytes"], f"{command}: bytes timed of {row}")
            expect(0 < row["time"] < 120, f"{command}: time of {row}")
            expect(abs(row["rate"] - row["timed_bytes"] / row["time"]) <= 1, f"{command}: rate of {row}")
    lines = list(csv.DictReader(io.StringIO(fathom("report", "--csv=messages", trace))))
    found = {(int(row["from_rank"]), int(row["to_rank"])): (int(row["count"]), int(row["bytes"]), int(row["timed"])) for row in lines}
    expect_equal(found, EXPECTED, "report --csv: messages")
    text = fathom("report", "--all", trace)
    expect("\nMessages\n" in text and "mean rate" in text, f"report --all has no messages: {text}")
    # What one rank sends, and what it is sent.
    rows = json.loads(fathom("path", "--rank", "1", "--json", trace))["tables"]["messages"]["rows"]
    found = {(row["from_rank"], row["to_rank"]): (row["count"], row["bytes"], row["timed"]) for row in rows}
    expect_equal(found, {pair: sums for pair, sums in EXPECTED.items() if 1 in pair}, "path --rank 1: messages")


main()
