"""The form is opened, filled in, made longer and shorter by the mouse and the keyboard, as a person does. What it writes is a template's hints: the
command takes them, and says of each line what was meant."""

import json
import subprocess

from browser import *
from lib import *

PROGRAM = """#include <mpi.h>
static TYPE buffer[8 * 9 * 10];
int main(int argc, char **argv)
{
int rank;
MPI_Init(&argc, &argv);
MPI_Comm_rank(MPI_COMM_WORLD, &rank);
HINTS
MPI_Finalize();
return 0;
}
"""


def click(browser, selector):
    """The left button of the mouse, in the middle of what is shown there."""
    place = browser.script(f"""const found = document.querySelector({json.dumps(selector)});
        found.scrollIntoView({{block: "center"}}); const at = found.getBoundingClientRect();
        return [at.x + at.width / 2, at.y + at.height / 2]""")
    move = {"type": "pointerMove", "duration": 0, "x": round(place[0]), "y": round(place[1])}
    browser.actions([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
                      "actions": [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])


def fill(browser, selector, text):
    """Clicks into a field, selects what is there, and types."""
    click(browser, selector)
    browser.actions([{"type": "key", "id": "keys", "actions": [
        {"type": "keyDown", "value": "\ue009"}, {"type": "keyDown", "value": "a"}, {"type": "keyUp", "value": "a"},
        {"type": "keyUp", "value": "\ue009"}]}])
    press(browser, *(text or ["\ue017"]))
    expect_equal(browser.script(f"return document.querySelector({json.dumps(selector)}).value"), text, f"{browser.name}: what was typed")


def choose(browser, selector, value):
    """An entry of a list, by the keyboard: up and down."""
    steps = browser.script(f"""const list = document.querySelector({json.dumps(selector)}); list.focus();
        return [...list.options].findIndex(option => option.value === {json.dumps(value)}) - list.selectedIndex""")
    press(browser, *(["\ue015"] * steps if steps > 0 else ["\ue013"] * -steps))
    expect_equal(browser.script(f"return document.querySelector({json.dumps(selector)}).value"), value, f"{browser.name}: what was chosen")


def hints(browser):
    return browser.script("return document.getElementById('hints').value")


def wrong(browser):
    return browser.script("return document.getElementById('wrong').textContent")


def generates(browser, text, kind):
    """The choices for a program with these hints, which has to be accepted."""
    name = f"{browser.name}.in.c"
    with open(name, "w", encoding="utf-8") as template:
        template.write(PROGRAM.replace("HINTS", text).replace("TYPE", kind))
    done = subprocess.run([os.environ["FATHOM"], "generate", name, "--json", "--force", "-o", f"{browser.name}.c"], capture_output=True, text=True)
    expect_equal(done.returncode, 0, f"{browser.name}: hints of the form are refused: {done.stderr}{text}")
    return json.loads(done.stdout)


def check_first(browser):
    expect_equal(browser.script("return document.getElementById('form').open"), False, f"{browser.name}: the form is closed at first")
    click(browser, "#form summary")
    expect(browser.script("return document.getElementById('form').open"), f"{browser.name}: a click does not open the form")
    said = generates(browser, hints(browser), "double")
    expect_equal((said["library"], len(said["accesses"])), ("hdf5", 1), f"{browser.name}: as it is at first")
    expect_equal(wrong(browser), "", f"{browser.name}: nothing is wrong at first")


def check_filled(browser):
    choose(browser, "#library", "mpiio")
    fill(browser, "#file", "grid.dat")
    fill(browser, "#processes", "8")
    fill(browser, "#name", "pressure")
    choose(browser, "#type", "float")
    fill(browser, "#unit", "Pa")
    click(browser, "#more")
    for row, values in enumerate((("z", "16", "rank / 4 * 8", "8"), ("y", "18", "rank / 2 % 2 * 9", "9"), ("x", "20", "rank % 2 * 10", "10")), 1):
        for column, value in enumerate(values, 1):
            fill(browser, f"#dimensions tbody tr:nth-child({row}) td:nth-child({column}) input", value)
    expect_equal(wrong(browser), "", f"{browser.name}: nothing is wrong")
    text = hints(browser)
    for line in ("library: mpiio;", 'file: "grid.dat";', "processes: 8;", "z: 16;", "pressure: float, 3, z, y, x;", 'unit: pressure, char, "Pa";',
                 "array: rank, pressure, rank / 4 * 8, 8, rank / 2 % 2 * 9, 9, rank % 2 * 10, 10, buffer;"):
        expect(line in text.splitlines(), f"{browser.name}: no line '{line}' in {text}")
    said = generates(browser, text, "float")
    expect_equal((said["library"], said["accesses"][0]["two_phase"]), ("mpiio", True), f"{browser.name}: blocks interleave")
    choose(browser, "#access", "read")
    text = hints(browser)
    expect("mode: read;" in text and "#begin_read" in text and "unit:" not in text, f"{browser.name}: reading: {text}")
    choose(browser, "#access", "write")


def check_shorter(browser):
    for _ in range(5): # one is left
        click(browser, "#less")
    expect_equal(browser.script("return document.querySelectorAll('#dimensions tbody tr').length"), 1, f"{browser.name}: dimensions that are left")
    expect("pressure: float, 1, z;" in hints(browser), f"{browser.name}: {hints(browser)}")


def check_wrong(browser):
    first = "#dimensions tbody tr:nth-child(1) td:nth-child({}) input"
    for selector, bad, good, why in (
            ("#name", "2nd", "pressure", "begins with no digit: '2nd'"), ("#name", "io_field", "pressure", "Names that begin with io"),
            ("#processes", "0", "8", "at least 1"), ("#file", 'a"b', "grid.dat", "has one of ; # and quotes"),
            (first.format(2), "", "64", "A field is empty"), (first.format(3), "1; 2", "rank * 8", "has one of ; # and quotes"),
            ("#unit", "\\", "Pa", "The unit or the file has a quote or a backslash"),
            ("#file", "a\\", "grid.dat", "The unit or the file has a quote or a backslash")):
        fill(browser, selector, bad)
        expect(why in wrong(browser), f"{browser.name}: '{bad}' in {selector}: {wrong(browser)!r}")
        expect_equal(hints(browser), "", f"{browser.name}: hints in spite of '{bad}'")
        fill(browser, selector, good)
        expect_equal(wrong(browser), "", f"{browser.name}: '{good}' in {selector}")
    fill(browser, "#unit", "m; #2, K")
    generates(browser, hints(browser), "float")
    fill(browser, "#buffer", "<img src=x onerror=window.injected=1>")
    expect(browser.script("return window.injected === undefined && !document.querySelector('img')"), f"{browser.name}: what was typed was run")


def main():
    browsers = installed()
    if not browsers:
        print("skipped: no browser")
        raise SystemExit(77)
    for make in browsers:
        browser = make()
        try:
            browser.open("page.html")
            check_first(browser)
            check_filled(browser)
            check_shorter(browser)
            check_wrong(browser)
        finally:
            browser.close()
        print(browser.name)


main()
