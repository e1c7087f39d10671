"""Operations on the time line in each browser: each is drawn once, from its start to its completion, beside all that it overlaps; a key folds them."""

from browser import *
from lib import *

TRACKS = 12


def operations():
    """Those that another call than their own found complete: {id of the call that starts it: (id of the other, start, end in ns)}."""
    lines = [json.loads(line) for line in fathom("dump", "--operations", "--json", os.environ["TRACE"]).splitlines()]
    return {one["begin"]: (one["completion"], one["start"] * 1e9, one["end"] * 1e9) for one in lines if one["begin"] != one["completion"]}


def painted(browser):
    return browser.script("return window.fathom.operations()")


def check_unfolded(browser, wanted):
    expect_equal(painted(browser), [], f"{browser.name}: while they are folded")
    browser.script("const list = document.querySelector('#view-timeline .folds'); list.open = true")
    button = "document.querySelector('[data-fold=\"o0.0\"]')"
    until("the button that unfolds", lambda: browser.script(f"return {button} !== null"))
    expect_equal(browser.script(f"return {button}.textContent"), f"\u25b8 {browser.script('return window.fathom.run.names.rows[0].label')}: up to 13 operations", f"{browser.name}: the button")
    browser.script(f"{button}.focus()")
    press(browser, "\ue007")
    found = until("operations", lambda: painted(browser))
    expect_equal(len(found), len({one["fromCall"] for one in found}), f"{browser.name}: one is drawn twice")
    missing = set(wanted) - {one["fromCall"] for one in found}
    expect(len(missing) == 1 and {one["fromCall"] for one in found} <= set(wanted), f"{browser.name}: {missing} are not drawn of {len(wanted)}")
    for one in found:
        expect_equal(one["toCall"], wanted[one["fromCall"]][0], f"{browser.name}: {one['fromCall']} is found complete by")
    return found


def check_tracks(browser, found, wanted):
    """Two that overlap are not in one track; and none is lower than it has to be."""
    times = {one["fromCall"]: wanted[one["fromCall"]][1:] for one in found}
    for one in found:
        start, end = times[one["fromCall"]]
        expect(0 <= one["track"] < TRACKS, f"{browser.name}: {one}")
        above = {other["track"] for other in found if other is not one and times[other["fromCall"]][0] <= start < times[other["fromCall"]][1]}
        expect(start == end or one["track"] not in above, f"{browser.name}: {one} is over another one")
    expect_equal({one["track"] for one in found}, set(range(TRACKS)), f"{browser.name}: tracks")
    tops = {one["track"]: one["top"] for one in found}
    expect(all(tops[track + 1] > tops[track] for track in range(TRACKS - 1)), f"{browser.name}: {tops}")


def check_places(browser, wanted, moved=0):
    def misplaced():
        found, wide, begin, end = browser.script("const {state, operations} = window.fathom; return [operations(), document.querySelector('canvas.timeline').clientWidth - 168, state.begin, state.end]")
        places = {one: [168 + (time + moved - begin) / (end - begin) * wide for time in times] for one, (_, *times) in wanted.items()}
        if not found:
            return ["none is drawn"]
        return [(one, places[one["fromCall"]]) for one in found if abs(one["left"] - places[one["fromCall"]][0]) > 1 or abs(one["right"] - places[one["fromCall"]][1]) > 2]

    until("operations at their places", lambda: not misplaced(), 20)


def check_clock(browser, wanted):
    """A process that is moved takes its operations along; the address keeps it, and a button takes it back."""
    browser.script("document.querySelector('.clocks').open = true")
    until("the field", lambda: browser.script("const field = document.querySelector('.clocks input'); if (field) { field.value = '0.001'; field.focus(); } return Boolean(field)"))
    press(browser, "\ue007")
    address = until("the address", lambda: browser.script("return location.hash.includes('offsets=0%3A1000000') && location.hash"))
    check_places(browser, wanted, 1e6)
    browser.open("run.html", address)
    check_places(browser, wanted, 1e6)
    expect_equal(browser.script("return document.querySelector('.quality').textContent"), "exact", f"{browser.name}: a process that is moved")
    browser.script("document.querySelector('.clocks').open = true")
    until("the button that takes it back", lambda: browser.script("const back = document.querySelector('[data-offset]'); if (back) back.click(); return Boolean(back)"))
    check_places(browser, wanted)
    until("no offset in the address", lambda: browser.script("return !location.hash.includes('offsets')"))


def check_table(browser, wanted):
    browser.script("document.querySelector('.operations-list summary').focus()")
    press(browser, "\ue007")
    said = until("the table", lambda: browser.script("return document.querySelector('[data-table=operations] tbody') && document.querySelector('.operations-list summary').textContent"))
    expect(said.startswith(f"Operations in view: {len(wanted)}. Not drawn, as they overlap more than 11 others of their row: 1"), f"{browser.name}: {said}")
    browser.script("document.querySelector('[data-table=operations] button.more').click()")
    rows = browser.script("return [...document.querySelectorAll('[data-table=operations] tbody tr')].map(row => [row.cells[1].textContent, row.cells[2].textContent])")
    expect_equal({start: end for start, end in rows}, {start: one[0] for start, one in wanted.items()}, f"{browser.name}: the table")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    wanted = operations()
    expect(len(wanted) >= 20, f"operations: {len(wanted)}")
    for make in browsers:
        browser = make()
        try:
            browser.open("run.html", "#view=timeline")
            found = check_unfolded(browser, wanted)
            check_tracks(browser, found, wanted)
            check_places(browser, wanted)
            check_table(browser, wanted)
            address = until("the address", lambda: browser.script("return location.hash.includes('folds=o0.0') && location.hash"))
            with open(f"{browser.name}.png", "wb") as picture:
                picture.write(browser.picture())
            browser.open("run.html", address)
            expect_equal(len(painted(browser)), len(found), f"{browser.name}: {address}")
            check_clock(browser, wanted)
            browser.script("document.querySelector('[data-operations]').click()")
            until("they go", lambda: not painted(browser))
            until("the address says so", lambda: "operations=no" in browser.script("return location.hash"))
        finally:
            browser.close()


main()
