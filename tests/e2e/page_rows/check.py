"""Rows that fold, in each browser, from a file and from the server: by pointer, by keys, by a link. A folded row has the mean of its
threads."""

import time

from browser import *
from lib import *
from server import Server


def tree():
    """Threads that made calls: {host: {proc: [thread ...]}}."""
    hosts = {process["proc"]: process["host"] for process in info()["processes"]}
    found = {}
    for proc, thread in sorted({(call["proc"], call["thread"]) for call in dump()}):
        found.setdefault(hosts[proc], {}).setdefault(proc, []).append(thread)
    return found


def rows(browser):
    """Of each row its process and thread."""
    return [tuple(one) for one in browser.script("return window.fathom.rowsShown().map(row => [window.fathom.run.names.rows[row].proc, window.fathom.run.names.rows[row].thread])")]


def folds(browser):
    return {one["key"]: one for one in browser.script("return window.fathom.foldsShown()")}


def choose(browser, level):
    browser.script(f"const made = document.querySelector('select[aria-label=\"A row for each\"]'); made.value = '{level}'; made.dispatchEvent(new Event('change'))")


def click_name(browser, key):
    browser.script("document.querySelector('canvas.timeline').scrollIntoView({block: 'center'})")
    x, y = browser.script(f"const {{left, top}} = document.querySelector('canvas.timeline').getBoundingClientRect(); return [left + 20, top + window.fathom.foldsShown().find(one => one.key === '{key}').top + 6]")
    browser.actions([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [{"type": "pointerMove", "x": int(x), "y": int(y)}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])


def check_levels(browser, wanted):
    threads = [(proc, thread) for proc, list in sorted((proc, list) for host in wanted.values() for proc, list in host.items()) for thread in list]
    expect_equal(rows(browser), threads, f"{browser.name}: a row for each thread")
    choose(browser, "process")
    expect_equal(rows(browser), [one for one in threads if one[1] == 0], f"{browser.name}: a row for each process")
    several = sorted(f"p{proc}" for host in wanted.values() for proc, list in host.items() if len(list) > 1)
    expect_equal(sorted(key for key, one in folds(browser).items() if one["folded"]), several, f"{browser.name}: folded processes")
    choose(browser, "node")
    expect_equal(sorted(one["label"] for one in folds(browser).values()), sorted(f"{host}: {sum(map(len, procs.values()))} threads" for host, procs in wanted.items()), f"{browser.name}: a row for each node")
    return several


def check_mean(browser, wanted, several):
    """The lane of a folded row is the mean of the time of its threads in calls, from their calls."""
    length = browser.script("const {names} = window.fathom.run; return (names.end - names.begin) / 1e9")
    choose(browser, "process")
    for key in several:
        proc = int(key[1:])
        threads = next(procs[proc] for procs in wanted.values() if proc in procs)
        busy = sum(call["end"] - call["start"] for call in dump() if call["proc"] == proc and call["layer"] == "posix")
        found = browser.script(f"return window.fathom.shareShown('{key}', 'posix')")
        share = busy / length / len(threads)
        expect(abs(found - share) < 1e-3 * max(share, 0.01), f"{browser.name}: {key} is busy {found}, not {share}")


def check_pointer_and_keys(browser, wanted, several):
    choose(browser, "node")
    second = next(key for key, one in folds(browser).items() if one["label"].startswith("second:"))
    click_name(browser, second)
    procs = wanted["second"]
    until("the node unfolds", lambda: not folds(browser)[second]["folded"])
    expect_equal([one for one in rows(browser) if one[0] in procs], [(proc, 0) for proc in sorted(procs)], f"{browser.name}: processes of a node")
    inner = next(key for key in several if int(key[1:]) in procs)
    browser.script("document.querySelector('.folds').open = true; document.querySelector('.folds summary').focus()")
    # The list may be made anew while it is looked at.
    until("the list", lambda: browser.script(f"document.querySelector('[data-fold={inner}]')?.focus(); return document.activeElement.dataset.fold === '{inner}'"))
    press(browser, "\ue007")
    until("the process unfolds", lambda: not folds(browser)[inner]["folded"])
    expect_equal(browser.script("return document.activeElement.dataset.fold"), inner, f"{browser.name}: the focus stays")
    expect_equal(browser.script(f"return document.querySelector('[data-fold={inner}]').getAttribute('aria-expanded')"), "true", f"{browser.name}: is it unfolded?")
    expect_equal([one for one in rows(browser) if one[0] == int(inner[1:])], [(int(inner[1:]), thread) for thread in procs[int(inner[1:])]], f"{browser.name}: threads of a process")
    return settled_address(browser)


def settled_address(browser):
    """The address is written a moment after what it says."""
    seen = []

    def look():
        seen.append(browser.script("return location.hash"))
        time.sleep(0.2)
        return "folds=" in seen[-1] and len(seen) > 5 and len(set(seen[-5:])) == 1 and seen[-1]

    return until("the address", look)


def check_call(browser, key):
    """A call of a thread that is folded away is chosen, and its row comes into view."""
    call = next(call["id"] for call in dump() if call["proc"] == int(key[1:]) and call["thread"] and call["func"] == "pwrite")
    browser.script(f"window.fathom.choose(window.fathom.findCall('{call}'))")
    said = browser.script("return document.getElementById('call').textContent")
    expect(call in said, f"{browser.name}: {said[:200]}")


def check(browser, wanted):
    browser.open("run.html", "#view=timeline")
    several = check_levels(browser, wanted)
    check_mean(browser, wanted, several)
    address = check_pointer_and_keys(browser, wanted, several)
    shown = rows(browser)
    check_call(browser, several[0])
    browser.open("run.html", address)
    expect_equal(rows(browser), shown, f"{browser.name}: rows of a link")
    with open(f"{browser.name}.png", "wb") as made:
        made.write(browser.picture())


def check_served(browser, wanted):
    """From the server, deep in the run: the mean of a folded row comes from the exact bins."""
    server = Server("--no-browser", os.environ["TRACE"])
    server.picture()
    try:
        def open_page(place):
            browser.go("about:blank")
            browser.go(server.address + place)
            until("the page", lambda: browser.script("return document.documentElement.dataset.ready"))
        open_page("#view=timeline&level=node")
        middle = max(call["start"] for call in dump() if call["func"] == "pwrite" and call["thread"])
        browser.script(f"window.fathom.look({middle * 1e9} - 200000, {middle * 1e9} + 200000)")
        exact = lambda: browser.script("return document.querySelector('.quality').textContent") == "exact"
        until("the exact picture", exact)
        begin, end = browser.script("return [window.fathom.state.begin / 1e9, window.fathom.state.end / 1e9]")
        for key, one in folds(browser).items():
            host = one["label"].split(":")[0]
            procs, members = wanted[host], sum(map(len, wanted[host].values()))
            busy = sum(max(0, min(call["end"], end) - max(call["start"], begin)) for call in dump() if call["proc"] in procs and call["layer"] == "posix")
            found, share = browser.script(f"return window.fathom.shareShown('{key}', 'posix')"), busy / (end - begin) / members
            expect(abs(found - share) < 0.02 * max(share, 0.05), f"{browser.name}: {host} is busy {found}, not {share}")
    finally:
        server.end()


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    wanted = tree()
    expect(len(wanted) == 2 and sum(len(procs) for procs in wanted.values()) >= 3, f"the run is {wanted}")
    for make in browsers:
        browser = make()
        try:
            check(browser, wanted)
            check_served(browser, wanted)
        finally:
            browser.close()


main()
