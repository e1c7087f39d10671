"""From several times on, the calls are those that end then or later, as a dump of everything has them."""

import json
import os

from lib import expect, expect_equal, fathom

HEAD = 500


def ns(seconds):
    return round(seconds * 1e9)


everything = fathom("dump", "--json", os.environ["TRACE"]).splitlines()
calls = [json.loads(line) for line in everything]
ends = [ns(call["end"]) for call in calls]
for thread in 0, 1:
    count = sum(call["thread"] == thread for call in calls)
    expect(count > 3 * 32768 // 2, f"{count} calls of thread {thread} only")
expect(any(call["parent"] for call in calls), "no calls inside calls")
for i in range(0, len(calls), len(calls) // 12):
    time = ends[i]
    wanted = [line for line, end in zip(everything, ends) if end >= time]
    found = fathom("dump", "--json", "--from", f"{time}ns", "--head", str(HEAD), os.environ["TRACE"]).splitlines()
    expect_equal(len(found), min(HEAD, len(wanted)), f"calls from {time} ns on")
    for ours, theirs in zip(found, wanted):
        expect_equal(json.loads(ours), json.loads(theirs), f"from {time} ns on")
begin, end = ends[len(ends) // 2], ends[len(ends) // 2 + 3000]
wanted = [line for line, call, last in zip(everything, calls, ends) if last >= begin and ns(call["start"]) <= end]
expect_equal(fathom("dump", "--json", "--from", f"{begin}ns", "--to", f"{end}ns", os.environ["TRACE"]).splitlines(), wanted, "calls in between")
last = max(ends)
found = fathom("dump", "--json", "--from", f"{last}ns", os.environ["TRACE"]).splitlines()
expect_equal(found, [line for line, end in zip(everything, ends) if end == last], "the last calls")
