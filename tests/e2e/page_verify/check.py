"""The view Verify, in each browser: facts and words are those of `fathom verify`, also where it is not safe or not known; a click shows
both calls of a pair in the time line; a page without a verdict says how to get one."""

import subprocess

from browser import *
from lib import *
from server import *

VIEW = "document.querySelector('#view-verify')"
# What the first sentence and the line of posix say of each trace.
VERDICTS = {"unordered": "racy", "flagged": "not known", "moved": "not known", "ordered": "safe", "partly": "safe as far as was seen"}


def verify(trace, *options):
    """What it prints; its exit status is the verdict."""
    done = subprocess.run([os.environ["FATHOM"], "verify", *options, trace], stdout=subprocess.PIPE, text=True)
    expect(done.returncode in (0, 2, 3, 4), f"verify {trace}: {done.returncode}")
    return done.stdout


def facts_of(trace):
    facts = json.loads(verify(trace, "--json"))
    facts.pop("seconds")
    return facts


def text_of(browser):
    return " ".join(browser.script(f"return {VIEW}.textContent").split())


def check_verdict(browser, how):
    """The page of this trace is open."""
    trace, text = f"{how}.fathom", verify(f"{how}.fathom")
    facts = until("the verdict", lambda: browser.script("return window.fathom.run.verdict && window.fathom.run.verdict.facts"))
    facts.pop("seconds")
    expect_equal(facts, facts_of(trace), f"{browser.name}: {how}: facts")
    shown = until("the sentence", lambda: browser.script(f"const h = {VIEW}.querySelector('h2.verdict'); return h && h.textContent"))
    expect_equal(shown, text.splitlines()[0], f"{browser.name}: {how}: the sentence")
    rows = browser.script(f"return [...{VIEW}.querySelectorAll('[data-table=models] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    expect_equal(sorted(row[0] for row in rows), sorted(facts["models"]), f"{browser.name}: {how}: models")
    expect_equal(rows[0][1][2:], VERDICTS[how], f"{browser.name}: {how}: the verdict under posix")
    for name, word, pairs, _ in rows:
        line = " ".join(f"{name} {word.lstrip('✓✗? ')} {pairs}".split())
        expect(any(" ".join(one.split()) == line for one in text.splitlines()), f"{browser.name}: {how}: {line!r} is not in {text}")
    said = text_of(browser)
    for line in text.splitlines():
        if line.startswith(("Safe on", "Safe as far", "Not safe on", "Not known", "Not seen", "Accesses", "Compared", "The verdict is")):
            expect(" ".join(line.split()) in said, f"{browser.name}: {how}: {line!r} is not in {said!r}")
    files = browser.script(f"return [...{VIEW}.querySelectorAll('[data-table=verdict-files] tbody tr')].map(row => [row.cells[0].textContent, row.cells[1].textContent.slice(2), row.cells[2].textContent])")
    words = {"safe": "safe", "safe_as_seen": "safe as far as was seen", "unknown": "not known", "racy": "racy"}
    expect_equal(files, [[row["file"], words[row["verdict"]], row["weakest"] or "none"] for row in facts["by_file"]], f"{browser.name}: {how}: files")
    for group in facts["models"]["posix"]["groups"]:
        for text in (group["missing"], group["repair"], group["why_unsure"] if group["unsure"] else "", group["first"]["id"], group["second"]["id"]):
            expect(" ".join((text or "").split()) in said, f"{browser.name}: {how}: {text!r} is not in {said!r}")
        expect(("not known, because" in said) == (group["why_unsure"] is not None), f"{browser.name}: {how}: because")
    check_conflicts(browser, how, facts)
    check_words(browser, how)
    expect(browser.script("return window.injected === undefined && !document.querySelector('img')"), f"{browser.name}: a name was run")
    return facts


def check_conflicts(browser, how, facts):
    """The table of conflicts has a row of each group of the models that are spelled out, posix among them: its pair, why, and what to do."""
    rows = browser.script(f"return [...{VIEW}.querySelectorAll('[data-table=conflict-groups] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    wanted = {name: [[name, group["file"], group["first"]["id"], group["second"]["id"], (group["why_unsure"] if group["unsure"] else group["missing"]) or "", group["repair"] or ""]
                     for group in known["groups"] + known["thread_groups"]] for name, known in facts["models"].items()}
    shown = {name: [row[:2] + row[3:7] for row in rows if row[0] == name] for name in wanted}
    expect_equal(sum(map(len, shown.values())), len(rows), f"{browser.name}: {how}: models of the table of conflicts")
    expect_equal(shown["posix"], wanted["posix"], f"{browser.name}: {how}: conflicts under posix")
    expect(all(not got or got == wanted[name] for name, got in shown.items()), f"{browser.name}: {how}: conflicts: {shown}")
    expect(all(row[2] and row[-1] == "Show" for row in rows), f"{browser.name}: {how}: rows of conflicts: {rows}")


def check_words(browser, how):
    """Names of models and verdicts stay whole, however narrow the page is."""
    for width in 1280, 800, 500:
        browser.script(f"document.body.style.width = '{width}px'")
        broken = browser.script(f"""
            const broken = [], range = document.createRange();
            for (const cell of {VIEW}.querySelectorAll('[data-table=models] td, [data-table=conflict-groups] td:first-child, [data-table=verdict-files] td:not(:first-child)'))
                for (const text of cell.childNodes)
                    for (const word of text.textContent.matchAll(/[A-Za-z]+/g)) {{
                        range.setStart(text, word.index);
                        range.setEnd(text, word.index + word[0].length);
                        if (range.getClientRects().length > 1) broken.push(word[0]);
                    }}
            return broken""")
        expect_equal(broken, [], f"{browser.name}: {how}: words that break at {width} pixels")
    browser.script("document.body.style.width = ''")


def check_pair(browser, facts):
    """By keys alone: the button of the first pair has the focus; its calls are marked in the time line, also by the link."""
    group = facts["models"]["posix"]["groups"][0]
    browser.script(f"{VIEW}.querySelector('.pair > p button').focus()")
    press(browser, "\ue007")
    for again in range(2):
        until("the pair is painted", lambda: browser.script("return window.fathom.pair().filter(box => box && box.width >= 3).length === 2"))
        shown = browser.script("const s = window.fathom.state; return [s.view, s.begin, s.end, s.procs, window.fathom.pair().map(box => box.id)]")
        expect_equal(shown[0], "timeline", f"{browser.name}: the view of a pair")
        for which in ("first", "second"):
            expect(shown[1] <= group[which]["start"] * 1e9 and group[which]["end"] * 1e9 <= shown[2] + 1, f"{browser.name}: {which} is not in {shown}")
        expect_equal(shown[3], sorted({group["first"]["proc"], group["second"]["proc"]}), f"{browser.name}: processes of the pair")
        expect_equal(shown[4], [group["first"]["id"], group["second"]["id"]], f"{browser.name}: the pair")
        panel = until("the panel", lambda: browser.script("return document.getElementById('call').textContent"))
        expect(group["first"]["id"] in panel, f"{browser.name}: the panel has {panel!r}")
        address = until("the address has the pair", lambda: browser.script("return location.hash.includes('pair=') && location.href"))
        if not again:
            expect(browser.script("return document.activeElement.className === 'timeline' && scrollY === 0"), f"{browser.name}: the time line is not looked at")
            with open(f"pair-{browser.name}.png", "wb") as picture:
                picture.write(browser.picture())
            browser.go("about:blank")
            browser.go(address)
            until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")
    browser.script("document.querySelector('canvas.timeline').focus()")
    press(browser, "\ue00c")
    expect_equal(browser.script("return window.fathom.state.pair"), [], f"{browser.name}: Escape")


def check_positions(browser, facts):
    """A race on a file position is listed with its calls, which a click shows in the time line."""
    [race] = facts["position_races"]
    said = text_of(browser)
    for text in ("Races on file positions", race["file"], f"{race['times']} accesses at a shared file position", race["first"]["id"], race["second"]["id"], race["missing"], race["repair"]):
        expect(" ".join(text.split()) in said, f"{browser.name}: {text!r} is not in {said!r}")
    browser.script(f"[...{VIEW}.querySelectorAll('.pair > p button')].at(-1).click()")
    until("the calls", lambda: browser.script("return window.fathom.pair().map(box => box && box.id)") == [race["first"]["id"], race["second"]["id"]])


def ranges_of(trace, call):
    lines = [json.loads(line) for line in fathom("dump", "--ranges", "--json", "--call", call, trace).splitlines()]
    return next(line for line in lines if line["id"] == call)["ranges"]


def between_of(trace, group):
    """Calls of the two threads between the two accesses: on the file, or on processes."""
    begin, end, found = group["first"]["end"], group["second"]["start"], []
    for line in fathom("dump", "--json", trace).splitlines():
        call = json.loads(line)
        which = [group["first"]["proc"], group["second"]["proc"]].index(call["proc"]) if call["proc"] in (group["first"]["proc"], group["second"]["proc"]) else -1
        of_file = call["kind"] in ("open", "close", "sync") and call["file"] == group["file"]
        if which >= 0 and call["end"] >= begin and call["start"] <= end and (of_file or call["kind"] in ("process", "wait")):
            found.append((call["id"], call["func"], which == 0))
    return sorted(found)


def check_accesses(browser, how, facts):
    """By keys: a picture of the two accesses of the first pair, whose bytes and calls are those of `dump --ranges`; the words stand below it."""
    trace, group = f"{how}.fathom", facts["models"]["posix"]["groups"][0]
    browser.script(f"{VIEW}.querySelector('.pair summary').focus()")
    press(browser, "\ue007")
    shown = until("the picture", lambda: browser.script("return window.fathom.pairsPictured().at(-1)"))
    until("its words", lambda: browser.script(f"return {VIEW}.querySelector('.pair .accesses dl')"))
    expect_equal(shown["range"], group["range"], f"{browser.name}: {how}: the shared bytes")
    for which, access in zip(("first", "second"), shown["accesses"]):
        expect_equal(access["id"], group[which]["id"], f"{browser.name}: {how}: {which}")
        expect_equal([[one["offset"], one["length"]] for one in access["groups"]], ranges_of(trace, access["id"]), f"{browser.name}: {how}: bytes of the {which}")
    wanted = between_of(trace, group)
    expect(wanted, f"{how}: no call is between the two")
    expect_equal(sorted((one["call"], one["name"], one["first"]) for one in shown["between"]), wanted, f"{browser.name}: {how}: calls between")
    words = browser.script(f"return {VIEW}.querySelector('.pair .accesses').textContent")
    expect("bytes 0 to 99" in words and all(name in words for _, name, _ in wanted), f"{browser.name}: {how}: {words}")
    size = browser.script(f"const {{width, height}} = {VIEW}.querySelector('.pair .accesses canvas'); return [width, height]")
    expect(size[0] > 300 and size[1] > 80, f"{browser.name}: {how}: a picture of {size}")
    browser.script(f"{VIEW}.querySelector('.pair .accesses').scrollIntoView()")
    with open(f"accesses-{browser.name}.png", "wb") as picture:
        picture.write(browser.picture())
    browser.script("scrollTo(0, 0)")


def check_map(browser, how):
    """The view of files has the conflicts of `verify --json`, at their places, under each model; the choice is made by keys, and a link keeps it."""
    facts = facts_of(f"{how}.fathom")
    browser.script("window.fathom.state.pair.length = 0; location.hash = '#view=files'")
    until("the map", lambda: browser.script("return document.querySelector('#view-files select[aria-label=\"Conflicts under\"]')"))
    for model, known in facts["models"].items():
        browser.script("document.querySelector('#view-files select[aria-label=\"Conflicts under\"]').focus()")
        press(browser, *("\ue011" + "\ue015" * (1 + list(facts["models"]).index(model))))
        until(f"conflicts under {model}", lambda: browser.script(f"return window.fathom.state.model === {json.dumps(model)} && document.querySelector('#view-files p[role=status]').textContent.includes({json.dumps('under ' + model)})"))
        groups = known["groups"] + known["thread_groups"]
        painted = browser.script("return window.fathom.conflicts()")
        expect_equal([[one["first"], one["second"], one["range"]] for one in painted], [[one["first"]["id"], one["second"]["id"], one["range"]] for one in groups], f"{browser.name}: {how}: conflicts under {model}")
        rows = browser.script("return [...document.querySelectorAll('#view-files [data-table=conflicts] tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
        expect_equal([[row[2], row[3], row[4], row[5], row[6]] for row in rows], [[str(one["pairs"]), str(one["range"][0]), str(one["range"][1] - 1), one["first"]["id"], one["second"]["id"]] for one in groups], f"{browser.name}: {how}: the table under {model}")
        for place in painted:
            expect(all(box and box["wide"] >= 3 and box["high"] >= 3 for box in place["boxes"]), f"{browser.name}: {how}: a frame is missing: {place}")
    browser.script("const s = document.querySelector('#view-files select[aria-label=Against]'); s.value = 'process'; s.dispatchEvent(new Event('change'))")
    browser.script("const s = document.querySelector('#view-files select[aria-label=\"Conflicts under\"]'); s.value = 'posix'; s.dispatchEvent(new Event('change'))")
    until("the link", lambda: browser.script("return location.hash.includes('model=posix')"))
    boxes = until("frames", lambda: browser.script("return window.fathom.conflicts().length && window.fathom.conflicts()[0].boxes"))
    expect(boxes[0]["left"] != boxes[1]["left"] and boxes[0]["top"] == boxes[1]["top"], f"{browser.name}: {how}: columns of processes: {boxes}")
    with open(f"map-{browser.name}.png", "wb") as picture:
        picture.write(browser.picture())
    expect(browser.script("return window.injected === undefined && !document.querySelector('img')"), f"{browser.name}: a name was run")


def check_served(browser, how):
    if "server of view: by" not in fathom("--version"):
        return
    server = Server("--no-browser", f"{how}.fathom")
    try:
        browser.go("about:blank")
        browser.go(server.address + "#view=verify")
        until("the page is there", lambda: browser.script("return document.documentElement.dataset.ready") == "yes")
        facts = check_verdict(browser, how)
        check_accesses(browser, how, facts)
        if how == "unordered":
            check_pair(browser, facts)
        browser.go("about:blank")
        browser.go(server.address + "#view=files&model=posix")
        painted = until("conflicts", lambda: browser.script("return window.fathom && window.fathom.conflicts()"))
        expect_equal([one["range"] for one in painted], [one["range"] for one in facts["models"]["posix"]["groups"]], f"{browser.name}: conflicts from the server")
    finally:
        server.end()


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    for make in browsers:
        browser = make()
        try:
            for how in VERDICTS:
                browser.open(f"{how}.html", "#view=verify")
                facts = check_verdict(browser, how)
                if how in ("unordered", "flagged"):
                    check_accesses(browser, how, facts)
                if how == "unordered":
                    check_pair(browser, facts)
                if how == "moved":
                    check_positions(browser, facts)
                if how in ("unordered", "flagged"):
                    browser.open(f"{how}.html", "#view=files")
                    check_map(browser, how)
            browser.open("without.html", "#view=files&model=posix")
            expect("fathom report --html --verify" in browser.script("return document.querySelector('#view-files p[role=status]').textContent"), f"{browser.name}: conflicts without a verdict")
            browser.open("without.html", "#view=verify")
            expect("fathom report --html --verify" in text_of(browser), f"{browser.name}: without a verdict: {text_of(browser)!r}")
            check_served(browser, "unordered")
            check_served(browser, "flagged")
        finally:
            browser.close()


main()
