"""The page from the server, in each browser: coarse at once and exact soon; a call that is not among those of the page is found by its
name; its parameters are those of `dump`; and the page says when the server has ended."""

from browser import *
from lib import *
from server import *

TRACE = os.environ["TRACE"]


def open_at(browser, address, place):
    browser.go("about:blank")
    browser.go(address + place)
    until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")


def wait_for_window(browser):
    """What is looked at has come, and was painted."""
    until("exact", lambda: browser.script("""const {run, state} = window.fathom;
        return run.server.windows.some(one => one.begin <= state.begin && state.end <= one.end) && document.querySelector('.quality').textContent === 'exact'"""))


def check_call(browser, address, call):
    """By its name in the address: the page comes with the longest calls only, and asks for this one."""
    open_at(browser, address, f"#view=timeline&call={call['id']}")
    until(f"{call['id']} is chosen", lambda: browser.script("return window.fathom.state.call >= 0"))
    shown = browser.script("""const {run, state} = window.fathom, {calls, names} = run, i = state.call;
        return [calls.start[i], calls.length[i], names.functions[calls.function[i]].name, names.files[calls.file[i] - 1], calls.bytes[i]]""")
    start = round(call["start"] * 1e9)
    expect_equal(shown, [start, round(call["end"] * 1e9) - start, call["func"], call["file"], call["bytes"] or 0], f"{browser.name}: {call['id']}")
    panel = until("its parameters", lambda: browser.script("return document.querySelector('#call .parameters').textContent"))
    for name, value in call["args"].items():
        expect(name in panel or value is None, f"{browser.name}: {name} is not in {panel!r}")
    expect(f"count{call['args']['count']}" in panel, f"{browser.name}: the count is not in {panel!r}")
    wait_for_window(browser)
    begin, end = browser.script("const s = window.fathom.state; return [s.begin, s.end]")
    expect(begin <= start <= end and end - begin < 1e6, f"{browser.name}: the window {begin} to {end} lacks {start}")


def check_inside(browser, address, call):
    """A button of the panel leads to the call that is inside of the chosen one."""
    inner = json.loads(fathom("dump", "--json", "--call", call["id"], TRACE).splitlines()[1])
    open_at(browser, address, f"#view=balance&call={call['id']}")
    until("the buttons", lambda: browser.script("return document.querySelectorAll('#call .parameters li button').length"))
    browser.script("document.querySelector('#call .parameters li button').click()")
    until(f"{inner['id']} is shown", lambda: inner["id"] in browser.script("return document.getElementById('call').textContent"))


def check_zoom(browser, address, calls):
    """Any window becomes exact, and has the calls that `dump` has there."""
    open_at(browser, address, "#view=timeline")
    expect_equal(browser.script("return document.querySelector('.quality').textContent"), "exact", f"{browser.name}: the whole run")
    middle = calls[len(calls) // 3]
    start = round(middle["start"] * 1e9)
    browser.script(f"window.fathom.look({start - 20000}, {start + 20000})")
    wait_for_window(browser)
    shown = browser.script(f"""const {{run}} = window.fathom, {{calls}} = run, list = [];
        for (let i = 0; i < calls.count; i++) if (calls.start[i] <= {start + 20000} && calls.start[i] + calls.length[i] >= {start - 20000})
            list.push(`0.${{run.names.rows[calls.row[i]].thread}}.${{calls.number[i]}}`);
        return list""")
    expected = [call["id"] for call in calls if round(call["start"] * 1e9) <= start + 20000 and round(call["end"] * 1e9) >= start - 20000]
    expect_equal(sorted(shown), sorted(expected), f"{browser.name}: calls around {start}")


def check_rates(browser, address, calls):
    """Deep in the run the rates come from bins no wider than a pixel: so many calls began there as `dump` has, at most a pixel more at each end."""
    middle = round(calls[len(calls) // 2]["start"] * 1e9)
    begin, end = middle - 20000, middle + 20000
    open_at(browser, address, "#view=rates")
    browser.script(f"window.fathom.look({begin}, {end})")
    until("exact rates", lambda: browser.script("return document.querySelector('#view-rates p[role=status]').textContent") == "exact")
    pixel = 40000 / browser.script("return document.querySelector('#view-rates').clientWidth - 90")
    shown = dict(browser.script("return [...document.querySelectorAll('#view-rates [data-table=sums] tbody tr')].map(row => [row.cells[0].textContent, Number(row.cells[1].textContent.replaceAll(',', ''))])"))
    for layer in {call["layer"] for call in calls}:
        starts = [round(call["start"] * 1e9) for call in calls if call["layer"] == layer]
        least, most = (sum(begin + margin <= start < end - margin for start in starts) for margin in (0, -pixel - 1))
        expect(least <= shown.get(layer, 0) <= most, f"{browser.name}: {shown.get(layer)} calls of {layer} began, not {least} to {most}")
    return sum(shown.values())


def check_stop(browser):
    """A verification is stopped by its button, and begun again by it."""
    server = Server("--no-browser", "long.fathom")
    server.picture()
    try:
        open_at(browser, server.address, "#view=verify")
        button = "document.querySelector('#view-verify button')"
        until("it verifies", lambda: server.state()["verifying"] and browser.script(f"return {button}.textContent") == "Stop")
        browser.script(f"{button}.focus()")
        press(browser, "\ue007")
        until("it has stopped", lambda: "was stopped" in browser.script("return document.querySelector('#view-verify p[role=status]').textContent"))
        expect_equal(server.state()["verifying"], None, f"{browser.name}: the server goes on")
        expect_equal(browser.script(f"return {button}.textContent"), "Verify", f"{browser.name}: the button")
        press(browser, "\ue007")
        until("the verdict", lambda: browser.script("return document.querySelector('#view-verify .verdict')"))
        expect(browser.script(f"return {button}.hidden"), f"{browser.name}: the button stays")
    finally:
        server.end()


def main():
    browsers = installed()
    if not browsers:
        print("no browser: the page is not looked at")
        return
    calls = dump()
    for make in browsers:
        server = Server("--no-browser", TRACE)
        server.picture()
        browser = make()
        try:
            check_zoom(browser, server.address, calls)
            kept = set(browser.script("""const {run} = window.fathom; return run.callsOf.flatMap((list, row) => list.filter(i => i < run.server.kept).map(
                i => `0.${run.names.rows[row].thread}.${run.calls.number[i]}`))"""))
            hidden = [call for call in calls if call["id"] not in kept and call["func"] == "write"]
            expect(len(hidden) > 1000, f"{len(hidden)} calls are not in the page")
            check_call(browser, server.address, hidden[len(hidden) // 2])
            expect(check_rates(browser, server.address, calls) > 10, f"{browser.name}: hardly any call began there")
            check_stop(browser)
            check_inside(browser, server.address, next(call for call in calls if call["func"] == "fclose"))
            open_at(browser, server.address, "#view=tables")
            expect("<img" in browser.script("return document.body.textContent"), f"{browser.name}: a file with markup in its name is not shown")
            expect(browser.script("return window.injected === undefined && !document.querySelector('img')"), f"{browser.name}: a name was run")
            with open(f"{browser.name}.png", "wb") as picture:
                open_at(browser, server.address, "#view=timeline")
                picture.write(browser.picture())
            server.end()
            until("it says that the server has ended", lambda: "ended" in browser.script("return document.getElementById('source').textContent"))
        finally:
            browser.close()
            if server.process.poll() is None:
                server.end()


main()
