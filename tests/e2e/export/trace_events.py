"""Events of JSON are the calls that `fathom dump` has; each arrow has two ends. The second argument: how many arrows."""
import collections
import sys

from lib import *

with open(sys.argv[1]) as file:
    events = json.load(file)["traceEvents"]
by_name = {event["args"]["call"]: event for event in events if event["ph"] == "X"}
expect_equal(sorted(by_name), sorted(call["id"] for call in dump()), "calls")
for call in dump():
    event = by_name[call["id"]]
    expect_equal((event["name"], event["cat"], event["pid"], event["tid"]), (call["func"], call["layer"], call["proc"], call["thread"]), call["id"])
    expect_equal((event["args"]["file"], event["args"].get("bytes"), event["args"]["arg"]), (call["file"], call["bytes"], call["args"]), call["id"])
    expect_equal((round(event["ts"] * 1e3), round(event["dur"] * 1e3)), (round(call["start"] * 1e9), round(call["end"] * 1e9) - round(call["start"] * 1e9)), call["id"])
named = {event["pid"] for event in events if event["ph"] == "M" and event["name"] == "process_name"}
expect({call["proc"] for call in dump()} <= named, "names of processes")
arrows = collections.Counter(event["id"] for event in events if event["ph"] in "sf")
begins = [event["id"] for event in events if event["ph"] == "s"]
expect_equal((len(begins), set(arrows.values()) - {2}), (int(sys.argv[2]), set()), "arrows")
