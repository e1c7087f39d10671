"""A formula over the rates, in each browser: `written / calls` is what bytes and calls of `dump` give, of all processes together, of each
added up, and of nodes; the parser keeps the usual order; what is wrong is said with its place, and never run."""

from browser import *
from lib import *

WRONG = {
    "written /": "a number, a name or '(' is missing, at character 10",
    "(written + 1": "')' is missing for the '(' at character 1, at character 13",
    "written calls": "'calls' follows a complete formula, at character 9",
    "1 + speed": "there is no series 'speed'",
    "2 * hdf5.read": "there are no calls of a layer 'hdf5'",
    "alert(1)": "'(' follows a complete formula, at character 6",
    "window.injected=1": "'=' is not part of a formula, at character 16",
    "<img src=x onerror=\"window.injected=1\">": "'<' is not part of a formula, at character 1",
    "constructor": "there is no series 'constructor'",
    "* 2": "a number, a name or '(' is missing before '*', at character 1",
    "(" * 501: "a formula has at most 500 characters",
}
RIGHT = {"1+2*3": 7, "(1+2)*3": 9, "8/4/2": 1, "7-2-1": 4, "-2*-3": 6, "2*(3-(4/2))": 2, "1.5e3/.5": 3000, " 1 - - 1": 2, "(" * 100 + "5" + ")" * 100: 5}


def totals(calls):
    """By layer: bytes written and calls."""
    sums = {}
    for call in calls:
        one = sums.setdefault(call["layer"], [0, 0])
        one[1] += 1
        if call["kind"] == "write":
            one[0] += call["bytes"] or 0
    return sums


def set_formula(browser, text, scope):
    browser.script(f"document.querySelector('#view-rates select[aria-label=\"Formula of\"]').value = {json.dumps(scope)}")
    browser.script("const field = document.querySelector('#view-rates input[aria-label=Formula]'); field.focus(); field.select()")
    press(browser, *(text or ["\ue017"]), "\ue007")


def rows(browser):
    return {row[0]: float(row[1]) for row in browser.script("return [...document.querySelectorAll('[data-table=formula] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")}


def expect_near(found, wanted, what):
    expect_equal(set(found), set(wanted), f"{what}: lines")
    for name, value in wanted.items():
        expect(abs(found[name] - value) <= 2e-5 * abs(value), f"{what}: {name} is {found[name]}, not {value}")


def check_values(browser, calls):
    procs = sorted({call["proc"] for call in calls})
    whole = totals(calls)
    per_layer = {layer: written / number for layer, (written, number) in whole.items()}
    set_formula(browser, "written / calls", "")
    expect_near(rows(browser), per_layer, f"{browser.name}: together")
    each = {}
    for proc in procs:
        for layer, (written, number) in totals([call for call in calls if call["proc"] == proc]).items():
            each[layer] = each.get(layer, 0) + written / number
    expect(each["posix"] != per_layer["posix"], "both are the same")
    set_formula(browser, "written / calls", "sum")
    expect_near(rows(browser), each, f"{browser.name}: added up")
    node = browser.script("return window.fathom.run.names.rows.find(row => row.host).host")
    set_formula(browser, "written / calls", "node")
    expect_near(rows(browser), {f"{node}, {layer}": value for layer, value in per_layer.items()}, f"{browser.name}: of nodes")
    set_formula(browser, "written / calls", "node-sum")
    expect_near(rows(browser), {f"{node}, {layer}": value for layer, value in each.items()}, f"{browser.name}: added up by node")
    set_formula(browser, "stdio.written / posix.written * 100", "")
    expect_near(rows(browser), {"all": 100 * whole["stdio"][0] / whole["posix"][0]}, f"{browser.name}: of two layers")


def check_wrong(browser):
    for text, why in WRONG.items():
        browser.script(f"location.hash = '#view=rates&formula=' + encodeURIComponent({json.dumps(text)})")
        until(f"what is wrong with {text[:40]}", lambda: why in browser.script("const said = document.getElementById('formula-said'); return said.className === 'bad' ? said.textContent : ''"))
        expect(browser.script("return document.querySelector('canvas.formula') === null"), f"{browser.name}: {text[:40]} has a picture")
    expect(browser.script("return window.injected === undefined && !document.querySelector('img')"), f"{browser.name}: a formula was run")


def check_picture(browser, calls):
    """By a link: a line in the picture, and the table behind it; the window is followed."""
    browser.open("run.html", "#view=rates&formula=calls*1&of=")
    duration = browser.script("const {names} = window.fathom.run; return (names.end - names.begin) / 1e9")
    expect_near(rows(browser), {layer: number / duration for layer, (_, number) in totals(calls).items()}, f"{browser.name}: calls per second")
    text = browser.script("""const make = URL.createObjectURL, made = [];
        URL.createObjectURL = blob => { made.push(blob); return make(blob); };
        [...document.querySelectorAll("#view-rates .pictures")][0].lastChild.click();
        URL.createObjectURL = make; window.caught = ""; made[0].text().then(text => { window.caught = text; }); return made.length""")
    expect_equal(text, 1, f"{browser.name}: pictures of the formula")
    picture = until("the picture", lambda: browser.script("return window.caught"))
    expect(picture.count("<path") >= len(totals(calls)), f"{browser.name}: lines of the picture")
    browser.script("const {names} = window.fathom.run; window.fathom.look(names.begin, names.begin + (names.end - names.begin) / 1000)")
    expect(until("other values", lambda: rows(browser)) != {}, f"{browser.name}: values of a part")
    with open(f"{browser.name}.png", "wb") as made:
        made.write(browser.picture())


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    calls = dump()
    for make in browsers:
        browser = make()
        try:
            browser.open("run.html", "#view=rates")
            for text, value in RIGHT.items():
                expect_equal(browser.script(f"return window.fathom.parseFormula({json.dumps(text)}).value(() => NaN)"), value, f"{browser.name}: {text}")
            check_values(browser, calls)
            check_wrong(browser)
            check_picture(browser, calls)
        finally:
            browser.close()


main()
