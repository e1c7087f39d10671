"""The program `fathom` itself, for what it does better than a library: analyses as JSON, and recording."""

import json
import os
import shutil
import subprocess

_folder = os.path.dirname(os.path.abspath(__file__))


def path():
    """The program of the installation which this package belongs to, or the one of PATH. FileNotFoundError: there is none."""
    beside = os.path.normpath(os.path.join(_folder, "..", "..", "..", "..", "bin", "fathom"))
    program = beside if os.access(beside, os.X_OK) else shutil.which("fathom")
    if not program:
        raise FileNotFoundError("the program fathom is not in PATH")
    return program


def run(*arguments):
    """Runs `fathom ARGUMENTS`; a subprocess.CompletedProcess with what it printed."""
    return subprocess.run([path(), *map(os.fspath, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _output_of(name, *arguments):
    done = run(name, "--json", *arguments)
    if not done.stdout and done.returncode:
        raise ValueError(done.stderr.strip() or f"fathom {name}: exit status {done.returncode}")
    return done.stdout


def json_of(name, *arguments):
    """What `fathom NAME --json ARGUMENTS` prints. ValueError: what it complains about."""
    return json.loads(_output_of(name, *arguments))


def lines_of(name, *arguments):
    """The same for a command that prints a line of JSON for each of many things: a list."""
    return [json.loads(line) for line in _output_of(name, *arguments).splitlines()]
