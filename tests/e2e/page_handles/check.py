"""check.py FILE...: handles of these files in each browser are those of `handles --json`; arrows join calls and those around them."""

import sys

from browser import *
from lib import *
from server import Server


def wanted_of(name):
    """{(process, number): (parent, class, layer, maker, closer)} of a file, with those that they belong to."""
    found = {}
    for process in json.loads(fathom("handles", "--json", os.environ["TRACE"]))["processes"]:
        known = {handle["handle"]: handle for handle in process["handles"]}
        for handle in process["handles"]:
            if handle["path"] is None or os.path.basename(handle["path"]) != name or handle["type"] not in (None, "file"):
                continue
            while handle is not None:
                found[process["proc"], handle["handle"]] = (handle["parent"], handle["class"], handle["layer"], handle["made_by"], handle["closed_by"], handle["made"], handle["closed"], handle["depth"])
                handle = known.get(handle["parent"])
    return found


def shown(browser):
    """The same of what the page draws; times in seconds, as `handles` has them."""
    rows = browser.script("""return window.fathom.handles().map(({handle, depth}) => [handle.proc, handle.number, handle.parent ? handle.parent.number : null, handle.type, handle.layer, handle.maker || null, handle.closer || null,
        Number.isNaN(handle.from) ? null : handle.from / 1e9, Number.isNaN(handle.to) ? null : handle.to / 1e9, depth])""")
    return {(proc, number): tuple(rest) for proc, number, *rest in rows}


def same(one, other):
    return one == other or (isinstance(one, float) and isinstance(other, float) and abs(one - other) < 2e-9)


def check_file(browser, name):
    path = next(row["path"] for row in stats()["files"] if os.path.basename(row["path"]) == name)
    browser.script(f"window.fathom.chooseFile({json.dumps(path)})")
    wanted = wanted_of(name)
    expect(len(wanted) >= 3, f"{name}: {wanted}")
    found = until("handles", lambda: shown(browser))
    rows = browser.script("const table = document.querySelector('[data-table=handles]'); table.querySelector('button.more').click(); return table.querySelectorAll('tbody tr').length")
    expect_equal(rows, len(wanted), f"{browser.name}: {name}: rows of the table")
    expect_equal(set(found), set(list(wanted)[: len(found)]) if len(found) == 120 else set(wanted), f"{browser.name}: handles of {name}")
    for key, values in found.items():
        expect(all(same(one, other) for one, other in zip(values, wanted[key])), f"{browser.name}: {name}: handle {key}: {values}, not {wanted[key]}")


def check_click(browser):
    """A click on a handle chooses the call that made it."""
    box = browser.script("const canvas = document.querySelector('canvas.handles'); canvas.scrollIntoView(); const at = canvas.getBoundingClientRect(), one = window.fathom.handles()[0]; return [at.left + 20, at.top + one.top + 8, one.maker]")
    if box[2]:
        browser.actions([{"type": "pointer", "id": "mouse", "actions": [{"type": "pointerMove", "x": round(box[0]), "y": round(box[1])}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])
        until("the call is chosen", lambda: box[2] in browser.script("return document.getElementById('call').textContent"))


def arrows(browser, kind):
    return browser.script(f"return window.fathom.arrows().filter(arrow => arrow.kind === '{kind}').map(arrow => [arrow.fromCall, arrow.toCall, arrow.text, arrow.y, arrow.toY])")


def check_arrows(browser, name):
    by_id = {call["id"]: call for call in dump()}
    wanted = wanted_of(name)
    pairs = set()
    for (proc, _), (parent, _, layer, maker, *_) in wanted.items():
        if parent is not None and maker is not None and wanted[proc, parent][3] is not None:
            pairs.add((maker, wanted[proc, parent][3]) if layer == wanted[proc, parent][2] else (wanted[proc, parent][3], maker))
    makers = [by_id[maker] for pair in pairs for maker in pair]
    begin, end = min(call["start"] for call in makers), max(call["end"] for call in makers)
    browser.open("run.html", f"#view=timeline&arrows=calls,handles&time={int(begin * 1e9) - 1000}-{int(end * 1e9) + 1000}")
    found = until("arrows of handles", lambda: arrows(browser, "handles"))
    expect(pairs <= {(one[0], one[1]) for one in found}, f"{browser.name}: {pairs} are not all in {found}")


def check_calls(browser):
    """The window of a call whose longest inner one is of another layer: the arrow between them is there, and all others are true."""
    by_id = {call["id"]: call for call in dump()}
    inner = max((call for call in dump() if call["parent"] and by_id[call["parent"]]["layer"] != call["layer"]), key=lambda call: call["end"] - call["start"])
    outer = by_id[inner["parent"]]
    browser.script(f"window.fathom.look({outer['start'] * 1e9 - 500}, {outer['end'] * 1e9 + 500})")
    until("the arrow", lambda: any(one[:2] == [outer["id"], inner["id"]] for one in arrows(browser, "calls")))
    for first, second, text, y, to_y in arrows(browser, "calls"):
        expect_equal(by_id[second]["parent"], first, f"{browser.name}: {text}: {second} is in")
        expect(by_id[first]["layer"] != by_id[second]["layer"] and y != to_y, f"{browser.name}: {text}")
    browser.script("document.querySelector('input[data-arrows=calls]').focus()")
    press(browser, " ")
    until("they go", lambda: not arrows(browser, "calls"))


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    for make in browsers:
        browser = make()
        try:
            browser.open("run.html", "#view=files")
            for name in sys.argv[1:]:
                check_file(browser, name)
            check_click(browser)
            with open(f"{browser.name}.png", "wb") as picture:
                picture.write(browser.picture())
            check_arrows(browser, sys.argv[1])
            check_calls(browser)
            if "server of view: by" in fathom("--version"):
                server = Server("--no-browser", os.environ["TRACE"])
                try:
                    browser.go("about:blank")
                    browser.go(server.address + "#view=files")
                    until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")
                    check_file(browser, sys.argv[1])
                finally:
                    server.end()
        finally:
            browser.close()


main()
