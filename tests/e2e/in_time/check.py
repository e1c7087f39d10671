"""Each barrier ends before the next access begins: the order is known."""
import json
import sys

rows = json.load(open(sys.argv[1]))["tables"]["order"]["rows"]
files = {row["path"].split("/")[-1]: row for row in rows if row["path"]}
whole = [row for row in rows if row["of"] == "all files"]
assert len(whole) == 1 and whole[0]["path"] is None, rows


def close(row, **shares):
    for name, share in shares.items():
        assert abs(row[name] - share) < 1e-9, (name, share, row)


turns, halves = files["turns"], files["halves"]
assert turns["processes"] == halves["processes"] == 4, rows
assert turns["accesses"] == 400 and halves["accesses"] == 200, rows
# 200 writes in a row; then four times 50 reads from the start on
close(turns, consecutive=100 * 396 / 400, sequential=100 * 396 / 400, random=100 * 4 / 400, beside=0)
# each rank writes its first piece, 49 strided ones, and reads from the start on
close(turns, consecutive_each=100 * 4 * 50 / 400)
# four ranks far from one another: three steps ahead, one back
close(halves, consecutive_each=100, consecutive=100 / 200, sequential=100 * 151 / 200, random=100 * 49 / 200, beside=0)
assert whole[0]["accesses"] == sum(row["accesses"] for row in files.values()), rows
close(whole[0], random=100 * sum(row["accesses"] * row["random"] / 100 for row in files.values()) / whole[0]["accesses"])
