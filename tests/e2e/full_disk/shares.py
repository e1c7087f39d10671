"""The time of calls that are missing does not count as the program's own."""

from lib import *

expect(info()["incomplete"]["unkept"]["calls"] > info()["calls"], "most calls are missing")
report = json.loads(fathom("report", "--json", os.environ["TRACE"]))
rows = {row["layer"]: row["share"] for row in report["tables"]["time"]["rows"]}
expect(rows["the program's own"] < 50, f"shares of layers: {rows}")
path = json.loads(fathom("path", "--json", os.environ["TRACE"]))
layers = {row["layer"]: row["share"] for row in path["tables"]["critical_layers"]["rows"]}
expect(layers["the program's own"] < 50, f"shares of the path: {layers}")
expect("Shares refer to the time before calls were missing, " in fathom("report", os.environ["TRACE"]), "whose shares these are")
