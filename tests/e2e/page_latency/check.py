"""Percentiles and offsets in each browser: those of the page are in the class of values in which those of the calls of `dump` are: of the
whole run, of each part of it, and of the parts in a window."""

from browser import *
from lib import *

SHARES = (0.5, 0.9, 0.99, 0.999)


def class_of(value):
    """As src/base/value_class.h has it: a class for each value below 8, then eight for each power of two."""
    if value < 8:
        return value
    power = value.bit_length() - 1
    return (power - 2) * 8 + (value >> (power - 3) & 7)


def class_begin(number):
    return number if number < 8 else 8 + number % 8 << number // 8 - 1


def durations(calls):
    found = {}
    for call in calls:
        found.setdefault(call["layer"], []).append(round(call["end"] * 1e9) - round(call["start"] * 1e9))
    return {layer: sorted(list) for layer, list in found.items()}


def expect_percentile(ns, list, share, what):
    """Not outside of the class of the first duration that so many are no longer than."""
    number = class_of(list[min(len(list) - 1, max(0, -(-round(share * len(list) * 1e6) // 10**6) - 1))])
    expect(class_begin(number) - 1 <= ns <= class_begin(number + 1) + 1, f"{what}: {ns} ns, not from {class_begin(number)} to {class_begin(number + 1)}")


def check_rows(browser, calls, what):
    rows = browser.script("return window.fathom.latency()")
    wanted = durations(calls)
    expect_equal({row["layer"]: row["calls"] for row in rows}, {layer: len(list) for layer, list in wanted.items()}, f"{browser.name}: {what}: calls")
    for row in rows:
        for share in SHARES:
            expect_percentile(row[f"at_{share}"] * 1e9, wanted[row["layer"]], share, f"{browser.name}: {what}: {row['layer']} at {share}")


def part_of(names, call):
    return min(names["parts"] - 1, max(0, (round(call["start"] * 1e9) - names["begin"]) // names["part_width"]))


def check_parts(browser, calls, names):
    """A pixel for each part: its value is the percentile of the calls that began in it; none where there are none."""
    browser.script(f"window.fathom.look({names['begin']}, {names['end']})")
    width = (names["end"] - names["begin"]) / names["part_width"]
    pixels = 8 * int(width)
    for layer, values in browser.script(f"return window.fathom.latencyOver(0.9, {pixels})"):
        lists = {}
        for call in calls:
            if call["layer"] == layer:
                lists.setdefault(part_of(names, call), []).append(call)
        checked = 0
        for x, value in enumerate(values):
            first, last = int(x * width / pixels), int((x + 1) * width / pixels - 1e-9)
            if first != last:
                continue
            if first not in lists:
                expect_equal(value, 0, f"{browser.name}: {layer}: nothing began in part {first}")
                continue
            expect_percentile(value, durations(lists[first])[layer], 0.9, f"{browser.name}: {layer}: part {first}")
            checked += 1
        expect(checked >= len(lists), f"{browser.name}: {layer}: {checked} pixels of {len(lists)} parts")


def check_windows(browser, calls, names):
    for first, behind in ((0, 5), (20, 21), (7, 200)):
        begin = names["begin"] + first * names["part_width"]
        browser.script(f"window.fathom.look({begin}, {min(names['end'], names['begin'] + behind * names['part_width'])})")
        end = min(behind, 1 + (names["end"] - names["begin"] - 1) // names["part_width"])
        check_rows(browser, [call for call in calls if first <= part_of(names, call) < end], f"parts {first} to {end}")


def check_offsets(browser, calls):
    functions = browser.script("return window.fathom.run.names.functions.map(one => `${one.name} ${one.layer}`)")
    layers = browser.script("return window.fathom.run.names.layers")
    wanted = {}
    for call in calls:
        if call["ranges"]:
            key = f"{call['func']} {layers.index(call['layer'])}"
            wanted.setdefault(key, []).append(class_of(min(first for first, _ in call["ranges"])))
    expect({key.split()[0] for key in wanted} >= {"pwrite", "pread", "write"}, f"functions: {set(wanted)}")
    for key, name in enumerate(functions):
        found = browser.script(f"return (window.fathom.run.histograms[{key}] || {{offsets: []}}).offsets")
        numbers = wanted.get(name, [])
        expect_equal(found, [[number, numbers.count(number)] for number in sorted(set(numbers))], f"{browser.name}: offsets of {name}")


def check_picture(browser):
    browser.script("window.fathom.look(0, 1e18); location.hash = '#view=profile'")
    until("the flame graph", lambda: browser.script("return document.querySelector('#view-profile canvas.flame').clientWidth"))
    browser.script("document.querySelector('canvas.flame').focus()")
    press(browser, "\ue014")
    def seen():
        return browser.script("return [...document.querySelectorAll('#view-profile h3')].map(one => one.textContent)")
    for _ in range(12):
        if any("Where in their files accesses by" in title for title in seen()):
            break
        press(browser, "\ue014")
    expect(any("Where in their files accesses by" in title for title in seen()), f"{browser.name}: titles {seen()}")
    browser.script("document.querySelector('#view-profile .side').scrollIntoView()")
    with open(f"profile-{browser.name}.png", "wb") as made:
        made.write(browser.picture())
    browser.open("run.html", "#view=rates")
    browser.script("const made = document.querySelector('#view-rates select[aria-label=Percentile]'); made.value = '0.99'; made.dispatchEvent(new Event('change')); made.scrollIntoView()")
    expect(browser.script("return document.querySelector('#view-rates [data-table=latency]').textContent.includes('99 %')"), f"{browser.name}: the table")
    with open(f"rates-{browser.name}.png", "wb") as made:
        made.write(browser.picture())


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    calls = [json.loads(line) for line in fathom("dump", "--json", "--ranges", os.environ["TRACE"]).splitlines()]
    for make in browsers:
        browser = make()
        try:
            browser.open("run.html", "#view=rates")
            names = browser.script("const {begin, end, parts, part_width} = window.fathom.run.names; return {begin, end, parts, part_width}")
            check_rows(browser, calls, "the whole run")
            check_parts(browser, calls, names)
            check_windows(browser, calls, names)
            check_offsets(browser, calls)
            check_picture(browser)
        finally:
            browser.close()


main()
