"""The panel of one call, in each browser: parameters, bytes, and what repeats are those of `dump`; a file has what its maps know."""

import re

from browser import *
from lib import *
from server import *

PANEL = "document.getElementById('call')"


def calls_of(trace):
    return [json.loads(line) for line in fathom("dump", "--json", "--ranges", trace).splitlines()]


def lines_of(trace, call):
    """Byte lines of the call itself, as `dump --call --ranges` prints them."""
    text = fathom("dump", "--call", call["id"], "--ranges", trace).splitlines()
    found, mine = [], False
    for line in text:
        if not line.startswith("        "):
            mine = re.search(rf"\b{call['func']}\(", line) is not None
        elif mine and re.match(r" +bytes \d+ to \d+(, and \d+ times more, every \d+)?$", line):
            found.append(line.strip())
    return found


def choose(browser, call):
    browser.script(f"location.hash = '#view=timeline&call={call['id']}'")
    until(f"the panel of {call['id']}", lambda: browser.script(f"return [...{PANEL}.querySelectorAll('dd')].some(one => one.textContent === '{call['id']}')"))


def shown(browser):
    return until("its bytes", lambda: browser.script(f"return [...{PANEL}.querySelectorAll('p.ranges')].map(one => one.textContent)"))


def table(browser):
    return browser.script(f"return [...{PANEL}.querySelectorAll('[data-table=ranges] tbody tr')].map(row => [...row.cells].map(cell => Number(cell.textContent.replaceAll(',', ''))))")


def painted(browser):
    """How many colours the strip has."""
    return browser.script(f"""const canvas = {PANEL}.querySelector('canvas.extent'), pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return new Set(pixels).size""")


def check_one(browser, trace, call):
    choose(browser, call)
    texts, lines = shown(browser), lines_of(trace, call)
    verb = "writes" if call["kind"] == "write" else "reads"
    expect_equal(texts, [f"{verb} {'; '.join(lines)}"], f"{browser.name}: {trace}: bytes of {call['id']}")
    expect(painted(browser) > 2, f"{browser.name}: {call['id']}: nothing is painted")
    words = {**call["args"], **{"result": call["ret"]}}
    panel = browser.script(f"return {PANEL}.textContent")
    for name, value in words.items():
        expect(value is None or f"{name}{value if not isinstance(value, list) else ''}" in panel, f"{browser.name}: {name} = {value} is not in {panel!r}")
    for name, value in call["names"].items():
        expect(not isinstance(value, str) or value in panel, f"{browser.name}: {value} is not in {panel!r}")
    expect(browser.script("return window.injected === undefined && !document.querySelector('img')"), f"{browser.name}: a name was run")


def check_places(browser, calls):
    def find(func, **fields):
        return next(call for call in calls if call["func"] == func and all(call[name] == value for name, value in fields.items()))

    check_one(browser, "places.fathom", find("pwrite"))
    expect_equal(table(browser), [[5000, 100, 1]], f"{browser.name}: the table of a pwrite")
    stream = next(call for call in calls if call["func"] == "fwrite")
    choose(browser, stream)
    inside = [call["ranges"] for call in calls if call["parent"] == stream["id"] and call["ranges"]]
    expect(inside, "nothing is inside of fwrite")
    shown(browser)
    rows = table(browser)
    expect_equal(sum(row[1] * row[2] for row in rows), sum(length for ranges in inside for _, length in ranges), f"{browser.name}: bytes inside of fwrite")
    expect("only by the calls inside" in browser.script(f"return {PANEL}.textContent"), f"{browser.name}: whose bytes are they")
    choose(browser, find("lseek"))
    until("where the seek went", lambda: "Now at 7,000." in browser.script(f"return {PANEL}.textContent"))
    listed = find("lio_listio")
    choose(browser, listed)
    texts = shown(browser)
    expect_equal(texts, [f"reads bytes {offset} to {offset + length - 1}" for offset, length in (block["range"] for block in listed["blocks"])], f"{browser.name}: blocks of lio_listio")


def check_views(browser, calls):
    """Eight bytes of each 32: what repeats is a block and a hole."""
    for call in (call for call in calls if call["func"] == "MPI_File_write_all"):
        check_one(browser, "views.fathom", call)
        rank = call["rank"]
        expect_equal(table(browser), [[8 * rank, 8, 100, 32, 24]], f"{browser.name}: the table of rank {rank}")
        svg = browser.script("""let text = ""; const make = URL.createObjectURL, made = [];
            URL.createObjectURL = blob => { made.push(blob); return make(blob); };
            document.querySelector("#call .pictures button:last-child").click();
            URL.createObjectURL = make; window.caught = ""; made[0].text().then(text => { window.caught = text; }); return made.length""")
        expect_equal(svg, 1, f"{browser.name}: pictures")
        text = until("the picture", lambda: browser.script("return window.caught"))
        expect("block 8 B, hole 24 B, 100 times" in text, f"{browser.name}: the picture has no pattern: {text[:300]}")
        expect(text.count("<rect") > 200, f"{browser.name}: 100 pieces are {text.count('<rect')} rectangles")
    with open(f"{browser.name}.png", "wb") as picture:
        browser.script(f"{PANEL}.scrollIntoView()")
        picture.write(browser.picture())


def panel_table(browser, name):
    return browser.script(f"return [...{PANEL}.querySelectorAll('[data-table={name}] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")


def check_datatypes(browser, calls):
    """The view of a file, and a structure that has one type twice: the type stands once, and its pieces are drawn."""
    write = next(call for call in calls if call["func"] == "MPI_File_write_all" and call["rank"] == 1)
    expect_equal([write["view"]["displacement"], write["datatypes"][write["view"]["filetype"]]["pieces"], write["datatypes"][write["view"]["filetype"]]["extent"]], [8, [[0, 8]], 32], "view of rank 1")
    choose(browser, write)
    said = until("the view", lambda: [text for text in browser.script(f"return [...{PANEL}.querySelectorAll('p.pieces')].map(one => one.textContent)") if text.startswith("from byte 8 on")])
    expect_equal(said, ["from byte 8 on, resized: from 0 B, extent 32 B, every 32 B, in units of MPI_BYTE"], f"{browser.name}: the view")
    struct = next(call for call in calls if call["func"] == "MPI_Type_commit" and call["datatypes"][0]["name"] == "struct")
    made = struct["datatypes"][struct["types"]["datatype"]]
    expect_equal([made["pieces"], made["more_pieces"], made["size"], len(set(made["parts"])), len(made["parts"])], [[[0, 8], [64, 16]], False, 24, 1, 2], "the structure")
    choose(browser, struct)
    rows = until("its datatypes", lambda: panel_table(browser, "datatypes"))
    expect_equal([row[1] for row in rows], ["struct: 2 blocks of 1, 2, at 0, 64 B", "contiguous: 8 times", "MPI_BYTE"], f"{browser.name}: datatypes")
    expect_equal(rows[0][2], "2 times 1", f"{browser.name}: what the structure consists of")
    until("pictures of datatypes", lambda: browser.script(f"return [...{PANEL}.querySelectorAll('canvas')].every(one => new Set(new Uint32Array(one.getContext('2d').getImageData(0, 0, one.width, one.height).data.buffer)).size > 2)"))


def check_linked(browser):
    """What is in the panel of a call is what the arrows have: at both ends."""
    ends = browser.script("""const {links, names} = window.fathom.run, name = (list, end, i) => `${list[`${end}Proc`][i]}.${list[`${end}Thread`][i]}.${list[`${end}Call`][i] - 1}`, list = links.collectives;
        return Array.from({length: list.count}, (_, i) => [name(list, "from", i), name(list, "to", i)])""")
    expect(ends, f"{browser.name}: no collective call")
    for last, other in ends[:5]:
        found = browser.script(f"return [window.fathom.linkedTo({json.dumps(last)}), window.fathom.linkedTo({json.dumps(other)})].map(list => list.map(one => [one.what, one.other]))")
        expect(["Came last", other] in found[0] and ["Came before the last one", last] in found[1], f"{browser.name}: {last} and {other} have {found}")


def check_path(browser):
    """Of calls on the critical path, how much: together no more than its parts."""
    parts = json.loads(fathom("report", "--json", "views.fathom"))["tables"]["critical_parts"]["rows"]
    texts = browser.script("const {run, pathText} = window.fathom; return Array.from({length: run.calls.count}, (_, i) => pathText(i)).filter(Boolean)")
    expect(texts, f"{browser.name}: no call is on the critical path")
    moves = {(a["proc"], b["proc"]) for a, b in zip(parts, parts[1:]) if a["proc"] != b["proc"]}
    expect(not any("goes on" in text for text in texts) or moves, f"{browser.name}: a path of one process goes on elsewhere")


def check_file(browser, calls):
    """A page that is a file: one access of its maps."""
    write = next(call for call in calls if call["func"] == "pwrite")
    browser.open("places.html", f"#view=timeline&call={write['id']}")
    expect_equal(shown(browser), ["writes bytes 5000 to 5099"], f"{browser.name}: of a file")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    has_server = "server of view: by" in fathom("--version")
    for make in browsers:
        browser = make()
        try:
            places = calls_of("places.fathom")
            check_file(browser, places)
            for trace, check in (("places.fathom", check_places), ("views.fathom", check_views)):
                if not has_server or not os.path.exists(trace):
                    continue
                server = Server("--no-browser", trace)
                try:
                    number = server.picture()
                    browser.go("about:blank")
                    browser.go(server.address + "#view=timeline")
                    until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")
                    calls = calls_of(trace)
                    check(browser, calls)
                    if trace == "views.fathom":
                        check_path(browser)
                        check_datatypes(browser, calls)
                        check_linked(browser)
                    got = server.get(f"call?picture={number}&id={calls[-1]['id']}&ranges=yes").decode()
                    expect_equal(got, fathom("dump", "--json", "--ranges", "--call", calls[-1]["id"], trace), "ranges of the server")
                    expect_equal(server.ask(f"call?picture={number}&id=0.0.0&ranges=no")[0], 400, "other ranges")
                finally:
                    server.end()
        finally:
            browser.close()


main()
