"""Lines of the program in each browser: the table of the profile has those of `stats --by line`, boxes and calls their own."""

from browser import *
from lib import *
from server import Server


def check_table(browser):
    wanted = {(row["source"], row["func"]): row["calls"] for row in json.loads(fathom("stats", "--by", "line", "--json", os.environ["TRACE"]))["lines"]}
    expect(len({source for source, function in wanted if function == "write"}) == 2, f"lines: {wanted}")
    browser.script("document.querySelector('[data-table=program-lines] button.more').click()")
    rows = browser.script("return [...document.querySelectorAll('[data-table=program-lines] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    expect_equal({(row[0], row[1]): int(row[3].replace(",", "")) for row in rows}, wanted, f"{browser.name}: the table")


def check_calls(browser):
    """Of all calls of the page, and in the panel of one."""
    found = dict(browser.script("const {run, sourceOf} = window.fathom; return run.callsOf.flatMap((list, row) => list.map(call => [`${run.names.rows[row].proc}.${run.names.rows[row].thread}.${run.calls.number[call]}`, sourceOf(call)]))"))
    for call in dump():
        expect_equal(found[call["id"]], call["source"] or "", f"{browser.name}: the line of {call['id']} {call['func']}")
    one = calls("fsync")[0]
    browser.script(f"window.fathom.choose(window.fathom.findCall('{one['id']}'))")
    expect(one["source"] in browser.script("return document.getElementById('call').textContent"), f"{browser.name}: the panel of {one['id']}")


def check_boxes(browser):
    """What is pointed at says its line; the same function at two lines has two boxes."""
    texts = browser.script("const {run} = window.fathom; return run.nodes.filter(node => run.names.functions[node.function].name === 'write' && node.parent < 0).map(node => run.names.sources[node.source - 1])")
    expect_equal(sorted(texts), sorted({call["source"] for call in outermost(calls("write"))}), f"{browser.name}: boxes of write")
    nested = browser.script("const {run} = window.fathom; return run.nodes.filter(node => node.parent >= 0 && node.source).length")
    expect_equal(nested, 0, f"{browser.name}: lines of calls inside others")
    browser.script("document.querySelector('canvas.flame').focus()")
    press(browser, "\ue015")
    expect("places.c:" in browser.script("return document.querySelector('#view-profile [aria-live]').textContent"), f"{browser.name}: what is said of a box")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    for make in browsers:
        browser = make()
        try:
            browser.open("run.html", "#view=profile")
            check_table(browser)
            check_boxes(browser)
            check_calls(browser)
            with open(f"{browser.name}.png", "wb") as picture:
                picture.write(browser.picture())
            if "server of view: by" in fathom("--version"):
                server = Server("--no-browser", os.environ["TRACE"])
                try:
                    browser.go("about:blank")
                    browser.go(server.address + "#view=profile")
                    until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")
                    check_table(browser)
                    check_calls(browser)
                finally:
                    server.end()
            browser.open("without.html", "#view=profile")
            expect(browser.script("return document.querySelector('[data-table=program-lines]') === null && window.fathom.run.sourcesOfCalls.length === 0"), f"{browser.name}: lines where there are none")
        finally:
            browser.close()


main()
