"""hinted.py OUTPUT TUNER [writers]: the trace has, in the call that opens a file, what the file has by the program's own output, the same on all
ranks. With `writers`, so many ranks have written the file as its hints say."""

import collections
import sys
from lib import *

lines = [line.split() for line in open(sys.argv[1])]
output = {name: (int(nodes), int(buffer)) for name, nodes, buffer in lines}
tuner, first, last = int(sys.argv[2]), lines[0][0], lines[-1][0]
hints, writers, opens = collections.defaultdict(dict), collections.defaultdict(set), {}
for line in fathom("dump", "--json", os.environ["TRACE"]).splitlines():
    call = json.loads(line)
    name = os.path.basename(call["file"] or "")
    if call["func"] == "MPI_File_open":
        opens[call["id"]] = name, call["rank"]
        hints[name].setdefault(call["rank"], {})
    elif call["func"] == "tuned_hint":
        name, rank = opens[call["parent"]]
        hints[name][rank][call["args"]["key"]] = call["args"]["value"], call["args"]["request"]
        expect_equal(call["args"]["pid"], tuner, f"who has asked for the hints of {name}")
    elif call["func"] == "pwrite" and name in output:
        writers[name].add(call["rank"])

requests = collections.Counter()
for name, has in output.items():
    expect_equal(sorted(hints[name]), [0, 1], f"who has opened {name}")
    expect_equal(hints[name][0], hints[name][1], f"hints of {name} on both ranks")
    given = {key: value for key, (value, request) in hints[name][0].items()}
    expect_equal("cb_config_list" in given, "cb_nodes" in given, f"processes of a node for {name}")
    expect_equal(has[0], int(given.get("cb_nodes", output[first][0])), f"ranks that do the I/O of {name}")
    expect_equal(has[1], int(given.get("cb_buffer_size", output[first][1])), f"buffer of {name}")
    requests.update({request for value, request in hints[name][0].values()})
    if "writers" in sys.argv:
        expect_equal(sorted(writers[name]), list(range(has[0])), f"who has written {name}")
expect_equal(hints[first][0], {}, "hints of the first file")
expect(len(requests) >= 8, f"too few requests: {requests}")
expect({nodes for nodes, buffer in output.values()} >= {1, 2}, "not all numbers of ranks were tried")

# Reports say it, too.
files = sum(bool(given[0]) for given in hints.values())
expect(f"\n{files} files were opened with hints of `fathom tune --live`" in fathom("report", os.environ["TRACE"]), f"a report says that {files} files had hints")

# What is in effect in the end is what the tuner says.
page = json.load(open("out.json"))
expect(page["verdict"] in ("helps", "nothing_helps", "not_sure"), f"verdict: {page['verdict']}")
expect_equal(page["live"]["ranks"], 2, "ranks")
expect_equal(page["choices"], 8, "choices")
expect(1 + 8 <= page["runs"] <= 24, f"{page['runs']} files")
left = {key: value for key, (value, request) in hints[last][0].items() if key != "cb_config_list"}
expect_equal(left, dict(word.split("=") for word in page["best"].split()) if page["verdict"] == "helps" else {}, f"hints that are left ({page['verdict']})")
expect_equal(len(page["winner"]), len(left), "hints of the page")
print("verdict:", page["verdict"])
