"""Long tables by file, in each browser: the first rows are those of `report --json`, the page says how many there are, and runs beside each
other do not differ in what is left out."""

from browser import *
from lib import *

MOST = 5000


def check_tables(browser, wanted):
    for name in ("files", "sizes"):
        table = browser.script(f"const {{rows, all_rows}} = window.fathom.run.report.tables.{name}; return [all_rows, rows.length, rows[0], rows.at(-1)]")
        rows = wanted[name]["rows"]
        expect_equal(table, [len(rows), MOST, rows[0], rows[MOST - 1]], f"{browser.name}: table {name}")
        said = browser.script(f"return document.querySelector('#view-tables [data-table={name}]').textContent")
        expect(f"This page has the first 5,000 of {len(rows):,} rows; fathom report --csv={name} has all." in said, f"{browser.name}: {said[-300:]}")
    whole = browser.script("const {rows, all_rows} = window.fathom.run.report.tables.functions; return [all_rows === undefined, rows.length]")
    expect_equal(whole, [True, len(wanted["functions"]["rows"])], f"{browser.name}: a table that is not long")
    expect("This page has the first" not in browser.script("return document.querySelector('#view-tables [data-table=functions]').textContent"), f"{browser.name}: a table that is not long")


def check_differences(browser):
    """Of the second run's files, one is in the rows of the first run that are here, the other is not."""
    paths = browser.script("return window.fathom.differences('files', 0, 1).map(row => [row.path, row.calls_a, row.calls_b])")
    both = {path: [one, other] for path, one, other in paths if other}
    expect(os.environ["LEFT_OUT"] not in both, f"{browser.name}: a difference to what the page does not have: {both}")
    expect(all(one for one, _ in both.values()), f"{browser.name}: 0 where it is not known: {both}")
    expect_equal(browser.script("return window.fathom.differences('files', 0, 1).some(row => row.calls_b === 0)"), True, f"{browser.name}: files of the first run alone")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    with open("many.json", encoding="utf-8") as file:
        wanted = json.load(file)["tables"]
    expect(os.path.getsize("both.html") < 3 << 20, f"the page has {os.path.getsize('both.html')} bytes")
    for make in browsers:
        browser = make()
        try:
            browser.open("both.html", "#view=tables")
            check_tables(browser, wanted)
            check_differences(browser)
        finally:
            browser.close()


main()
