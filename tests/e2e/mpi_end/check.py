"""Every call is in the trace once, whether its rank did it before or after the ranks were merged."""

from lib import *

RANKS = 4
WRITES = 1000

for rank in range(RANKS):
    for name, writes in ("before", WRITES), ("thread", 2 * WRITES), ("after", WRITES), ("exit", WRITES):
        found = [call for call in calls("write") if call["file"].endswith(f"/{name}-{rank}")]
        expect_equal(len(found), writes, f"writes to {name}-{rank}")
        expect_equal({call["rank"] for call in found}, {rank}, f"rank that wrote {name}-{rank}")
    text = [call for call in calls("stdio_write") if call["file"].endswith(f"/text-{rank}")]
    expect_equal(sum(call["bytes"] for call in text), len("written at exit\n"), f"bytes of text-{rank}")
ranks = [process for process in info()["processes"] if process["rank"] is not None and process["world"] is not None]
expect_equal([process["how_ended"] for process in ranks], ["exit 0"] * RANKS, "ends")
expect_equal(sum(process["lost"] for process in ranks), 0, "lost calls")
