"""What is missing in a trace stands in each of its pictures, as --json has it, word for word."""

from xml.etree import ElementTree

from lib import *

SVG = "{http://www.w3.org/2000/svg}"
BAD = "#b3261e"
missing = json.loads(fathom("report", "--json", "full.fathom"))["run"]["incomplete"]
expect(missing is not None, "nothing is missing where the disk was full")
for name in ("timeline", "rates", "files", "balance", "profile", "sizes"):
    lines = [one.text for one in ElementTree.parse(f"full/{name}.svg").iter(SVG + "text") if one.get("fill") == BAD]
    expect_equal(" ".join(lines), f"Incomplete: {missing['text']}. {missing['shown']}", f"{name}: what is missing")
