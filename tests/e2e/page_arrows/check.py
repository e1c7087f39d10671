"""Arrows in each browser: which calls they join is what `dump --json` says of the program, their boxes are reached by keys, and a link keeps them."""

from browser import *
from lib import *
from server import Server


def name(call):
    return call["id"]


def wanted_requests():
    """Operations on files as `dump --operations` has them; and from each call that starts another one to the next wait of its rank."""
    operations = [json.loads(line) for line in fathom("dump", "--operations", "--json", os.environ["TRACE"]).splitlines()]
    pairs = {(one["begin"], one["completion"]) for one in operations}
    expect(len(pairs) >= 3, f"operations: {operations}")
    for process in processes("linked"):
        own = sorted((call for call in dump() if call["proc"] == process["proc"] and call["thread"] == 0), key=lambda call: int(name(call).split(".")[2]))
        starts = []
        for call in own:
            if call["func"] in ("MPI_Isend", "MPI_Irecv", "MPI_File_iwrite_at", "MPI_Ibarrier"):
                starts.append(call)
            elif call["func"] in ("MPI_Wait", "MPI_Waitall"):
                pairs |= {(name(start), name(call)) for start in starts}
                starts = []
    return pairs


def wanted_barriers():
    """From the rank that came last to each barrier to the others: mostly rank 1, unless the machine held up another one."""
    by_rank = {}
    for call in calls("MPI_Barrier"):
        by_rank.setdefault(call["rank"], []).append(call)
    pairs = set()
    for turn in range(4):
        last = max((by_rank[rank][turn] for rank in range(3)), key=lambda call: call["start"])
        pairs |= {(name(last), name(by_rank[rank][turn])) for rank in range(3) if by_rank[rank][turn]["start"] < last["start"]}
    expect(len(pairs) >= 4, f"barriers: {pairs}")
    return pairs


def wanted_creations():
    """(call that makes it, process and thread)"""
    procs = {process["proc"]: process for process in info()["processes"]}
    made = set()
    for call in calls("fork") + calls("pthread_create"):
        if os.path.basename(procs[call["proc"]]["exe"]) == "linked" and call["parent"] is None:
            made.add(name(call))
    return made


def links(browser, kind, function=None):
    return browser.script(f"""const {{run}} = window.fathom, list = run.links.{kind}, pairs = [];
        for (let i = 0; i < list.count; i++)
            if ({json.dumps(function)} === null || run.names.functions[list.function[i] - 1].name === {json.dumps(function)})
                pairs.push([[list.fromProc[i], list.fromThread[i], list.fromCall[i] - 1].join("."), [list.toProc[i], list.toThread[i], list.toCall[i] - 1].join("."), list.start[i], list.took[i], list.earlier[i]]);
        return pairs""")


def check_data(browser):
    by_id = {name(call): call for call in dump()}
    found = links(browser, "requests")
    expect_equal({(one[0], one[1]) for one in found}, wanted_requests(), f"{browser.name}: requests")
    expect_equal(len(found), len(wanted_requests()), f"{browser.name}: requests twice")
    barriers = links(browser, "collectives", "MPI_Barrier")
    expect_equal({(one[0], one[1]) for one in barriers}, wanted_barriers(), f"{browser.name}: barriers")
    for first, second, start, took, earlier in found + barriers:
        expect(abs(start - by_id[first]["start"] * 1e9) < 1500 and abs(start + took - by_id[second]["end"] * 1e9) < 1500, f"{browser.name}: {first} to {second} at {start} + {took}")
    for first, second, _, _, earlier in barriers:
        expect(abs(earlier - (by_id[first]["start"] - by_id[second]["start"]) * 1e9) < 3000 and earlier > 0, f"{browser.name}: {second} had come {earlier} before {first}")
    made = links(browser, "creations")
    expect(wanted_creations() <= {one[0] for one in made}, f"{browser.name}: {wanted_creations()} are not all in {made}")
    for _, _, start, took, _ in made:
        expect(took >= 0, f"{browser.name}: a process begins {took} after the call that made it")


def painted(browser):
    return browser.script("return window.fathom.arrows().map(arrow => [arrow.kind, arrow.fromCall, arrow.toCall, arrow.text, arrow.x, arrow.y, arrow.toX, arrow.toY])")


def check_drawn(browser):
    barrier = min(calls("MPI_Barrier"), key=lambda call: call["start"])
    last = max(calls("MPI_Barrier"), key=lambda call: call["end"])
    browser.script(f"window.fathom.look({barrier['start'] * 1e9 - 1e6}, {last['end'] * 1e9 + 1e6})")
    for kind in ("messages", "collectives", "requests", "creations"):
        chosen = browser.script(f"return document.querySelector('input[data-arrows={kind}]').checked")
        expect_equal(chosen, kind == "messages", f"{browser.name}: {kind} at first")
    browser.script("document.querySelector('input[data-arrows=collectives]').focus()")
    press(browser, " ")
    until("arrows", lambda: any(one[0] == "collectives" for one in painted(browser)))
    arrows = [one for one in painted(browser) if one[0] == "collectives"]
    expect({(one[1], one[2]) for one in arrows} >= wanted_barriers(), f"{browser.name}: arrows of barriers: {arrows}")
    for _, _, _, text, x, y, to_x, to_y in arrows:
        expect(to_x > x and y != to_y, f"{browser.name}: an arrow from {x}, {y} to {to_x}, {to_y}: {text}")
    expect(any("came last" in one[3] for one in arrows), f"{browser.name}: {arrows[0]}")
    browser.script("const list = [...document.querySelectorAll('#view-timeline details')].at(-1); list.querySelector('summary').focus()")
    press(browser, "\ue007")
    rows = until("the table", lambda: browser.script("return [...document.querySelectorAll('[data-table=arrows] tbody tr')].map(row => [row.cells[1].textContent, row.cells[2].textContent])"))
    expect({tuple(row) for row in rows} <= {(one[1], one[2]) for one in painted(browser)}, f"{browser.name}: the table: {rows}")
    address = until("the address", lambda: browser.script("return location.hash.includes('arrows=messages%2Ccollectives') && location.hash"))
    with open(f"{browser.name}.png", "wb") as picture:
        picture.write(browser.picture())
    browser.open("run.html", address.replace("collectives", "collectives%2Crequests"))
    expect(browser.script("return document.querySelector('input[data-arrows=requests]').checked"), f"{browser.name}: {address}")
    expect(browser.script("return window.fathom.svg()").count("<path") > 8, f"{browser.name}: the picture")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    for make in browsers:
        browser = make()
        try:
            browser.open("run.html", "#view=timeline")
            check_data(browser)
            check_drawn(browser)
            browser.open("part.html", "#view=timeline")
            expect(browser.script("return window.fathom.run.links === null && document.querySelector('input[data-arrows=requests]') === null"), f"{browser.name}: arrows of a selection")
            if "server of view: by" in fathom("--version"):
                server = Server("--no-browser", os.environ["TRACE"])
                try:
                    browser.go("about:blank")
                    browser.go(server.address + "#view=timeline")
                    until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")
                    check_data(browser)
                finally:
                    server.end()
        finally:
            browser.close()


main()
