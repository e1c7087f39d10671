"""The matrix of messages in each browser: its cells are the rows of --json; keys and clicks choose two ranks in all views; its picture
and its table can be taken along."""

from xml.etree import ElementTree

from browser import *
from lib import *
from server import *

PAGE = "run.html"
VIEW = "document.querySelector('#view-matrix')"


def choose(browser, label, value):
    browser.script(f"const s = {VIEW}.querySelector('select[aria-label=\"{label}\"]'); s.value = '{value}'; s.dispatchEvent(new Event('change'))")


def click_at(browser, event, row, column):
    """The cell of these places: the middle of it, from the names left and above; the canvas has a cell of 60 pixels for four ranks."""
    browser.script(f"""const canvas = {VIEW}.querySelector('canvas'), box = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new MouseEvent('{event}', {{clientX: box.left + 120 + {column} * 60 + 30, clientY: box.top + 22 + {row} * 60 + 30, bubbles: true}}))""")


def check_served(browser, rows):
    """The page of a server has the same cells."""
    if "server of view: by" not in fathom("--version"):
        return
    server = Server("--no-browser", os.environ["TRACE"])
    try:
        browser.go("about:blank")
        browser.go(server.address + "#view=matrix")
        until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")
        check_cells(browser, rows)
    finally:
        server.end()


def check_cells(browser, rows):
    shown = browser.script("""const {units, cells} = window.fathom.matrix("");
        return cells.map(cell => [units[cell.from].name, units[cell.to].name, cell.count, cell.bytes, cell.timed, cell.time])""")
    known = [[f"rank {row['from_rank']}", f"rank {row['to_rank']}", row["count"], row["bytes"], row["timed"], row["time"] or 0] for row in rows]
    expect_equal(sorted(shown), sorted(known), f"{browser.name}: cells")
    nodes = browser.script("""const {cells} = window.fathom.matrix("node"); return cells.map(cell => [cell.count, cell.bytes])""")
    expect_equal(nodes, [[sum(row["count"] for row in rows), sum(row["bytes"] for row in rows)]], f"{browser.name}: the cell of the only node")
    listed = browser.script(f"return [...{VIEW}.querySelectorAll('tbody tr')].length")
    expect_equal(listed, len(rows), f"{browser.name}: rows of the table")


def check_one(browser, rows):
    """What is said of a cell under the pointer, and of one that is chosen."""
    row = next(row for row in rows if (row["from_rank"], row["to_rank"]) == (0, 1))
    click_at(browser, "mousemove", 0, 1)
    said = browser.script(f"return {VIEW}.querySelector('canvas').title")
    expect(said.startswith(f"rank 0 to rank 1: {row['count']} messages, 4.30 KiB, "), f"{browser.name}: hover says {said!r}")
    click_at(browser, "mousemove", 0, 0)
    said = browser.script(f"return {VIEW}.querySelector('canvas').title")
    expect_equal(said, "rank 0 to rank 0: 0 messages, 0 B", f"{browser.name}: hover over nothing")
    click_at(browser, "click", 3, 1)
    said = browser.script(f"return {VIEW}.querySelector('p[aria-live]').textContent")
    expect_equal(said, "rank 3 to rank 1: 1 message, 20 B, rate not known", f"{browser.name}: a click")


def check_selection(browser, procs):
    """The two ranks of the click are all that the time line shows, also by the link; keys choose others, Escape all."""
    rows = "return window.fathom.run.names.rows.filter((_, row) => window.fathom.isFound(row)).map(row => row.process.rank)"
    expect_equal(sorted(set(browser.script(rows))), [1, 3], f"{browser.name}: ranks of the click")
    address = until("the address has the processes", lambda: browser.script("return location.hash.includes('procs=') && location.hash"))
    browser.open(PAGE, address.replace("view=matrix", "view=timeline"))
    expect_equal(sorted(set(browser.script(rows))), [1, 3], f"{browser.name}: ranks of {address}")
    told = browser.script("return document.querySelector('.controls .procs').textContent")
    expect(told.startswith("Only rank ") and "rank 1 " in told and "rank 3 " in told, f"{browser.name}: the controls say {told!r}")
    browser.open(PAGE, "#view=matrix")
    browser.script(f"{VIEW}.querySelector('canvas').focus()")
    press(browser, "\ue014", "\ue015", "\ue007")
    expect_equal(browser.script("return window.fathom.state.procs"), sorted(procs[:2]), f"{browser.name}: right, down, Enter")
    press(browser, "\ue00c")
    expect_equal(browser.script("return window.fathom.state.procs"), [], f"{browser.name}: Escape")


def check_picture(browser):
    for figure in ("count", "rate"):
        for scale in ("", "log"):
            choose(browser, "Figure", figure)
            choose(browser, "Scale of colours", scale)
            browser.script(f"""window.caught = "";
                const make = URL.createObjectURL;
                URL.createObjectURL = blob => {{ blob.text().then(text => {{ window.caught = text; }}); return make(blob); }};
                {VIEW}.querySelector(".pictures button:last-child").click();
                URL.createObjectURL = make""")
            tree = ElementTree.fromstring(until("the picture", lambda: browser.script("return window.caught")))
            texts = [one.text for one in tree.findall(".//{*}text")]
            expect(texts.count("rank 2") == 2, f"{browser.name}: {figure} {scale}: texts {texts}")
            expect(("53" in texts) == (figure == "count"), f"{browser.name}: {figure} {scale}: the legend says {texts}")
            fills = [one.get("fill") for one in tree.findall(".//{*}rect")]
            expect(("#8f979e" in fills) == (figure == "rate"), f"{browser.name}: {figure} {scale}: what is not known is not grey: {fills}")


def main():
    browsers = installed()
    rows = json.loads(fathom("report", "--json", os.environ["TRACE"]))["tables"]["messages"]["rows"]
    procs = [process["proc"] for process in sorted((one for one in info()["processes"] if one["rank"] is not None), key=lambda one: one["rank"])]
    for make in browsers:
        browser = make()
        try:
            check_served(browser, rows)
            browser.open(PAGE, "#view=matrix")
            check_cells(browser, rows)
            check_one(browser, rows)
            check_selection(browser, procs)
            check_picture(browser)
        finally:
            browser.close()
    if not browsers:
        print("no browser: the page was not looked at")


main()
