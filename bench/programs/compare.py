"""What scripts of programs say about themselves (`#:`), and what a run of one leaves behind, ready to be compared with another run: see
bench/README.md. For bench/programs/run and bench/layers/run."""

import difflib
import hashlib
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time

PLAY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "play")

# What is the same for all: no language, no time zone, a launcher that takes root and more ranks than cores.
SURROUNDINGS = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHON": "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else "python3",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMP_NUM_THREADS": "1",
}


class Program:
    """A script, and what its comments say; a script with several variants is as many programs."""

    def __init__(self, path, variant=None):
        self.path, self.variant = path, variant
        self.name = os.path.basename(path).removesuffix(".sh") + (f"-{variant}" if variant else "")
        self.needs, self.packages, self.masks, self.ignored, self.variants = [], [], [], [], []
        self.is_long = self.is_unordered = False
        self.timeout = 120
        with open(path) as script:
            for line in script:
                if line.startswith("#:"):
                    word, _, rest = line.removeprefix("#:").strip().partition(" ")
                    self.take(word, rest.replace("VARIANT", variant or ""))

    def take(self, word, rest):
        if word == "needs":
            self.needs += rest.split()
        elif word == "package":
            self.packages += rest.split()
        elif word == "mask":
            self.masks.append(re.compile(rest.encode(), re.MULTILINE))
        elif word == "ignore":
            self.ignored.append(re.compile(rest))
        elif word == "timeout":
            self.timeout = int(rest)
        elif word == "each":
            self.variants = rest.split()
        elif word == "long":
            self.is_long = True
        elif word == "unordered":
            self.is_unordered = True
        else:
            sys.exit(f"{self.path}: what is '#: {word}'?")

    def lacks(self):
        """Why it cannot run here, or None."""
        missing = [command for command in self.needs if not shutil.which(command)]
        if missing:
            return f"no {', '.join(missing)} (package{'s' * (len(self.packages) > 1)} {', '.join(self.packages)})"
        return None

    def masked(self, content):
        for mask in self.masks:
            content = mask.sub(b"*", content)
        return content

    def command(self, what):
        return ["env", f"VARIANT={self.variant or ''}", PLAY, self.path, what]


def variants(program):
    return [Program(program.path, variant) for variant in program.variants] or [program]


class Outcome:
    """What a run left: its output, its status, its files; and how long it took."""

    def __init__(self, program, folder, command):
        started = time.monotonic()
        with open("out", "wb") as out, open("err", "wb") as err:
            running = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
            )
            try:
                self.status = running.wait(program.timeout)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGTERM)
                self.status = f"not over after {program.timeout} s"
                running.wait()
        self.seconds = time.monotonic() - started
        self.parts = {"status": [str(self.status)]}
        for name in "out", "err":
            with open(name, "rb") as file:
                lines = readable(program.masked(file.read()))
            self.parts[name] = sorted(lines) if program.is_unordered else lines
        self.said = [line for line in self.parts["err"] if line.startswith("fathom: ")]
        self.parts["err"] = [line for line in self.parts["err"] if line not in self.said]
        self.parts["files"] = files_below(program, folder)

    def difference(self, other):
        """The first part in which two runs differ, as lines; empty: they are the same."""
        for part, mine in self.parts.items():
            if mine != other.parts[part]:
                return list(difflib.unified_diff(mine, other.parts[part], part, part, lineterm="", n=1))
        return []


def readable(content):
    return content.decode(errors="backslashreplace").splitlines()


def files_below(program, folder):
    """A line for each file: its kind, its mode, what is in it."""
    lines = []
    for root, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files + folders):
            path = os.path.join(root, name)
            relative = os.path.relpath(path, folder)
            if any(ignored.search(relative) for ignored in program.ignored):
                continue
            lines.append(f"{relative} {describe(program, path)}")
    return lines


def describe(program, path):
    about = os.lstat(path)
    mode = stat.filemode(about.st_mode)
    if stat.S_ISLNK(about.st_mode):
        return f"{mode} -> {os.readlink(path)}"
    if not stat.S_ISREG(about.st_mode):
        return mode
    with open(path, "rb") as file:
        content = program.masked(file.read())
    if program.is_unordered and b"\0" not in content:
        content = b"\n".join(sorted(content.split(b"\n")))
    return f"{mode} {len(content)} bytes {hashlib.sha256(content).hexdigest()[:16]}"
