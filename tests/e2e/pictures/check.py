"""Pictures are documents of their own, in the colours of the page, and their numbers are those of the other commands. No name is taken
for markup, and none is longer than the picture is wide."""

import collections
import re
from xml.etree import ElementTree

from lib import *

NAMES = ["timeline", "rates", "files", "balance", "profile", "sizes"]
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "rect", "line", "path", "text", "g"}
MOST_LETTERS = 401


def draw(name):
    text = open(f"pictures/{name}.svg", encoding="utf-8").read()
    tree = ElementTree.fromstring(text)
    for one in tree.iter():
        expect(one.tag.removeprefix(SVG) in ELEMENTS, f"{name}: an element {one.tag}")
        expect(not any("href" in key or key.startswith("on") or "url(" in value for key, value in one.attrib.items()), f"{name}: {one.attrib}")
        expect(all(len(value) <= MOST_LETTERS for key, value in one.attrib.items() if key.startswith("data-")), f"{name}: data without end")
        if one.tag in (SVG + "text", SVG + "title") and one is not tree[0]:
            expect(len(one.text or "") <= MOST_LETTERS, f"{name}: a text of {len(one.text)} letters")
            expect(not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\ufffe\uffff]", one.text or ""), f"{name}: hidden letters in {one.text!r}")
    return tree


def data(tree, *names):
    """Of each group that has all of these: their values, numbers where they are numbers."""
    found = []
    for group in tree.iter(SVG + "g"):
        values = [group.get(f"data-{name}") for name in names]
        if None not in values:
            found.append([int(value) if value.isdigit() else value for value in values])
    return found


def sums(rows):
    result = collections.Counter()
    for key, value in rows:
        result[key] += value
    return dict(result)


def check_lines(trees):
    layers = {row["layer"]: row for row in stats()["layers"]}
    for name, column in (("calls", "calls"), ("written", "bytes_written"), ("read", "bytes_read")):
        wanted = {layer: row[column] for layer, row in layers.items() if row[column]}
        shown = {layer: value for layer, value in sums(data(trees["timeline"], "layer", name)).items() if value}
        expect_equal(shown, wanted, f"the time line: {name}")
        expect_equal(dict(data(trees["rates"], "layer", name)), wanted, f"rates: {name}")


def check_files(trees):
    wanted = {row["path"].rsplit("/", 1)[1]: (row["bytes_read"], row["bytes_written"]) for row in stats()["files"] if row["bytes_written"]}
    shown = {path.rsplit("/", 1)[1]: (read, written) for path, read, written in data(trees["files"], "path", "read", "written")}
    expect_equal(len(shown), 6, f"files: {shown}")
    expect_equal(set(shown.values()), {(3000, 5000)}, "bytes of files")
    expect(sum(name in wanted for name in shown) >= 3, f"files {sorted(shown)}, not {sorted(wanted)}")
    expect("<img src=x onerror=\"alert('&')\">" in shown, f"no name that is markup: {sorted(shown)}")
    expect("\\x1b[31mred\\nline" in shown, f"control characters are not made visible: {sorted(shown)}")


def check_rest(trees):
    report = json.loads(fathom("report", "--json", os.environ["TRACE"]))
    columns = ["io", "messages", "waiting", "other", "own"]
    wanted = [[round(row[column] * 1e9) for column in columns] for row in report["tables"]["time_by_process"]["rows"]]
    expect_equal(data(trees["balance"], *columns), wanted, "times of processes")
    calls = {row["func"]: row["calls"] for row in stats()["functions"]}
    expect_equal(sums(data(trees["profile"], "function", "calls")).keys() - calls.keys(), set(), "functions of the profile")
    for function, count in sums(data(trees["profile"], "function", "calls")).items():
        expect(count <= calls[function], f"the profile has {count} calls of {function}, not {calls[function]}")
    expect_equal(sums(data(trees["profile"], "function", "calls"))["write"], calls["write"], "write in the profile")
    sizes = {layer: [reads, writes] for layer, reads, writes in data(trees["sizes"], "layer", "reads", "writes")}
    expect_equal(sizes["posix"][1], calls["write"], "sizes of writes")
    expect(sizes["posix"][0] >= calls["pread"], f"sizes of reads: {sizes}")
    bars = [row for row in data(trees["sizes"], "power", "reads", "writes") if row[2]]
    expect_equal(bars, [[10, bars[0][1], calls["write"]]], "writes of 1000 bytes")


def check_colours(trees):
    source = os.environ["SOURCE"] + "/page/"
    palette = set(re.findall("#[0-9a-f]{6}", open(source + "palette.js", encoding="utf-8").read()))
    paper = set(re.findall("#[0-9a-f]{6}", open(source + "style.css", encoding="utf-8").readline()))
    for name in ("timeline", "rates", "balance", "profile", "sizes"):
        used = {one.get(key) for one in trees[name].iter() for key in ("fill", "stroke") if one.get(key, "none") != "none"}
        expect(used <= palette | paper | {"#000000", "#ffffff"}, f"{name}: colours {used - palette - paper}")


def main():
    printed = open("said.out", encoding="utf-8").read().splitlines()
    expect_equal(printed, [f"pictures/{name}.svg" for name in NAMES], "files that are printed")
    trees = {name: draw(name) for name in NAMES}
    check_lines(trees)
    check_files(trees)
    check_rest(trees)
    check_colours(trees)


main()
