"""The critical path in each browser: what its view says is what `fathom path --json` says, the parts follow the window, and the time line draws it."""

from browser import *
from lib import *
from server import Server

TABLES = ("critical_layers", "critical_functions", "critical_files", "critical_ranks", "what_if")


def text_rows(browser, name):
    return browser.script(f"return [...document.querySelectorAll('#view-path [data-table={name}] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")


def check_tables(browser, tables):
    for name in TABLES:
        rows = tables.get(name, {"rows": []})["rows"]
        shown = text_rows(browser, name)
        expect_equal(len(shown), min(len(rows), 12), f"{browser.name}: rows of {name}")
        for row, cells in zip(rows, shown):
            first = str(next(value for value in row.values() if value is not None))
            expect_equal(cells[0], first, f"{browser.name}: {name}")
            expect(f"{row['share']:.1f} %" in cells or "<0.1 %" in cells, f"{browser.name}: {name}: {cells} has not {row['share']}")
    bars = browser.script("return [...document.querySelectorAll('#view-path .bars li')].map(item => item.querySelector('.bar').getAttribute('aria-label'))")
    expect_equal(len(bars), len(tables["what_if"]["rows"]), f"{browser.name}: bars")


def check_parts(browser, tables):
    parts = tables["critical_parts"]["rows"]
    expect(len(parts) >= 5 and len({part["proc"] for part in parts}) == 2, f"parts of the path: {parts}")
    shown = browser.script("return window.fathom.pathShown()")
    expect_equal([[one["proc"], one["thread"]] for one in shown], [[one["proc"], one["thread"]] for one in parts], f"{browser.name}: parts in the picture")
    expect(all(later["left"] >= one["left"] for one, later in zip(shown, shown[1:])), f"{browser.name}: parts in time: {shown}")
    whole = sum(part["duration"] for part in parts)
    for label, _, share in text_rows(browser, "path-threads"):
        proc = browser.script(f"return window.fathom.run.names.rows.find(row => row.label === {json.dumps(label)}).proc")
        wanted = 100 * sum(part["duration"] for part in parts if part["proc"] == proc) / whole
        expect(abs(float(share.split()[0]) - wanted) < 0.06, f"{browser.name}: {label} has {share}, not {wanted}")
    middle = parts[len(parts) // 2]
    browser.script(f"window.fathom.look({middle['start'] * 1e9}, {(middle['start'] + middle['duration']) * 1e9})")
    inside = browser.script("return window.fathom.pathShown()")
    expect_equal({one["proc"] for one in inside if one["wide"] > 50}, {middle["proc"]}, f"{browser.name}: the path in a window")


def check_keys(browser, tables):
    """By keys from the longest part to the time line, which shows it."""
    browser.script("window.fathom.look(0, 1e18); document.querySelector('#view-path [data-table=path-parts] tbody button').focus()")
    press(browser, "\ue007")
    until("the time line", lambda: browser.script("return !document.getElementById('view-timeline').hidden"))
    longest = max(tables["critical_parts"]["rows"], key=lambda part: part["duration"])
    begin, end, path = browser.script("const {state} = window.fathom; return [state.begin, state.end, state.path]")
    expect(path and begin <= longest["start"] * 1e9 + 1 and end >= (longest["start"] + longest["duration"]) * 1e9 - 1, f"{browser.name}: the time line shows {begin} to {end}, path {path}")
    expect(browser.script("return document.activeElement.className") == "timeline", f"{browser.name}: the focus")
    expect(browser.script("return document.querySelector('#view-timeline .colours input[type=checkbox]').checked"), f"{browser.name}: the box of the critical path")
    text = browser.script("return window.fathom.svg()")
    expect('stroke="#b3261e"' in text, f"{browser.name}: the time line has no path")


def check_limits(browser):
    """What the path cannot know stands beside how long it is, in the words of `fathom path`."""
    limits = json.loads(fathom("path", "--json", "threads.fathom"))["run"]["limits_of_critical_path"]
    expect(limits and "pthread" in limits, f"limits: {limits}")
    browser.open("threads.html", "#view=path")
    shown = browser.script("return [...document.querySelectorAll('#view-path p')].map(one => one.textContent)")
    expect(limits in shown, f"{browser.name}: {limits!r} is not in {shown}")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    tables = json.loads(fathom("path", "--json", os.environ["TRACE"]))["tables"]
    for make in browsers:
        browser = make()
        try:
            browser.open("run.html", "#view=path")
            check_tables(browser, tables)
            check_parts(browser, tables)
            with open(f"{browser.name}.png", "wb") as picture:
                picture.write(browser.picture())
            check_keys(browser, tables)
            check_limits(browser)
            browser.open("alone.html", "#view=path") # its report has no path, as one process waits for nobody
            expect(browser.script("return document.getElementById('tab-path') === null && !document.getElementById('view-overview').hidden"), f"{browser.name}: one process alone")
            if "server of view: by" in fathom("--version"):
                server = Server("--no-browser", os.environ["TRACE"])
                try:
                    browser.go("about:blank")
                    browser.go(server.address + "#view=path")
                    until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")
                    check_tables(browser, tables)
                finally:
                    server.end()
        finally:
            browser.close()


main()
