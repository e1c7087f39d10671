"""What people do with the page of a run, in each browser: its numbers are those of --json; it zooms to a call that `dump` knows; a
link shows what was seen; keys are enough; no name of the trace is taken for markup."""

import collections
import re
from xml.etree import ElementTree

from browser import *
from lib import *

PAGE = "run.html"


def check_numbers(browser):
    report = json.loads(fathom("report", "--json", os.environ["TRACE"]))
    expect_equal(browser.script("return window.fathom.run.report"), report, f"{browser.name}: the report in the page")
    facts = browser.script("return document.getElementById('facts').textContent")
    expect(f"{report['run']['total']['calls']:,} calls" in facts, f"{browser.name}: the head says {facts!r}")
    layers = {row["layer"]: row["calls"] for row in stats()["layers"]}
    shown = browser.script("""const {run} = window.fathom, sums = {};
        for (const lane of run.lanes) sums[run.names.layers[lane.layer]] = (sums[run.names.layers[lane.layer]] || 0) + lane.calls.reduce((a, b) => a + b, 0);
        return sums""")
    expect_equal(shown, layers, f"{browser.name}: calls of the lanes by layer")
    moved = browser.script("""const {run} = window.fathom; let sum = 0;
        for (const lane of run.lanes) if (run.names.layers[lane.layer] === "posix") sum += lane.written.reduce((a, b) => a + b, 0);
        return sum""")
    expect_equal(moved, sum(row["bytes_written"] for row in stats()["layers"] if row["layer"] == "posix"), f"{browser.name}: bytes written")
    titles = browser.script("return [...document.querySelectorAll('#view-overview .finding h3')].map(one => one.textContent)")
    for finding in report["findings"]:
        expect(any(finding["title"] in title for title in titles), f"{browser.name}: no {finding['title']!r} among {titles}")


def check_selected(browser):
    """The head says what was selected, where something was."""
    for page, wanted in (("part.html", True), (PAGE, False)):
        browser.open(page)
        facts = browser.script("return document.getElementById('facts').textContent")
        expect_equal("Selected: --where layer == posix" in facts, wanted, f"{browser.name}: the head of {page} says {facts!r}")


def check_few_calls(browser):
    """A run without a call has empty views; of one with many processes and few calls the page has each call."""
    expect_equal(json.loads(fathom("stats", "--json", "nothing.fathom"))["total"]["calls"], 0, "calls of a program that makes none")
    for view in ("timeline", "profile", "files", "rates", "topology"):
        browser.open("nothing.html", f"#view={view}")
        expect_equal(browser.script("return document.documentElement.dataset.ready"), "yes", f"{browser.name}: {view} of a run without calls")
    browser.open("children.html", "#view=timeline")
    expect_equal(browser.script("return [window.fathom.run.names.all_calls, window.fathom.run.calls.count]"), [True, json.loads(fathom("stats", "--json", "children.fathom"))["total"]["calls"]], f"{browser.name}: calls of many processes")


def check_last_bin(browser):
    """A bin that the run ends in is a share of what of it lies within the run: where calls are active all the time, each level of it is 1."""
    levels = browser.script("""const names = {begin: 5, bin_width: 8, bins: 128, end: 5 + 8 * 127 + 2};
        return window.fathom.sharesOfBins(names, Uint32Array.from({length: 128}, (_, i) => i), Float64Array.from({length: 128}, (_, i) => i < 127 ? 8 : 2)).map(level => [...level])""")
    expect_equal(levels, [[1] * 128, [1] * 64], f"{browser.name}: shares of a lane that is always busy")
    rates = browser.script("return window.fathom.ratesOfBins({begin: 5, bin_width: 8, end: 5 + 8 * 127 + 2}, 125, [16, 16, 4, 0], 1)")
    expect_equal(rates, [2, 2, 2, 0], f"{browser.name}: rates to the end of the run")


def check_sentences(browser):
    """The head has the lines of the report as text, and the overview its sentences: a run that failed looks like one in both."""
    options = ("--threshold", "worth=0", "--threshold", "minor=0", "aborted.fathom")
    text, report = fathom("report", "--all", *options), json.loads(fathom("report", "--json", *options))
    browser.open("aborted.html")
    lines = browser.script("return [...document.querySelectorAll('#facts p')].map(one => one.textContent)")
    expect_equal(lines, text.split("\n\n")[0].splitlines()[1:], f"{browser.name}: the lines of the head")
    expect(any(re.fullmatch(r"Ended with signal 6; 1 process was killed by a signal \(process \d+ \(\w+\): signal 6\)", line) for line in lines), f"{browser.name}: how it ended: {lines}")
    expect("1 process (2 images: some ran exec)" in lines, f"{browser.name}: images: {lines}")
    expect(browser.script("return Boolean(document.getElementById('missing').compareDocumentPosition(document.getElementById('title')) & Node.DOCUMENT_POSITION_FOLLOWING)"), f"{browser.name}: what is missing does not stand first")
    worth = [finding["worth"] for finding in report["findings"] if finding["worth"]]
    expect(worth, "no finding is about time")
    relations = [sentence for finding in report["findings"] for sentence in finding["relations"]]
    for begin in ("Half or more of this may be due to: ", "It may explain half or more of: "):
        expect(any(sentence.startswith(begin) for sentence in relations), f"{begin!r} is in none of {relations}")
    overview, words = browser.script("return document.getElementById('view-overview').textContent"), " ".join(text.split())
    for sentence in (report["run"]["shares_of_times"], report["run"]["shares_of_findings"], report["run"]["heading_of_findings"], *worth, *relations):
        expect(sentence in words, f"{sentence!r} is not in {text}")
        expect(sentence in overview, f"{browser.name}: {sentence!r} is not in {overview!r}")


def check_profile(browser):
    """The table of functions says what stats says, and so do the tree and its shares; a box of the flame graph is chosen by keys."""
    browser.open(PAGE, "#view=profile")
    rows = {row["func"]: row for row in stats()["functions"]}
    shown = browser.script("""return window.fathom.flat().map(row => [row.function, row.calls, row.time, row.written])""")
    expect_equal(sorted(row[0] for row in shown), sorted(rows), f"{browser.name}: functions of the profile")
    for function, calls, time, written in shown:
        expect_equal(round(calls), rows[function]["calls"], f"{browser.name}: calls of {function}")
        expect(abs(time / 1e9 - rows[function]["time"]) < 1e-6, f"{browser.name}: time of {function}: {time} ns, not {rows[function]['time']} s")
        expect_equal(round(written), rows[function]["bytes_written"] or 0, f"{browser.name}: bytes written by {function}")
    browser.script("document.querySelector('canvas.flame').focus()")
    press(browser, "\ue014", "\ue014")
    said = browser.script("return document.querySelector('#view-profile p[aria-live]').textContent")
    expect(any(f"{function}:" in said for function in rows), f"{browser.name}: the arrow keys choose no call: {said!r}")
    check_histograms(browser)


def check_histograms(browser):
    """As many bars as are asked for, with all calls in them; quartiles as they follow from the durations that `dump` has."""
    expect(browser.script("return document.querySelectorAll('#view-profile .histogram').length") >= 1, f"{browser.name}: no histogram")
    classes = [[3, 5], [9, 1], [40, 10], [41, 2]]
    for most in (1, 2, 3, 10, 39, 400):
        made = browser.script(f"return window.fathom.barsOf({json.dumps(classes)}, {most})")
        expect(1 <= len(made) <= min(most, 39) and sum(bar["calls"] for bar in made) == 18, f"{browser.name}: {most} bars: {made}")
        expect(all(one["to"] == other["from"] for one, other in zip(made, made[1:])), f"{browser.name}: bars with gaps: {made}")
    browser.script("document.querySelector('#view-profile input[type=number]').focus(); document.querySelector('#view-profile input[type=number]').select()")
    press(browser, "3")
    counts = browser.script("return [...document.querySelectorAll('#view-profile .histogram')].map(one => one.childElementCount)")
    expect(counts and all(1 <= number <= 3 for number in counts), f"{browser.name}: {counts} bars for 3")
    title, facts = browser.script("const part = document.querySelector('#view-profile .histogram').parentElement; return [part.querySelector('h3').textContent, [...part.querySelectorAll('dd')].map(one => one.textContent)]")
    lengths = sorted((call["end"] - call["start"]) * 1e9 for call in calls(title.split()[2]))
    expect_equal(int(facts[0].replace(",", "")), len(lengths), f"{browser.name}: calls of the histogram of {title}")
    for share, text in ((0.25, facts[4]), (0.5, facts[5]), (0.75, facts[6])):
        below, at = lengths[max(0, int(share * len(lengths)) - 1)], lengths[min(len(lengths) - 1, int(share * len(lengths)) + 1)]
        value = float(text.split()[0]) * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "0": 0}[text.split()[-1]]
        expect(below / 1.2 - 1000 <= value <= at * 1.2 + 1000, f"{browser.name}: {share} of {title} is {text}, between {below} and {at} ns")


def check_files(browser):
    """A map has the bytes of its file, and each of its accesses is one that dump knows."""
    browser.open(PAGE, "#view=files")
    sizes = {row["path"]: row["bytes_written"] for row in stats()["files"]}
    maps = browser.script("""return window.fathom.run.maps.files.map(map => [map.path, map.written,
        map.cells.written.reduce((a, b) => a + b, 0), map.shares.reduce((all, share) => all + share.cells.written.reduce((a, b) => a + b, 0), 0)])""")
    expect(len(maps) >= 3, f"{browser.name}: maps of {maps}")
    for path, whole, cells, shares in maps:
        expect_equal([whole, cells, shares], [sizes[path]] * 3, f"{browser.name}: bytes written to {path}")
    browser.script(f"window.fathom.chooseFile({json.dumps(maps[1][0])})")
    address = until("the address has the file", lambda: browser.script("return location.hash.includes('file=') && location.hash"))
    browser.open(PAGE, address)
    expect(maps[1][0] in browser.script("return document.querySelector('#view-files select').value"), f"{browser.name}: {address} shows another file")


def on_paper(browser):
    return browser.script("""const canvas = document.querySelector('canvas.timeline'), scroller = document.querySelector('#view-timeline .scroller');
        const shown = selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility ? one.checkVisibility() : getComputedStyle(one).display !== 'none').length;
        return {ground: getComputedStyle(document.body).backgroundColor, pixel: [...canvas.getContext('2d').getImageData(4, canvas.height - 4, 1, 1).data].slice(0, 3),
            cut: scroller.scrollHeight - scroller.clientHeight, wide: canvas.clientWidth, controls: shown('#view-timeline button:not(.class), #view-timeline select, input, nav button[aria-selected=false]'), tabs: shown('nav button[aria-selected=true]')}""")


def check_axis(browser):
    """Whatever is looked at, each label of the axis of time is whole, and none lies over another."""
    browser.open(PAGE, "#view=timeline")
    cut = browser.script("""const {state, look, svg} = window.fathom, [begin, end] = [state.begin, state.end], context = document.createElement("canvas").getContext("2d"), wrong = [];
        for (let i = 0; i < 40; i++) {
            look(begin, begin + (end - begin) * (0.3 + i / 60));
            const drawing = new DOMParser().parseFromString(svg(), "image/svg+xml"), wide = Number(drawing.documentElement.getAttribute("width"));
            let used = 0;
            for (const text of drawing.querySelectorAll('text[y="13"]')) {
                context.font = `${text.getAttribute("font-size")}px ${text.getAttribute("font-family")}`;
                const from = Number(text.getAttribute("x")), to = from + context.measureText(text.textContent).width;
                if (to > wide || from < used) wrong.push([text.textContent, from, to, wide]);
                used = to;
            }
            if (!used) wrong.push("no label");
        }
        return wrong""")
    expect_equal(cut, [], f"{browser.name}: labels that are cut off")


def check_words(browser):
    """Long times are as commands print them; ranks come by number, in the places of ranks."""
    shown = browser.script("return [999e6, 119e9, 119.7e9, 487.6 * 60e9, 3599.6e9, -90061e9].map(window.fathom.duration)")
    expect_equal(shown, ["999 ms", "119 s", "2 min 00 s", "8 h 07 min", "1 h 00 min", "-25 h 01 min"], f"{browser.name}: durations")
    order = browser.script("""return window.fathom.ranksInOrder([{rank: null, proc: 0}, {rank: 2, proc: 1}, {proc: 2}, {rank: 0, proc: 3}, {rank: 1, world: 1, proc: 4}, {rank: 1, proc: 5}]).map(one => one.proc)""")
    expect_equal(order, [0, 3, 2, 5, 1, 4], f"{browser.name}: order of ranks")


def check_search(browser):
    """A text marks the calls whose function, file or process it is in, as many as dump has; rows are sorted as they say; a link keeps both."""
    browser.open(PAGE, "#view=timeline&colour=search")
    for text in ("write", "WRITERS", "no such name"):
        browser.script("const field = document.querySelector('input[aria-label=\"Mark calls with this name\"]'); field.focus(); field.select()")
        press(browser, *text)
        found = len([call for call in dump() if any(text.lower() in (name or "").lower() for name in (call["func"], call["file"], f"proc {call['proc']} writers"))])
        said = until(f"calls with {text!r}", lambda: (lambda one: one if text == browser.script("return window.fathom.state.find") else "")(browser.script("return document.querySelector('#view-timeline .colours span[role=status].quiet').textContent")))
        expect_equal(said, f"{found:,} of {len(dump()):,} calls", f"{browser.name}: calls with {text!r}")
    browser.script("location.hash = '#view=timeline&colour=search&find=close'") # narrow calls, too
    until("the marked calls", lambda: browser.script("return window.fathom.svg()").count('fill="#d55e00"') >= len(calls("close")))
    labels = browser.script("return window.fathom.run.names.rows.map(row => row.label)")
    busy = browser.script("return window.fathom.run.lanesOf.map(lanes => Math.max(...lanes.map(lane => lane.busy.reduce((a, b) => a + b, 0))))")
    for order, wanted in (("busy", sorted(range(len(labels)), key=lambda row: -busy[row])), ("name", sorted(range(len(labels)), key=lambda row: labels[row])), ("", list(range(len(labels))))):
        browser.script(f"const s = document.querySelector('select[aria-label=\"Order of rows\"]'); s.value = '{order}'; s.dispatchEvent(new Event('change'))")
        expect_equal(browser.script("return window.fathom.rowsShown()"), wanted, f"{browser.name}: rows by {order or 'number'}")
    browser.open(PAGE, "#view=timeline&rows=busy&colour=search&find=fsync")
    expect_equal(browser.script("return [window.fathom.state.rows, window.fathom.state.find, document.querySelector('select[aria-label=\"Order of rows\"]').value]"), ["busy", "fsync", "busy"], f"{browser.name}: a link")


def check_paper(browser):
    """A printed page is light, also of a dark one, shows all of its view, and has no controls."""
    browser.open(PAGE, "#view=timeline")
    dark = browser.emulate("screen", "dark") is not NotImplemented
    if dark:
        until("a dark page", lambda: sum(on_paper(browser)["pixel"]) < 150)
        expect_equal(on_paper(browser)["ground"], "rgb(20, 23, 26)", f"{browser.name}: the ground of a dark page")
    browser.script("document.querySelector('#view-timeline .scroller').style.cssText = ''; dispatchEvent(new Event('beforeprint'))")
    if dark:
        browser.emulate("print", "dark")
    paper = on_paper(browser)
    expect_equal([paper["ground"], paper["pixel"]], ["rgb(255, 255, 255)", [255, 255, 255]], f"{browser.name}: the colours of a printed page")
    expect(paper["cut"] <= 1 and 400 < paper["wide"] <= 700, f"{browser.name}: a printed page is cut: {paper}")
    if dark:
        expect_equal([paper["controls"], paper["tabs"]], [0, 1], f"{browser.name}: controls of a printed page")
        browser.emulate("screen", "dark")
    browser.script("dispatchEvent(new Event('afterprint'))")
    if dark:
        expect(sum(on_paper(browser)["pixel"]) < 150, f"{browser.name}: the page is light after it was printed")
        browser.emulate("", "light")
    browser.open(PAGE, "#view=tables")
    rows = "return Object.entries(window.fathom.run.report.tables).filter(([name, table]) => table.rows.length && document.querySelectorAll(`#view-tables [data-table=${name}] tbody tr`).length !== table.rows.length).map(([name]) => name)"
    expect(browser.script(rows), f"{browser.name}: no table is long")
    made = browser.printed()
    expect(made.startswith(b"%PDF") and len(made) > 20000, f"{browser.name}: a printed page of {len(made)} bytes")
    expect_equal(browser.script(rows), [], f"{browser.name}: tables that are not whole on paper")
    expect(not browser.script("return document.documentElement.hasAttribute('data-paper')"), f"{browser.name}: the page stays on paper")


def check_pictures(browser):
    """Each canvas of each view as SVG: XML that has the texts of the view. Sums of the rates are those of stats."""
    layers = {row["layer"]: row["calls"] for row in stats()["layers"]}
    for view in ("topology", "balance", "timeline", "profile", "files", "rates"):
        browser.open(PAGE, f"#view={view}")
        made = browser.script(f"""const texts = [];
            const make = URL.createObjectURL;
            URL.createObjectURL = blob => {{ texts.push(blob); return make(blob); }};
            for (const button of document.querySelectorAll("#view-{view} .pictures button:last-child")) button.click();
            URL.createObjectURL = make;
            window.caught = [];
            Promise.all(texts.map(blob => blob.text())).then(list => {{ window.caught = list; }});
            return texts.length""")
        expect(made >= 1, f"{browser.name}: no picture in {view}")
        for text in until("the pictures", lambda: browser.script("return window.caught.length && window.caught")):
            tree = ElementTree.fromstring(text)
            expect(tree.tag == "{http://www.w3.org/2000/svg}svg" and len(tree.findall(".//{*}text")) > 0, f"{browser.name}: {view}: {text[:200]}")
    rows = browser.script("return [...document.querySelectorAll('#view-rates [data-table=sums] tbody tr')].map(row => [...row.cells].slice(0, 2).map(cell => cell.textContent))")
    expect_equal({name: int(calls.replace(",", "")) for name, calls in rows}, layers, f"{browser.name}: sums of the rates")


def check_colours(browser):
    """The legend of each colouring counts the calls of the page; a link keeps the colouring and the class that is looked for."""
    calls = browser.script("return window.fathom.run.calls.count")
    for by in ("layer", "function", "kind", "file", "process", "outcome", "duration", "bytes"):
        browser.open(PAGE, f"#view=timeline&colour={by}")
        classes = browser.script("return [...document.querySelectorAll('.colours .class')].map(one => one.textContent)")
        expect_equal(sum(int(text.rsplit(" ", 1)[1].replace(",", "")) for text in classes), calls, f"{browser.name}: calls coloured by {by}: {classes}")
    browser.open(PAGE, "#view=timeline&colour=expression&mark=bytes%3E0")
    expect("run fathom view" in browser.script("return document.querySelector('.colours .mark').textContent"), f"{browser.name}: an expression in a file")
    browser.open(PAGE, "#view=timeline&colour=function")
    browser.script("[...document.querySelectorAll('.colours .class')].find(one => one.textContent.startsWith('write ')).click()")
    until("the address has the class", lambda: browser.script("return location.hash.includes('only=write')"))
    expect_equal(browser.script("return document.querySelectorAll('.colours [aria-pressed=true]').length"), 1, f"{browser.name}: classes that are looked for")


def check_topology(browser):
    browser.open(PAGE, "#view=topology")
    browser.script("const s = document.querySelector('#view-topology select'); s.value = 'calls'; s.dispatchEvent(new Event('change'))")
    whole = browser.script("return document.querySelector('#view-topology summary .number').textContent")
    expect_equal(int(whole.replace(",", "")), sum(row["calls"] for row in stats()["layers"]), f"{browser.name}: calls of the node")


def check_call(browser, call):
    """Zoomed to one call, by its name in the address: it is drawn, and the panel says what dump says."""
    name = call["id"]
    browser.open(PAGE, f"#view=timeline&call={name}")
    panel = until("the panel", lambda: browser.script("return document.getElementById('call').textContent"))
    for text in (call["func"], name, call["file"]):
        expect(text in panel, f"{browser.name}: {text!r} is not in the panel: {panel!r}")
    browser.script("const s = window.fathom.state, call = window.fathom.run.calls.start[s.call]; window.fathom.look(call - 1000, call + 9000)")
    begin, end = until("the window", lambda: browser.script("const s = window.fathom.state; return [s.begin, s.end]"))
    expect(begin <= call["start"] * 1e9 <= end, f"{browser.name}: the window {begin} to {end} lacks {call['start']}")
    address = until("the address has the window", lambda: browser.script("return location.hash.includes('time=') && location.hash"))
    browser.open(PAGE, address)
    again = browser.script("const s = window.fathom.state; return [s.begin, s.end, s.view, s.call >= 0]")
    expect(abs(again[0] - begin) <= 1 and abs(again[1] - end) <= 1 and again[2:] == ["timeline", True], f"{browser.name}: {address} shows {again}")


def check_keys(browser):
    browser.open(PAGE, "#view=timeline")
    browser.script("document.querySelector('canvas.timeline').focus()")
    length = "const s = window.fathom.state; return s.end - s.begin"
    whole = browser.script(length)
    press(browser, "+", "+", "+")
    expect(abs(browser.script(length) - whole / 8) <= 50, f"{browser.name}: three times + of {whole}: {browser.script(length)}")
    before = browser.script("return window.fathom.state.begin")
    press(browser, "\ue014")
    expect(browser.script("return window.fathom.state.begin") > before, f"{browser.name}: the right arrow does not move on")
    press(browser, "\ue011")
    expect_equal(browser.script(length), whole, f"{browser.name}: Home")
    press(browser, "n")
    expect(browser.script("return window.fathom.state.call") >= 0, f"{browser.name}: n chooses no call")


def check_choices(browser):
    """What single controls are set to stands in the address: who opens it sees the same."""
    shown = """return [...document.querySelectorAll('.view:not([hidden]) select, .view:not([hidden]) input')].filter(one => one.getClientRects().length)
        .map(one => [one.getAttribute('aria-label') || one.parentElement.textContent, one.type === 'checkbox' ? one.checked : one.value])"""
    for view in ("rates", "files", "profile", "topology", "balance"):
        browser.open(PAGE, f"#view={view}")
        changed = browser.script("""let count = 0;
            for (const one of document.querySelectorAll('.view:not([hidden]) select, .view:not([hidden]) input')) {
                if (!one.getClientRects().length || one.options?.length < 2 || one.type === 'text' || one.type === 'search' || one.getAttribute('aria-label') === 'Formula of') continue;
                if (one.type === 'checkbox') { one.click(); count++; continue; }
                if (one.tagName === 'SELECT') one.selectedIndex = 1; else one.value = 7;
                one.dispatchEvent(new Event(one.tagName === 'SELECT' ? 'change' : 'input'));
                count++;
            }
            return count""")
        wanted = browser.script(shown)
        address = until("the address", lambda: (lambda text: text if text.count("choice.") + text.count("file=") + text.count("model=") >= changed else None)(browser.script("return location.hash")))
        browser.open(PAGE, address)
        expect_equal(browser.script(shown), wanted, f"{browser.name}: {view}: controls of {address}")
    browser.open(PAGE, "#view=rates&choice.rates-scale=<b>&choice.nothing=1")
    expect_equal(browser.script("return document.querySelector('#view-rates select').value"), "", f"{browser.name}: a scale that is none")


def check_focus(browser):
    """Whoever comes by keys goes on where a button leads."""
    browser.open(PAGE, "#view=overview")
    focus = "return [document.querySelector('[role=tabpanel]:not([hidden])').id, Boolean(document.activeElement.closest('[role=tabpanel]:not([hidden])'))]"
    if browser.script("const one = document.querySelector('p.evidence button'); one?.focus(); return Boolean(one)"):
        press(browser, "\ue007")
        expect_equal(browser.script(focus), ["view-timeline", True], f"{browser.name}: where the focus is after evidence")
    browser.open(PAGE, "#view=overview")
    if browser.script("const one = document.querySelector('.files-of button'); one?.focus(); return Boolean(one)"):
        path = browser.script("return document.activeElement.textContent")
        press(browser, "\ue007")
        expect_equal(browser.script(focus), ["view-files", True], f"{browser.name}: where the focus is after a file")
        expect(path in browser.script("const one = document.querySelector('#view-files select[aria-label=File]'); return one.options[one.selectedIndex].textContent"), f"{browser.name}: the map is not that of {path}")
    browser.open(PAGE, "#view=tables")
    browser.script("document.querySelector('button.more:not([hidden])').focus()")
    press(browser, "\ue007")
    expect(browser.script("return document.activeElement.className") == "scroll", f"{browser.name}: the focus after all rows of a table")


def check_lists(browser, call):
    """Behind the time line stand its calls and its lanes."""
    browser.open(PAGE, f"#view=timeline&call={call['id']}")
    browser.script("for (const one of document.querySelectorAll('.calls-list, .lanes-list')) one.open = true")
    rows = until("calls in view", lambda: browser.script("document.querySelector('.calls-list button.more')?.click(); return [...document.querySelectorAll('.calls-list tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))"))
    mine = [row for row in rows if row[0] == call["id"]]
    expect(len(mine) == 1 and mine[0][2] == call["func"], f"{browser.name}: {call['id']} among the calls in view: {mine}")
    browser.open(PAGE, "#view=timeline")
    browser.script("const one = document.querySelector('.lanes-list'); one.open = true")
    got = until("lanes in view", lambda: browser.script("document.querySelector('.lanes-list button.more')?.click(); return [...document.querySelectorAll('.lanes-list tbody tr')].map(row => [row.cells[1].textContent, row.cells[3].textContent.replaceAll(',', '')])"))
    wanted = collections.Counter(layer for layer in (row["layer"] for row in dump()) if layer)
    found = collections.Counter()
    for layer, calls in got:
        found[layer] += int(calls)
    shown = browser.script("return window.fathom.rowsShown().length === window.fathom.run.names.rows.length")
    if shown:
        expect_equal(dict(found), dict(wanted), f"{browser.name}: calls of the lanes in view")


def check_markup(browser, name):
    """A file whose name is markup stands in the page as a text."""
    browser.open(PAGE, "#view=tables")
    expect(name in browser.script("return document.body.textContent"), f"{browser.name}: {name!r} is not in the page")
    expect_equal(browser.script("return document.querySelectorAll('img, iframe').length"), 0, f"{browser.name}: elements of a name")
    expect(browser.script("return window.injected === undefined"), f"{browser.name}: a name was run")


def check_hidden(browser):
    """What cannot be seen of a name, or turns what follows around, is escaped, wherever the page shows the name."""
    for view in ("overview", "timeline", "files", "profile", "balance", "tables"):
        browser.open("hidden.html", f"#view={view}")
        found = browser.script(r"""const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
            return hidden.test(document.documentElement.outerHTML) || hidden.test(document.title)""")
        expect(not found, f"{browser.name}: hidden characters in the view {view}")
    shown = r"\x1b[31mred\xe2\x80\xaegnp.exe"
    expect(f"{shown}.fathom" in browser.script("return document.title"), f"{browser.name}: the name of the trace")
    expect(any(path.endswith(f"/{shown}") for path in browser.script("return window.fathom.run.names.files")), f"{browser.name}: the name of the file")
    expect(f"/{shown}" in browser.script("return document.body.textContent"), f"{browser.name}: the name in the table")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    written = [call for call in dump() if call["func"] == "write" and call["file"]]
    longest = max(written, key=lambda call: call["end"] - call["start"])
    markup = next(row["path"] for row in stats()["files"] if "<img" in row["path"])
    for make in browsers:
        browser = make()
        try:
            browser.open(PAGE)
            check_numbers(browser)
            check_selected(browser)
            check_few_calls(browser)
            check_last_bin(browser)
            check_sentences(browser)
            check_profile(browser)
            check_files(browser)
            check_search(browser)
            check_paper(browser)
            check_pictures(browser)
            check_colours(browser)
            check_topology(browser)
            check_axis(browser)
            check_words(browser)
            check_call(browser, longest)
            check_keys(browser)
            check_choices(browser)
            check_focus(browser)
            check_lists(browser, longest)
            check_markup(browser, os.path.basename(markup))
            check_hidden(browser)
            with open(f"{browser.name}.png", "wb") as picture:
                browser.open(PAGE, "#view=timeline")
                picture.write(browser.picture())
        finally:
            browser.close()


main()
