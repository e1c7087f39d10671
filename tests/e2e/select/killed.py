"""killed.py PHASES: what the last rank did until it killed itself counts."""

import sys
from lib import *

phases = int(sys.argv[1])
row = json.loads(fathom("stats", "--json", "--rank", "3", os.environ["TRACE"]))["functions"]
writes = sum(item["calls"] for item in row if item["func"] == "write")
wanted = phases * 3 + (phases - 1) * 3 + phases
expect(wanted <= writes <= wanted + 100, f"the rank made {wanted} writes, {writes} are in stats")
rank = [process for process in info()["processes"] if process["rank"] == 3]
expect(rank and rank[0]["summed"] > 0, f"calls of the rank in sums: {rank}")
expect(info()["coverage"]["unknown_phases"] <= 1 and info()["coverage"]["phases"] >= phases - 1, f"coverage: {info()['coverage']}")
