"""The filter in each browser: bins, tables and single calls are those of `report --where` and `dump --where`; an error is the parser's own;
a link keeps the filter; the whole run comes back."""

import subprocess

from browser import *
from lib import *
from server import *

TRACE = os.environ["TRACE"]
WHERE = "layer == posix and func ~ 'w*' and bytes > 0"
SUMS = """const {run} = window.fathom, sums = {};
    for (const lane of run.lanes) sums[run.names.layers[lane.layer]] = (sums[run.names.layers[lane.layer]] || 0) + lane.calls.reduce((a, b) => a + b, 0);
    return sums"""


def ready(browser):
    until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")


def apply(browser, text):
    """As people do: into the field, and Enter."""
    browser.script("const field = document.getElementById('filter-text'); field.focus(); field.select()")
    press(browser, *(text or ["\ue017"]), "\ue007")


def said(browser):
    return browser.script("const said = document.getElementById('filter-said'); return said.className === 'bad' ? said.textContent : ''")


def parser_says(where):
    done = subprocess.run([os.environ["FATHOM"], "report", "--where", where, TRACE], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    expect(done.returncode != 0, f"{where} is right")
    return done.stderr.splitlines()[0].removeprefix("fathom report: ").removeprefix("--where: ")


def check_filtered(browser):
    until("the filter", lambda: browser.script(f"return window.fathom.run.where === {json.dumps(WHERE)}"))
    report = json.loads(fathom("report", "--json", "--where", WHERE, TRACE))
    expect_equal(browser.script("return window.fathom.run.report"), report, f"{browser.name}: the report")
    layers = {row["layer"]: row["calls"] for row in json.loads(fathom("stats", "--json", "--where", WHERE, TRACE))["layers"]}
    expect_equal(browser.script(SUMS), layers, f"{browser.name}: calls of the lanes")
    expect(f"Selected: --where {WHERE}" in browser.script("return document.getElementById('facts').textContent").replace("'\\''", "'"), f"{browser.name}: the head")


def check_window(browser):
    """A part of the time has the calls that `dump --where` has there."""
    found = [json.loads(line) for line in fathom("dump", "--json", "--where", WHERE, TRACE).splitlines()]
    middle = found[len(found) // 2]
    begin, end = round(middle["start"] * 1e9) - 20000, round(middle["start"] * 1e9) + 20000
    browser.script(f"location.hash = '#view=timeline&where=' + encodeURIComponent({json.dumps(WHERE)}) + '&time={begin}-{end}'")
    until("exact", lambda: browser.script("""const {run, state} = window.fathom;
        return run.server.windows.some(one => one.begin <= state.begin && state.end <= one.end) && document.querySelector('.quality').textContent === 'exact'"""))
    shown = browser.script(f"""const {{run}} = window.fathom, {{calls}} = run, list = [];
        for (let i = 0; i < calls.count; i++) if (calls.start[i] <= {end} && calls.start[i] + calls.length[i] >= {begin})
            list.push(`0.${{run.names.rows[calls.row[i]].thread}}.${{calls.number[i]}}`);
        return list""")
    inside = {call["id"] for call in found if round(call["start"] * 1e9) <= end and round(call["end"] * 1e9) >= begin}
    expect_equal(set(shown), inside, f"{browser.name}: calls of a window")


def check_errors(browser):
    for where in ("bytes >", "fnc == 3", "layer == posx", "'<img src=x onerror=\"window.injected=1\">' == 1"):
        message = parser_says(where)
        apply(browser, where)
        until(f"an error for {where}", lambda: message in said(browser))
    expect(browser.script("return window.injected === undefined && !document.querySelector('img')"), f"{browser.name}: an expression was run")


def check_served(browser, server):
    browser.go("about:blank")
    browser.go(server.address + "#view=timeline")
    ready(browser)
    whole = browser.script(SUMS)
    check_errors(browser)
    expect_equal(browser.script(SUMS), whole, f"{browser.name}: an error changes something")
    apply(browser, WHERE)
    check_filtered(browser)
    until("the address has the filter", lambda: browser.script("return location.hash.includes('where=')"))
    address = browser.script("return location.href")
    check_window(browser)
    browser.go("about:blank")
    browser.go(address)
    ready(browser)
    check_filtered(browser)
    with open(f"{browser.name}.png", "wb") as picture:
        picture.write(browser.picture())
    apply(browser, "")
    until("all calls", lambda: browser.script("return !window.fathom.run.where"))
    expect_equal(browser.script(SUMS), whole, f"{browser.name}: without a filter")
    expect(not browser.script("return location.hash.includes('where=')"), f"{browser.name}: the address keeps the filter")


def check_marks(browser, server):
    """Calls coloured by an expression are those of `dump --where`; an error is the parser's own; the legend counts calls of the run."""
    browser.go("about:blank")
    browser.go(server.address + "#view=timeline")
    ready(browser)
    browser.script("const s = document.querySelector('.colours select'); s.value = 'expression'; s.dispatchEvent(new Event('change'))")

    def mark(text):
        browser.script("const field = document.querySelector('.mark input'); field.focus(); field.select()")
        press(browser, *text, "\ue007")

    mark("layer == posx")
    message = parser_says("layer == posx")
    until("an error of a mark", lambda: message in browser.script("return document.querySelector('.mark').textContent"))
    mark(WHERE)
    until("the marks", lambda: browser.script(f"const {{marks}} = window.fathom.run; return marks && marks.text === {json.dumps(WHERE)} && marks.run !== null"))
    found = [json.loads(line) for line in fathom("dump", "--json", "--where", WHERE, TRACE).splitlines()]
    legend = until("the legend", lambda: browser.script("return [...document.querySelectorAll('.colours .class')].map(one => one.textContent)"))
    whole = json.loads(fathom("report", "--json", TRACE))["run"]["total"]["calls"]
    expect_equal(legend[:2], [f"true, or inside of such a call {len(found):,}", f"not true {whole - len(found):,}"], f"{browser.name}: the legend")
    all_calls = [json.loads(line) for line in fathom("dump", "--json", TRACE).splitlines()]
    middle = max((call for call in all_calls if call["func"] == "lseek"), key=lambda call: call["end"] - call["start"])  # wide enough to be drawn
    begin, end = round(middle["start"] * 1e9) - 20000, round(middle["start"] * 1e9) + 20000
    browser.script(f"window.fathom.look({begin}, {end})")
    until("both windows", lambda: browser.script("""const {run, state} = window.fathom, has = one => one.server.windows.some(window => window.begin <= state.begin && state.end <= window.end);
        return has(run) && has(run.marks.run) && document.querySelector('.quality').textContent === 'exact'"""))
    shown = browser.script(f"""const {{run, marks}} = window.fathom, {{calls}} = run, of = marks(), list = [[], [], []];
        for (let i = 0; i < calls.count; i++) if (calls.start[i] <= {end} && calls.start[i] + calls.length[i] >= {begin})
            list[of[i]].push(`0.${{run.names.rows[calls.row[i]].thread}}.${{calls.number[i]}}`);
        return list""")
    inside = {call["id"] for call in all_calls if round(call["start"] * 1e9) <= end and round(call["end"] * 1e9) >= begin}
    marked = {call["id"] for call in found}
    expect_equal([set(shown[0]), set(shown[1]), shown[2]], [inside & marked, inside - marked, []], f"{browser.name}: marked calls, others, and those that are not known")
    expect(inside & marked and inside - marked, "no call of one kind")
    colours = browser.script("""const text = window.fathom.svg(); return [...document.querySelectorAll('.colours .class .swatch')].map(one => one.style.background)
        .map(rgb => "#" + rgb.match(/\\d+/g).map(part => Number(part).toString(16).padStart(2, "0")).join("")).map(colour => text.includes(`fill="${colour}"`))""")
    expect_equal(colours[:2], [True, True], f"{browser.name}: colours that are painted")
    until("the address has the mark", lambda: browser.script("return location.hash.includes('mark=') && location.hash.includes('colour=expression')"))
    address = browser.script("return location.href")
    with open(f"marks-{browser.name}.png", "wb") as picture:
        picture.write(browser.picture())
    browser.go("about:blank")
    browser.go(address)
    ready(browser)
    until("the marks of a link", lambda: browser.script("return window.fathom.run.marks && window.fathom.run.marks.run !== null && window.fathom.marks().includes(0)"))


def check_requests(server):
    """What the server answers who asks for wrong things."""
    for what in ("", "where="):
        status = server.ask(f"filter?picture=1&{what}")[0]
        expect(status in (400, 422), f"filter {what!r}: {status}")
    expect_equal(server.ask("filter?picture=1")[0], 400, "a filter without an expression")
    number = int(server.get("filter?picture=1&where=bytes%3E0"))
    expect_equal(server.ask(f"filter?picture={number}&where=bytes%3E0")[0], 400, "a filter of a filter")
    expect_equal(server.ask("filter?picture=99&where=bytes%3E0")[0], 409, "another picture")
    others = [int(server.get(f"filter?picture=1&where=bytes%3E{i}")) for i in range(5)]
    expect_equal(server.ask(f"report?picture={number}")[0], 409, "an old filter is kept")
    expect_equal(server.ask(f"report?picture={others[-1]}")[0], 200, "the latest filter")


def check_file(browser):
    """A file has no field that would do nothing, but says what has one; a link that filters is said not to."""
    for place, wanted in (("", False), ("#where=depth+%3D%3D+0", True)):
        browser.open("run.html", place)
        text, fields, bad = browser.script("const place = document.getElementById('filter'); return [place.textContent, place.querySelectorAll('input, button').length, Boolean(place.querySelector('.bad'))]")
        expect("fathom view" in text and "--html --where" in text, f"{browser.name}: a file says {text!r} of the filter")
        expect_equal([fields, bad], [0, wanted], f"{browser.name}: fields of the filter of a file, and whether {place!r} is wrong")


def main():
    browsers = installed()
    has_server = "server of view: by" in fathom("--version")
    if not browsers or not has_server:
        print("skipped: no browser, or no server")
        raise SystemExit(77)
    for make in browsers:
        browser = make()
        server = Server("--no-browser", TRACE)
        try:
            server.picture()
            check_requests(server)
            check_served(browser, server)
            check_marks(browser, server)
            check_file(browser)
        finally:
            browser.close()
            server.end()


main()
