"""check.py PAGE...: which calls the pages have in each browser, and where they say that they are exact, against `dump --json`."""

import sys

from browser import *
from lib import *


def page_calls(browser):
    """{id: (start, length, function)} in ns."""
    found = browser.script("""const {run} = window.fathom, {calls, names} = run, list = [];
        for (let i = 0; i < calls.count; i++) { const row = names.rows[calls.row[i]]; list.push([`${row.proc}.${row.thread}.${calls.number[i]}`, calls.start[i], calls.length[i], names.functions[calls.function[i]].name]); }
        return list""")
    expect_equal(len(found), len({one[0] for one in found}), f"{browser.name}: a call is there twice")
    return {one[0]: tuple(one[1:]) for one in found}


def check_calls(browser, page, have):
    by_function = {}
    for call in dump():
        by_function.setdefault(call["func"], []).append(call)
    for function, list_ in by_function.items():
        longest = max(list_, key=lambda call: call["end"] - call["start"])
        expect(longest["id"] in have, f"{browser.name}: {page}: not the longest {function}")
    evidence = {call for finding in json.loads(fathom("report", "--json", os.environ["TRACE"]))["findings"] for call in finding["evidence"]}
    expect(evidence and evidence <= set(have), f"{browser.name}: {page}: evidence: {evidence - set(have)}")
    for call in dump():
        if call["id"] in have:
            start, length, function = have[call["id"]]
            expect(function == call["func"] and abs(start - call["start"] * 1e9) < 1 and abs(start + length - call["end"] * 1e9) < 1, f"{browser.name}: {page}: {call['id']}")


def busy_between(begin, end):
    """ns that the thread spent in calls of posix."""
    return sum(max(0, min(end, call["end"] * 1e9) - max(begin, call["start"] * 1e9)) for call in dump() if call["layer"] == "posix")


def check_windows(browser, page, have):
    spans = browser.script("return window.fathom.exact()")
    expect(len(spans) >= 3, f"{browser.name}: {page}: windows: {spans}")
    for begin, end in spans:
        within = {call["id"] for call in dump() if round(call["start"] * 1e9) < end and round(call["end"] * 1e9) >= begin}
        expect(within and within <= set(have), f"{browser.name}: {page}: of {len(within)} calls from {begin} to {end}, {len(within - set(have))} are not there")
    expect_equal(browser.script("return [...document.querySelectorAll('.exact-parts button')].length"), len(spans), f"{browser.name}: {page}: buttons")
    for i in (0, len(spans) // 2):
        browser.script(f"document.querySelectorAll('.exact-parts button')[{i}].focus()")
        press(browser, "\ue007")
        begin, end = spans[i]
        until("exact", lambda: browser.script("return document.querySelector('.quality').textContent") == "exact" and browser.script("return window.fathom.state.begin") == begin)
        quarter = (end - begin) / 4
        browser.script(f"window.fathom.look({begin + quarter}, {end - quarter})")
        check_sums(browser, page, begin + quarter, end - quarter)


def check_sums(browser, page, begin, end):
    """What is drawn of the window is the time of its calls; in bins no wider than a pixel."""
    until("exact", lambda: browser.script("return document.querySelector('.quality').textContent") == "exact")
    found = browser.script("""const {run, state, finest} = window.fathom, per = (state.end - state.begin) / 1000, layer = run.names.layers.indexOf("posix"), lane = run.lanesOf[0].find(one => one.layer === layer);
        const known = finest(lane, per), from = known.begin, width = known.bin_width; let sum = 0;
        known.lane.places.forEach((place, i) => { const left = from + place * width; if (left >= state.begin && left + width <= state.end) sum += known.lane.busy[i]; });
        return [sum, width, per, known.exact]""")
    width = found[1]
    expect(found[3] and width <= max(1, found[2]), f"{browser.name}: {page}: {found}")
    wanted = busy_between(begin, end)
    expect(abs(found[0] - wanted) <= 2 * width + 2, f"{browser.name}: {page}: {found[0]} ns busy from {begin} to {end}, not {wanted}")


def check_outside(browser, page):
    spans = sorted(browser.script("return window.fathom.exact()"))
    begin, end = max(((one[1], other[0]) for one, other in zip(spans, spans[1:])), key=lambda gap: gap[1] - gap[0])
    middle = (begin + end) / 2
    browser.script(f"window.fathom.look({middle - 20000}, {middle + 20000})")
    said = until("a summary", lambda: browser.script("const said = document.querySelector('.quality').textContent; return said.startsWith('summary') && said"))
    expect_equal(said, f"summary: for finer sums, run fathom view {os.environ['TRACE']}", f"{browser.name}: {page}: outside of windows")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    expect(len(dump()) > 110000, f"{len(dump())} calls")
    for make in browsers:
        browser = make()
        try:
            for page in sys.argv[1:]:
                browser.open(page, "#view=timeline")
                have = page_calls(browser)
                expect(len(have) < len(dump()), f"{page} has all calls")
                check_calls(browser, page, have)
                check_windows(browser, page, have)
                check_outside(browser, page)
                with open(f"{browser.name}.png", "wb") as picture:
                    picture.write(browser.picture())
        finally:
            browser.close()


main()
