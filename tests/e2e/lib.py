"""What the checks of the end-to-end tests share: the trace $TRACE as `fathom` shows it in JSON, and questions to it."""

import functools
import json
import os
import subprocess


def fathom(*arguments):
    done = subprocess.run([os.environ["FATHOM"], *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"FAILED: fathom {' '.join(arguments)}: exit status {done.returncode}")
    return done.stdout


@functools.cache
def info():
    return json.loads(fathom("info", "--json", os.environ["TRACE"]))


@functools.cache
def stats():
    return json.loads(fathom("stats", "--json", os.environ["TRACE"]))


@functools.cache
def dump():
    return [json.loads(line) for line in fathom("dump", "--json", os.environ["TRACE"]).splitlines()]


def calls(*functions, **fields):
    """The calls to these functions whose fields and arguments have these values."""

    def matches(call):
        values = {**call["args"], **call}
        return all(values.get(name) == value for name, value in fields.items())

    return [call for call in dump() if (not functions or call["func"] in functions) and matches(call)]


def outermost(found):
    return [call for call in found if call["parent"] is None]


def processes(executable):
    """The processes whose program has this name."""
    return [process for process in info()["processes"] if os.path.basename(process["exe"]) == executable]


def file(path):
    """The row of `stats` for a file given by the end of its path, which must be there once."""
    rows = [row for row in stats()["files"] if ("/" + row["path"]).endswith("/" + path)]
    expect(len(rows) == 1, f"{len(rows)} rows in stats for the file {path}")
    return rows[0]


def function(name):
    """The row of `stats` for a function."""
    rows = [row for row in stats()["functions"] if row["func"] == name]
    expect(len(rows) == 1, f"{len(rows)} rows in stats for the function {name}")
    return rows[0]


def fail(message):
    raise SystemExit("FAILED: " + message)


def expect(condition, message):
    if not condition:
        fail(message)


def expect_equal(found, wanted, what):
    expect(found == wanted, f"{what}: found {found!r}, expected {wanted!r}")
