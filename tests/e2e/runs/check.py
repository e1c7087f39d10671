"""Two runs on one page: each is the page that it is alone; what differs is what `report --json` says of the two; offsets and what is
seen of the axis stand in the address."""

from browser import *
from lib import *
from server import Server

PAGE = "runs.html"


def report(trace):
    return json.loads(fathom("report", "--json", trace))


def check_switch(browser, reports):
    browser.open(PAGE)
    expect_equal(browser.script("return window.fathom.runs.map(run => run.report)"), reports, f"{browser.name}: reports in the page")
    expect_equal(browser.script("return window.fathom.run.number"), 0, f"{browser.name}: the run that is shown first")
    browser.script("window.fathom.look(window.fathom.run.names.begin + 1000, window.fathom.run.names.begin + 90000)")
    browser.script("const s = document.querySelector('#runs select'); s.selectedIndex = 1; s.dispatchEvent(new Event('change'))")
    until("the other run", lambda: browser.script("return window.fathom.run.number === 1"))
    for view in ("overview", "timeline", "profile", "files", "rates", "topology", "balance", "tables"):
        browser.script(f"document.getElementById('tab-{view}').click()")
    total = reports[1]["run"]["total"]["calls"]
    facts = browser.script("return document.getElementById('facts').textContent")
    expect(f"{total:,} calls" in facts, f"{browser.name}: the head of the other run says {facts!r}")
    shown = browser.script("return window.fathom.run.lanes.reduce((all, lane) => all + lane.calls.reduce((a, b) => a + b, 0), 0)")
    expect_equal(shown, total, f"{browser.name}: calls of the other run")
    window = browser.script("const {state, run} = window.fathom; return [state.begin, state.end, run.names.begin, run.names.end]")
    expect_equal(window[:2], window[2:], f"{browser.name}: the window of one run on the other")
    address = until("the address has the run", lambda: browser.script("return location.hash.includes('run=1') && location.hash"))
    browser.open(PAGE, address)
    expect_equal(browser.script("return window.fathom.run.number"), 1, f"{browser.name}: the run of {address}")
    browser.open(PAGE, "#view=timeline&run=7")
    expect_equal(browser.script("return window.fathom.run.number"), 0, f"{browser.name}: a run that is not there")


def row_of(rows, key, value):
    found = [row for row in rows if row[key] == value]
    expect_equal(len(found), 1, f"rows of {value}")
    return found[0]


def check_differences(browser, reports):
    browser.open(PAGE, "#view=compare")
    tables = [one["tables"] for one in reports]
    functions = browser.script("return window.fathom.differences('functions', 0, 1)")
    expect_equal({row["func"] for row in functions}, {row["func"] for one in tables for row in one["functions"]["rows"]}, f"{browser.name}: functions")
    for side, letter in enumerate("ab"):
        for wanted in tables[side]["functions"]["rows"]:
            shown = row_of(functions, "func", wanted["func"])
            for figure in ("calls", "bytes_read", "bytes_written", "time"):
                expect_equal(shown.get(f"{figure}_{letter}", 0) or 0, wanted[figure] or 0, f"{browser.name}: {figure} of {wanted['func']} in run {letter}")
    write = row_of(functions, "func", "write")
    expect_equal([write["calls_a"], write["calls_b"], write["calls_ratio"], write["bytes_written_ratio"]], [60, 180, 3, 3], f"{browser.name}: write")
    files = browser.script("return window.fathom.differences('files', 0, 1)")
    same = next(row for row in files if row["path"].endswith("/same"))
    expect_equal([same["bytes_written_a"], same["bytes_written_b"]], [30 * 512, 90 * 512], f"{browser.name}: the file of both runs")
    small = next(row for row in files if row["path"].endswith("/small"))
    expect_equal([small["bytes_written_a"], small["bytes_written_b"], small["bytes_written_ratio"]], [30 * 512, 0, 0], f"{browser.name}: a file of one run")
    synced = browser.script("return [...document.querySelectorAll('[data-table=differences-functions] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent)).find(cells => cells[0] === 'fdatasync')")
    expect_equal([synced[2], *synced[4:8]], ["0", "", "0", "2", ""], f"{browser.name}: a function of the other run only: {synced}")
    expect("Times are inclusive" in browser.script("return document.getElementById('view-compare').textContent"), f"{browser.name}: what times contain")
    back = row_of(browser.script("return window.fathom.differences('functions', 1, 0)"), "func", "write")
    expect(abs(back["calls_ratio"] - 1 / 3) < 1e-9, f"{browser.name}: the other way round: {back}")
    heads = browser.script("return [...document.querySelectorAll('#view-compare .table h2')].map(one => one.textContent)")
    expect_equal(heads, ["By layer", "By function", "By file"], f"{browser.name}: tables")
    cells = browser.script("return [...document.querySelectorAll('[data-table=differences-functions] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    expect(any(row[0] == "write" and "60" in row and "180" in row and "3" in row for row in cells), f"{browser.name}: {cells}")
    expect("<img src=x" in browser.script("return document.getElementById('view-compare').textContent"), f"{browser.name}: no name that is markup")
    expect_equal(browser.script("return [document.querySelectorAll('img').length, window.injected === undefined]"), [0, True], f"{browser.name}: a name was run")


# The share of the width at which something in full colour is painted first, in the rows between these shares of the height.
FIRST_PAINTED = """const canvas = document.querySelector('canvas.sides'), context = canvas.getContext('2d'), ratio = canvas.width / canvas.clientWidth;
    const [from, to] = [%s, %s].map(share => Math.round(share * canvas.height)), left = Math.round(168 * ratio);
    const data = context.getImageData(left, from, canvas.width - left, to - from);
    for (let x = 0; x < data.width; x++) for (let y = 0; y < data.height; y++) {
        const at = 4 * (y * data.width + x), [r, g, b] = data.data.subarray(at, at + 3);
        if (Math.max(r, g, b) - Math.min(r, g, b) > 120) return x / data.width;
    }
    return -1"""


def check_axis(browser):
    """A run that is shifted is painted further to the right; the other one stays where it was, on a longer axis."""
    browser.open(PAGE, "#view=compare")
    before = browser.script("return document.querySelectorAll('#view-compare .shift input').length")
    expect_equal(before, 2, f"{browser.name}: fields for offsets")
    painted = browser.script(FIRST_PAINTED % (0.62, 1))
    expect(0 <= painted < 0.3, f"{browser.name}: the other run begins at {painted}")
    browser.script("""const field = document.querySelectorAll('#view-compare .shift input')[1];
        field.value = '1'; field.dispatchEvent(new Event('change'))""")
    shifted = browser.script(FIRST_PAINTED % (0.62, 1))
    expect(shifted > 0.8, f"{browser.name}: a run that begins a second later is painted at {shifted}")
    expect(0 <= browser.script(FIRST_PAINTED % (0.2, 0.5)) < 0.3, f"{browser.name}: the first run was moved, too")
    browser.script("document.querySelector('canvas.sides').focus()")
    press(browser, "+")
    axis = browser.script("return window.fathom.state.axis")
    lengths = browser.script("return Math.max(...window.fathom.runs.map((run, i) => run.names.end - run.names.begin + (window.fathom.state.shifts[i] || 0)))")
    expect(abs(axis[1] - axis[0] - lengths / 2) <= 2, f"{browser.name}: plus shows {axis} of {lengths}")
    address = until("the address has the offset", lambda: browser.script("return location.hash.includes('shifts=0%2C1000000000') && location.hash.includes('axis=') && location.hash"))
    browser.open(PAGE, address)
    again = browser.script("const s = window.fathom.state; return [s.shifts[1], s.axis]")
    expect(again[0] == 10**9 and all(abs(a - b) <= 1 for a, b in zip(again[1], axis)), f"{browser.name}: {address} shows {again}")
    press_home = "document.querySelector('canvas.sides').focus()"
    browser.script(press_home)
    press(browser, "\ue011")
    expect(browser.script("return window.fathom.state.axis === null"), f"{browser.name}: Home")


def check_alone(browser):
    browser.open("alone.html", "#view=compare")
    expect(browser.script("return document.getElementById('runs').hidden && !document.getElementById('tab-compare')"), f"{browser.name}: a switch for one run")


def check_served(browser, reports):
    """The server has both runs: each has its own picture, and what is looked at of one of them is read from its trace."""
    server = Server("--no-browser", "one.fathom", "other.fathom")
    try:
        server.picture()
        runs = server.state()["runs"]
        expect_equal(len(set(runs)), 2, f"{browser.name}: pictures of runs")
        expect_equal([json.loads(server.get(f"report?picture={picture}")) for picture in runs], reports, f"{browser.name}: reports from the server")
        browser.go(f"{server.address}#view=timeline&run=1")
        until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready"))
        expect_equal(browser.script("return window.fathom.runs.map(run => run.report)"), reports, f"{browser.name}: reports of the page of the server")
        call = max((call for call in map(json.loads, fathom("dump", "--json", "other.fathom").splitlines()) if call["func"] == "write"), key=lambda call: call["start"])
        start = round(call["start"] * 1e9)
        browser.script(f"window.fathom.look({start - 500}, {start + 500})")
        until("an exact window of the other run", lambda: browser.script("return document.querySelector('#view-timeline .quality').textContent === 'exact'"))
        expect(browser.script(f"return window.fathom.findCall('{call['id']}')") >= 0, f"{browser.name}: {call['id']} of the other run")
        browser.script("document.getElementById('tab-compare').click()")
        expect_equal(browser.script("return document.querySelectorAll('#view-compare .table').length"), 3, f"{browser.name}: tables of the page of the server")
    finally:
        server.end()


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    reports = [report("one.fathom"), report("other.fathom")]
    for make in browsers:
        browser = make()
        try:
            check_switch(browser, reports)
            check_differences(browser, reports)
            check_axis(browser)
            check_alone(browser)
            if "server of view: by" in fathom("--version"):
                check_served(browser, reports)
        finally:
            browser.close()


main()
