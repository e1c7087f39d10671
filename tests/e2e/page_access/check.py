"""What WCAG 2.1 asks of the page, in each view of each browser, light and dark: names of controls (4.1.2), keys (2.1.1), contrast of text of
4.5 to 1 (1.4.3), and nothing that only a colour says (1.4.1)."""

from browser import *
from lib import *

PAGES = {"run.html": ["overview", "timeline", "profile", "files", "rates", "samples", "topology", "verify", "balance", "tables"], "pairs.html": ["verify", "timeline"], "both.html": ["compare"]}
# Those with kinds of controls that others do not have.
BY_KEYS = ("timeline", "files", "samples", "verify", "compare")

# Controls that are seen: [index, tag, name]; `name` as browsers compute it, of the ways that the page uses.
CONTROLS = """const seen = one => one.getClientRects().length > 0 && getComputedStyle(one).visibility !== "hidden";
    const nameOf = one => (one.getAttribute("aria-label") || (one.labels && [...one.labels].map(label => label.textContent).join(" ")) || one.textContent || "").trim();
    return [...document.querySelectorAll("a, button, input, select, summary, canvas[role=application]")].filter(one => seen(one) && !one.disabled).map((one, i) => {
        one.dataset.control = i;
        return [i, one.tagName, nameOf(one), one.tabIndex];
    })"""

# Pictures without a name, and canvases that take the pointer but not the focus.
PICTURES = """return [...document.querySelectorAll("canvas")].filter(one => one.getClientRects().length && one.getAttribute("aria-hidden") !== "true" && !(one.getAttribute("role") && one.getAttribute("aria-label"))).map(one => one.className)"""

# Text with less contrast than 4.5: [text, ratio]. What is behind is the nearest ground that is not transparent.
CONTRAST = """const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
    const linear = value => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
    const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    const ratio = (one, other) => { const [a, b] = [luminance(one), luminance(other)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
    const groundOf = one => {
        for (; one; one = one.parentElement) {
            const colour = parse(getComputedStyle(one).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const bad = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let count = 0;
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const one = node.parentElement;
        if (!node.textContent.trim() || !one.getClientRects().length || ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"].includes(one.tagName)) continue;
        count++;
        const found = ratio(parse(getComputedStyle(one).color), groundOf(one));
        if (found < 4.5) bad.push([node.textContent.slice(0, 60), found]);
    }
    for (const one of document.querySelectorAll("input[placeholder], select")) {
        const style = one.tagName === "SELECT" ? getComputedStyle(one) : getComputedStyle(one, "::placeholder");
        const found = ratio(parse(style.color), groundOf(one));
        if (one.getClientRects().length && found < 4.5) bad.push([one.placeholder || one.value, found]);
    }
    return [count, bad]"""


class LightFirefox(Firefox):
    preferences = {**Firefox.preferences, "layout.css.prefers-color-scheme.content-override": 1}


class DarkFirefox(Firefox):
    preferences = {**Firefox.preferences, "layout.css.prefers-color-scheme.content-override": 0}


def begin(make, is_dark):
    """A browser whose user wants light pages, or dark ones."""
    browser = (DarkFirefox if is_dark else LightFirefox)() if make is Firefox else make()
    if browser.name == "chromium":
        browser.ask("POST", browser.session + "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]}})
    expect_equal(browser.script("return matchMedia('(prefers-color-scheme: dark)').matches"), is_dark, f"{browser.name}: dark")
    return browser


def check_keys(browser, where, controls):
    """Tab alone comes to each of them."""
    browser.script("document.activeElement.blur(); getSelection().removeAllRanges(); document.body.tabIndex = -1; document.body.focus()")
    reached = set()
    for _ in range(2 * len(controls) + 20):
        press(browser, "\ue004")
        reached.add(browser.script("return document.activeElement && document.activeElement.dataset.control"))
    missing = [control for control in controls if str(control[0]) not in reached]
    expect(not missing, f"{browser.name}: {where}: Tab does not come to {missing}")


def check_view(browser, where, with_keys):
    controls = browser.script(CONTROLS)
    expect(len(controls) >= 8, f"{browser.name}: {where}: controls {controls}")
    expect(all(name for _, _, name, _ in controls), f"{browser.name}: {where}: without a name: {[one for one in controls if not one[2]]}")
    expect(all(index >= 0 for _, _, _, index in controls), f"{browser.name}: {where}: not reached by Tab: {[one for one in controls if one[3] < 0]}")
    expect_equal(browser.script(PICTURES), [], f"{browser.name}: {where}: pictures without a name")
    count, bad = browser.script(CONTRAST)
    expect(count >= 8 and not bad, f"{browser.name}: {where}: contrast of {count} texts: {bad}")
    if with_keys and len(controls) <= 80:
        check_keys(browser, where, controls)


def check_identifiers(browser):
    """A table that several views show is in the document several times, and no two elements have the same identifier."""
    browser.open("run.html", "#view=timeline")
    views = browser.script("return [...document.querySelectorAll('[id^=view-]')].map(one => one.id.slice(5))")
    for view in views:
        browser.script(f"location.hash = '#view={view}'")
        until(view, lambda: browser.script(f"return !document.querySelector('#view-{view}').hidden"))
    twice = browser.script("const names = [...document.querySelectorAll('[id]')].map(one => one.id); return names.filter((name, at) => names.indexOf(name) !== at)")
    expect(len(views) > 4, f"{browser.name}: views {views}")
    expect_equal(twice, [], f"{browser.name}: identifiers that are there twice")


def check_without_colours(browser):
    """Lanes have the names of their layers, calls that failed a word, bars and curves a table."""
    browser.open("run.html", "#view=timeline")
    texts = browser.script("return window.fathom.svg().match(/<text[^>]*>[^<]*/g).map(text => text.replace(/.*>/, ''))")
    layers = browser.script("return window.fathom.run.names.layers.filter((_, layer) => window.fathom.run.lanes.some(lane => lane.layer === layer))")
    expect(len(layers) >= 1 and all(layer in texts for layer in layers), f"{browser.name}: layers {layers} are not among the texts of the time line: {texts}")
    for view, table in (("balance", "time_by_process"), ("rates", "sums"), ("samples", "counters")):
        browser.open("run.html", f"#view={view}")
        expect(browser.script(f"return document.querySelectorAll('#view-{view} [data-table={table}] tbody tr').length") >= 1, f"{browser.name}: {view} has no table")
    browser.open("run.html", "#view=files")
    choices = browser.script("return [...document.querySelectorAll('#view-files select[aria-label=Accesses] option')].map(one => one.textContent)")
    expect_equal(choices, ["reads and writes", "reads", "writes"], f"{browser.name}: what maps show")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    for make in browsers:
        for is_dark in (False, True):
            browser = begin(make, is_dark)
            try:
                for page, views in PAGES.items():
                    for view in views:
                        browser.open(page, f"#view={view}")
                        check_view(browser, f"{view} of {page}, {'dark' if is_dark else 'light'}", not is_dark and view in BY_KEYS)
                if not is_dark:
                    check_without_colours(browser)
                    check_identifiers(browser)
            finally:
                browser.close()


main()
