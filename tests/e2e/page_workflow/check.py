"""What the view Workflow shows, in each browser, and where it leads."""

import json
import os
import subprocess

from browser import installed, press

VIEW = ".view.workflow"
SHOWN = json.loads(subprocess.check_output([os.environ["FATHOM"], "workflow", "show", "--json", "many.fathom"]))


def click_step(browser, step):
    browser.script(f"[...document.querySelectorAll('{VIEW} td button')].find(one => one.textContent === '{step}').click()")


def check_contents(browser):
    counts = browser.script(f"return ['svg', '.tab', 'input[type=radio]', 'img'].map(what => document.querySelectorAll('{VIEW} ' + what).length)")
    assert counts == [3, 7, 7, 0], counts
    assert not browser.script("return window.injected")
    assert browser.script(f"return document.querySelector('{VIEW} svg').querySelectorAll('[data-box]').length") == len(SHOWN["graph"])
    steps = browser.script(f"return [...document.querySelectorAll('{VIEW} td button')].map(one => Number(one.textContent))")
    assert {row["step"] for row in SHOWN["steps"]} <= set(steps), steps


def check_ways(browser):
    """A step leads to its processes, and to no others; so does a box, by the keyboard."""
    sort = next(row for row in SHOWN["steps"] if row["program"] == "sort" and row["command"].count(" ") == 1)
    click_step(browser, sort["step"])
    chosen, view = browser.script("return [fathom.state.procs, fathom.state.view]")
    assert sort["proc"] in chosen and len(chosen) <= 2 and view == "timeline", (sort, chosen, view)
    browser.script(f"document.getElementById('tab-workflow').click(); document.querySelector('{VIEW} [data-box=\"0\"]').focus()")
    press(browser, "\ue007")
    chosen, view = browser.script("return [fathom.state.procs, fathom.state.view]")
    assert chosen and sort["proc"] not in chosen and view == "timeline", (chosen, view)


for kind in installed():
    browser = kind()
    try:
        browser.open("one.html")
        assert browser.script("return document.getElementById('tab-workflow') === null"), browser.name
        browser.open("many.html", "#view=workflow")
        check_contents(browser)
        check_ways(browser)
    finally:
        browser.close()
