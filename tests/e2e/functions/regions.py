"""The table of regions, against the calls."""

from lib import *

stats = stats()
rows = {row["name"]: row for row in stats["regions"]}
by_hand = {}
for call in calls("mark_region"):
    by_hand[call["args"]["name"]] = by_hand.get(call["args"]["name"], 0) + 1
expect_equal({name: row["times"] for name, row in rows.items()}, by_hand, "times")
expect_equal(rows["main"]["bytes_written"], stats["total"]["bytes_written"], "main has all that is written but by threads")
expect_equal((rows["recurse"]["calls"], rows["recurse"]["bytes_written"]), (1, 7), "a call inside of a region that calls itself counts once")
expect(rows["recurse"]["time"] <= rows["main"]["time"], "time of a region that calls itself counts once")
expect(stats["total"]["time"] < rows["main"]["time"], "regions are no part of the time in calls")
outside = sum(call["end"] - call["start"] for call in calls() if call["layer"] != "application" and call["parent"] in {None} | {call["id"] for call in calls("mark_region")})
expect(abs(outside - stats["total"]["time"]) < 1e-5, "time in calls")
