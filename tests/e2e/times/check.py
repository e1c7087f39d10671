"""check.py EXACT OTHER HOW: calls of OTHER are those of EXACT but for times, and these are off by no more than HOW allows."""

import json
import os
import subprocess
import sys
from collections import defaultdict

from lib import expect, expect_equal

UNITS = {"1ns": 1, "10ns": 10, "100ns": 100, "1us": 1000, "10us": 10000, "100us": 100000, "1ms": 1000000}


def read(*arguments):
    done = subprocess.run([os.environ["FATHOM"], *arguments, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    return done.stdout, done.stderr


def ns(seconds):
    return round(seconds * 1e9)


def threads(trace):
    found = defaultdict(list)
    for line in read("dump", "--launchers", trace)[0].splitlines():
        call = json.loads(line)
        found[call["proc"], call["thread"]].append((ns(call.pop("start")), ns(call.pop("end")), call))
    return found


words = sys.argv[3].split(",")
means = "mean" in words
percent = next((int(word[:-1]) for word in words if word.endswith("%")), 0)
unit = next((UNITS[word] for word in words if word in UNITS), 10 if means else 100 if percent else 1000)
percent_of = percent / 100


def slack(moment=0):
    """Both sides are rounded, ticks are no whole nanoseconds, and each merge takes the rate of the clock anew."""
    return 2 * unit + 4 + moment * 2e-5



info = json.loads(read("info", sys.argv[2])[0])
expect_equal(info["times"], "means" if means else "bins" if percent else "exact", "times")
expect_equal(info["time_percent"], percent, "percent")
expect_equal(ns(info["resolution"]), unit, "resolution")
said = read("dump", "--head", "1", sys.argv[2])[1]
expect(("times are" in said) == (means or percent > 0), f"dump says {said}")

exact, other = threads(sys.argv[1]), threads(sys.argv[2])
expect_equal(set(exact), set(other), "threads")
for thread, calls in exact.items():
    expect_equal(len(other[thread]), len(calls), f"calls of thread {thread}")
    longest = 0
    last = ns(info["processes"][thread[0]]["start"])
    for (start, end, call), (shown_start, shown_end, shown) in zip(calls, other[thread]):
        expect_equal(shown, call, "a call")
        expect(shown_end >= shown_start, f"{call['id']} ends before it begins")
        longest = max(longest, end - start, start - last)
        last = max(last, end)
        if not means and not percent:
            expect(abs(start - shown_start) <= slack(start) and abs(end - shown_end) <= slack(end), f"{call['id']}: {start} is {shown_start}")
        elif percent:
            allowed = (end - start) * percent_of + slack()
            expect(abs((shown_end - shown_start) - (end - start)) <= allowed, f"{call['id']} takes {shown_end - shown_start}, not {end - start}")
            expect(-longest * percent_of - slack(start) <= shown_start - start <= slack(start), f"{call['id']} starts at {shown_start}, not {start}")
    if means:
        last = max(end for _, end, _ in calls)
        expect(abs(last - max(end for _, end, _ in other[thread])) <= slack(last), f"end of thread {thread}")

# Sums are those of the exact trace, whatever became of the calls.
sums = [{row["func"]: row for row in json.loads(read("stats", "--launchers", trace)[0])["functions"]} for trace in sys.argv[1:3]]
expect_equal(set(sums[0]), set(sums[1]), "functions")
for name, ours in sums[0].items():
    theirs = sums[1][name]
    for key, value in ours.items():
        if key in ("time", "shortest", "mean", "longest"):
            allowed = slack() * (ours["calls"] if key == "time" else 1) + ns(value) * 2e-5
            expect(abs(ns(value) - ns(theirs[key])) <= allowed, f"{key} of {ours['func']}: {theirs[key]}, not {value}")
        else:
            expect_equal(theirs[key], value, f"{key} of {ours['func']}")
    expect(theirs["shortest"] <= theirs["mean"] + 1e-9 and theirs["mean"] <= theirs["longest"] + 1e-9, f"durations of {ours['func']}")

# So is how long calls of the busiest functions took: up to each edge, as many as the exact trace has, but for those that are as near to it as times are off.
lasted = defaultdict(list)
for calls in exact.values():
    for start, end, call in calls:
        lasted[call["func"]].append(end - start)
for name in sorted(lasted, key=lambda name: -len(lasted[name]))[:3]:
    rows = json.loads(read("stats", "--launchers", "--histogram", name, sys.argv[2])[0])["durations"]
    expect_equal(sum(row["calls"] for row in rows), len(lasted[name]), f"calls in the histogram of {name}")
    expect(rows[0]["calls"] and rows[-1]["calls"], f"empty ends: {rows}")
    below = 0
    for row in rows:
        below += row["calls"]
        edge = ns(row["to"])
        off = edge * (percent_of + 2e-5) * 2 + slack()
        least, most = (sum(duration < edge + way * off for duration in lasted[name]) for way in (-1, 1))
        expect(least <= below <= most, f"{below} calls of {name} below {edge} ns, not {least} to {most}")
        expect(abs(ns(row["from"]) * 2 - edge) <= edge * 1e-6 + 1 or ns(row["from"]) == 0, f"a bin of {name}: {row}")
