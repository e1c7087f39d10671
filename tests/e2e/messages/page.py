"""The matrix of messages in each browser: its cells are the rows of --json; keys and clicks choose two ranks in all views; its picture
and its table can be taken along."""

from xml.etree import ElementTree

from browser import *
from lib import *
from server import *

PAGE = "run.html"
# (from, to): accesses, bytes of onesided.c
ONE_SIDED = {
    (0, 1): (3, 3 * 400),
    (3, 2): (1, 80),
    (1, 2): (1, 20),
    (3, 0): (1, 12),
    (0, 3): (1, 12),
    (3, 1): (1, 0),
    (1, 3): (1, 28),
    (0, 2): (1, 8),
    (2, 0): (1, 8),
}
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
        check_window(browser, rows)
        check_arrows(browser)
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


def matrix_sums(browser):
    """Of what the view shows."""
    return {(int(one.split()[-1]), int(other.split()[-1])): (count, moved) for one, other, count, moved in browser.script("""
        const {units, cells} = window.fathom.shown(); return cells.map(cell => [units[cell.from].name, units[cell.to].name, cell.count, cell.bytes])""")}


def check_window(browser, rows):
    """The matrix follows the time that is shown: while the ring goes around, it has what `dump` has; and of the whole run what the table has."""
    key = lambda row: (row["from_proc"], row["to_proc"])
    found = browser.script("return window.fathom.messageRows(-Infinity, Infinity, false)")
    expect_equal(sorted(((key(row), row) for row in found), key=str), sorted(((key(row), {name: row[name] for name in found[0]}) for row in rows), key=str), f"{browser.name}: rows of the whole time")
    ring = calls("MPI_Isend", tag=5)
    ranks = {process["proc"]: process["rank"] for process in info()["processes"]}
    of_rank = {rank: [call for call in ring if ranks[call["proc"]] == rank] for rank in range(4)}
    begin, end = max(of_rank[rank][0]["start"] for rank in of_rank), min(of_rank[rank][-1]["start"] for rank in of_rank)
    begin, end = round(begin * 1e9), round(end * 1e9)
    expected = {}
    for rank, sends in of_rank.items():
        count = sum(begin <= round(call["start"] * 1e9) < end for call in sends)
        expected[rank, (rank + 1) % 4] = (count, 64 * count)
    browser.script(f"window.fathom.look({begin}, {end})")
    expect_equal(browser.script("const s = window.fathom.state; return [s.begin, s.end]"), [begin, end], f"{browser.name}: the window")
    expect_equal(matrix_sums(browser), expected, f"{browser.name}: messages of a window")
    said = browser.script(f"return {VIEW}.textContent")
    expect("in the time that is shown (" in said and "Collective calls are not among them" in said, f"{browser.name}: of a window it says {said!r}")
    browser.script("document.querySelector('.controls').querySelectorAll('button')[1].click()")
    expect("of the whole run" in browser.script(f"return {VIEW}.textContent"), f"{browser.name}: the whole run")


def check_arrows(browser):
    """Close by, each message of the ring that is received is an arrow; under the pointer it says what it is."""
    send = calls("MPI_Isend", tag=5)[100]
    start = round(send["start"] * 1e9)
    browser.script(f"location.hash = '#view=timeline&time={start - 20000}-{start + 20000}'")
    until("arrows", lambda: browser.script("return window.fathom.arrows().length"))
    arrows = browser.script("""const {run, messageText} = window.fathom, {messages} = run;
        return window.fathom.arrows().map(arrow => [`${messages.caller[arrow.message]}.${messages.thread[arrow.message]}.${messages.call[arrow.message]}`,
            `${messages.to[arrow.message]}.${messages.receiveThread[arrow.message]}.${messages.receiveCall[arrow.message]}`, messages.start[arrow.message], messageText(arrow.message), arrow])""")
    known = {call["id"]: call for call in dump()}
    expect(send["id"] in [arrow[0] for arrow in arrows], f"{browser.name}: no arrow of {send['id']} among {arrows}")
    for sender, receiver, begin, text, _ in arrows:
        expect_equal(round(known[sender]["start"] * 1e9), begin, f"{browser.name}: the begin of {text}")
        expect("send" in known[sender]["func"].lower() or known[sender]["func"] == "MPI_Start", f"{browser.name}: {known[sender]['func']} sends {text}")
        expect("recv" in known[receiver]["func"].lower() or known[receiver]["func"] == "MPI_Start", f"{browser.name}: {known[receiver]['func']} receives {text}")
    sender, _, _, text, arrow = next(arrow for arrow in arrows if arrow[0] == send["id"])
    expect(": 64 B, tag 5, MPI_COMM_WORLD, " in text, f"{browser.name}: the text of an arrow: {text!r}")
    tip = browser.script(f"""const canvas = document.querySelector('canvas.timeline'), box = canvas.getBoundingClientRect(), {{x, y, toX, toY}} = {json.dumps(arrow)};
        canvas.dispatchEvent(new PointerEvent('pointermove', {{clientX: box.left + (x + toX) / 2, clientY: box.top + (y + toY) / 2, bubbles: true}}));
        return document.querySelector('#view-timeline .tip').textContent""")
    expect(", tag " in tip and "MPI_COMM_WORLD" in tip, f"{browser.name}: under the pointer: {tip!r}")
    with open(f"arrows-{browser.name}.png", "wb") as picture:
        picture.write(browser.picture())


def check_one_sided(browser):
    for mpi in ("openmpi", "mpich"):
        if not os.path.exists(f"onesided_{mpi}.html"):
            continue
        browser.open(f"onesided_{mpi}.html", "#view=matrix")
        choose(browser, "Kind of messages", "one-sided")
        expect_equal(matrix_sums(browser), ONE_SIDED, f"{browser.name}: {mpi}: one-sided accesses")
        said = browser.script(f"return {VIEW}.textContent")
        expect("Rows are where the data is" in said, f"{browser.name}: of one-sided accesses it says {said!r}")
        with open(f"onesided-{browser.name}.png", "wb") as picture:
            picture.write(browser.picture())


def check_sums(browser):
    """Too many to be listed in a file: it has sums by parts of the time, which add up, and says so."""
    browser.open("many.html", "#view=matrix")
    expect_equal(browser.script("return [window.fathom.run.messages.listed, window.fathom.run.messages.tooMany]"), [False, 0], f"{browser.name}: many messages are not in sums")
    choose(browser, "Kind of messages", "one-sided")
    whole = {**ONE_SIDED, (3, 2): (50001, 80 + 4 * 50000)}
    expect_equal(matrix_sums(browser), whole, f"{browser.name}: sums of the whole run")
    parts = {}
    begin, middle, end = browser.script("const {names} = window.fathom.run; return [names.begin, names.begin + (names.parts >> 1) * names.part_width, names.end]")
    for window in ((begin, middle), (middle, end)):
        browser.script(f"window.fathom.look({window[0]}, {window[1]})")
        said = browser.script(f"return {VIEW}.textContent")
        expect("in parts of " in said and "run fathom view" in said, f"{browser.name}: of sums it says {said!r}")
        for pair, (count, moved) in matrix_sums(browser).items():
            before = parts.get(pair, (0, 0))
            parts[pair] = (before[0] + count, before[1] + moved)
    expect_equal(parts, whole, f"{browser.name}: both halves")


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
    text = browser.script("return document.querySelector('.controls .procs').textContent")
    expect(text.startswith("Only rank ") and "rank 1 " in text and "rank 3 " in text, f"{browser.name}: the controls say {text!r}")
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
            browser.open(PAGE, "#view=matrix")
            check_window(browser, rows)
            check_arrows(browser)
            check_one_sided(browser)
            check_sums(browser)
        finally:
            browser.close()
    if not browsers:
        print("no browser: the page was not looked at")


main()
