"""Samples in each browser: all values are those of `fathom samples --json`; pictures have those of the time that is shown, also from a
server; a trace without samples says how to record them."""

import urllib.parse

from browser import *
from lib import *
from server import *

VIEW = "document.querySelector('#view-samples')"


def check(browser, samples):
    """The page is open at this view."""
    expect_equal(browser.script("return window.fathom.run.samples"), samples, f"{browser.name}: samples")
    whole = {(one["counter"], one["instance"]): one for one in samples["counters"] if one["proc"] is None}
    painted = browser.script("return window.fathom.samples().map(({counter, values}) => [counter.counter, counter.instance, values])")
    expect(len(painted) >= 3, f"{browser.name}: pictures of {len(painted)} counters")
    for name, instance, values in painted:
        inside = browser.script(f"const s = window.fathom.state; return {json.dumps(whole[name, instance]['values'])}.filter(([from, to]) => to * 1e9 > s.begin && from * 1e9 < s.end)")
        expect_equal(values, inside, f"{browser.name}: values of {name}")
    memory = whole["memory.total", None]
    rows = browser.script(f"return [...{VIEW}.querySelectorAll('[data-table=counters] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    row = next((row for row in rows if row[0] == "memory.total"), None)
    expect(row is None or row[2] == str(memory["samples"]), f"{browser.name}: the row of memory.total: {row}")
    names = browser.script(f"return [...{VIEW}.querySelectorAll('figcaption')].map(one => one.textContent)")
    expect("memory.total" in names and not any(name.startswith("cpu.user:") for name in names), f"{browser.name}: pictures of {names}")
    # Half of the time has fewer values.
    before = len(painted[0][2])
    browser.script("const {names} = window.fathom.run; window.fathom.look(names.begin, (names.begin + names.end) / 2)")
    after = browser.script("return window.fathom.samples()[0].values.length")
    expect(0 < after < before, f"{browser.name}: {after} values of half of the time, {before} of all of it")
    # A process.
    proc = next(one["proc"] for one in samples["processes"] if one["program"] == "computes")
    browser.script(f"const s = {VIEW}.querySelector('select'); s.value = 'process {proc}'; s.dispatchEvent(new Event('change'))")
    names = browser.script("return window.fathom.samples().map(({counter}) => [counter.counter, counter.proc])")
    expect(["process.rss", proc] in names and all(one[1] == proc for one in names), f"{browser.name}: counters of the process: {names}")


def mean(counters, begin, end):
    """Over the part of the time in which they have values; counters of one node or process."""
    def one(counter):
        parts = [(max(0, min(end, to) - max(begin, first)), value) for first, to, _, value, _ in counter["values"]]
        return sum(part * value for part, value in parts) / sum(part for part, _ in parts)

    return sum(one(counter) for counter in counters)


def formula(browser, text, of=""):
    """Its value over the time that is shown, and what is said of it."""
    browser.open("run.html", "#" + urllib.parse.urlencode({"view": "rates", "formula": text, "of": of}))
    return browser.script("""const cell = document.querySelector('[data-table=formula] tbody td:nth-child(2)');
        return [cell && Number(cell.textContent), document.getElementById('formula-said').textContent]""")


def check_formula(browser, samples):
    begin, end = browser.script("const {names} = window.fathom.run; return [names.begin / 1e9, names.end / 1e9]")
    named = lambda name, proc=None: [one for one in samples["counters"] if one["counter"] == name and one["proc"] == proc]
    whole = lambda name: [one for one in named(name) if one["instance"] is None] or named(name)
    instance = next(one for one in named("cpu.user") if one["instance"] is not None)
    proc = next(one["proc"] for one in samples["processes"] if one["program"] == "computes")
    for text, of, wanted in (
        ("memory.total / 1024", "", mean(whole("memory.total"), begin, end) / 1024),
        ("cpu.user + 2 * cpu.system", "node", mean(whole("cpu.user"), begin, end) + 2 * mean(whole("cpu.system"), begin, end)),
        (f"cpu.user:{instance['instance']}", "node", mean([instance], begin, end)),
        ("memory.total - memory.free - (memory.total - memory.free) + 3", "node", 3),
        ("process.rss", "sum", mean(named("process.rss", proc), begin, end)),
    ):
        value, said = formula(browser, text, of)
        expect(value is not None and abs(value - wanted) <= abs(wanted) * 1e-4, f"{browser.name}: {text} {of}: {value}, not {wanted}: {said}")
    for text, of, wrong in (("cpu.user", "sum", "is a counter of a node"), ("calls / cpu.nothing", "", "there is no series 'cpu.nothing'"), ("cpu.user:none", "", "there is no series")):
        value, said = formula(browser, text, of)
        expect(value is None and wrong in said, f"{browser.name}: {text} {of}: {value}, {said}")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    samples = json.loads(fathom("samples", "--json", "--counter", "*", os.environ["TRACE"]))
    for make in browsers:
        browser = make()
        try:
            browser.open("run.html", "#view=samples")
            with open(f"{browser.name}.png", "wb") as picture:
                picture.write(browser.picture())
            check(browser, samples)
            check_formula(browser, samples)
            browser.open("without.html", "#view=samples")
            said = browser.script(f"return {VIEW}.textContent")
            expect("fathom record --sample 100ms" in said, f"{browser.name}: without samples it says {said!r}")
            if "server of view: by" in fathom("--version"):
                server = Server("--no-browser", os.environ["TRACE"])
                try:
                    browser.go("about:blank")
                    browser.go(server.address + "#view=samples")
                    until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")
                    check(browser, samples)
                finally:
                    server.end()
        finally:
            browser.close()


main()
