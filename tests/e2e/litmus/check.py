"""Builds and records each litmus program, and compares the verdict with the one that its opening comment tells.

With names of programs as arguments: only these. The table of README.md is compared with the comments, too."""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

FOLDER = os.path.join(os.environ["SOURCE"], "examples", "litmus")
FATHOM = os.environ["FATHOM"]
MODELS = ["posix", "commit", "session", "mpi-io"]
SKIPPED = 77
FLAGS = ["-std=gnu17", "-O0", "-g", "-Wall", "-Werror"]


def opening(name):
    """What the opening comment tells: {"about": ..., "ranks": ..., "posix": ...}."""
    with open(os.path.join(FOLDER, name + ".c")) as file:
        text = file.read()
    comment = re.match(r"/\* (.*?) ?\*/", text, re.S).group(1)
    about, *rest = re.split(r"\n \* (?=[a-z-]+: )", comment)
    expected = {"about": re.sub(r"\s*\n \* ", " ", about), "pairs": None, "threads": None, "names": None, "findings": None, "alone": None, "ranks": None, "record": ""}
    for line in rest:
        for word, value in re.findall(r"([a-z-]+): (.*?)(?=$|  [a-z-]+: )", line):
            if word not in expected and word not in MODELS:
                raise SystemExit(f"{name}.c: what is '{word}'?")
            expected[word] = value
    for model in MODELS:
        if expected.get(model) not in ("safe", "racy", "none", "unknown", "seen", "depends"):
            raise SystemExit(f"{name}.c: no verdict for {model}")
    return expected


def mpis():
    """[(name, compiler as words, launcher)]"""
    found = []
    for name in ("openmpi", "mpich"):
        compiler, launcher = shutil.which("mpicc." + name), shutil.which("mpirun." + name)
        if compiler and launcher:
            found.append((name, words_of(compiler), launcher))
    if not found and shutil.which("mpicc") and shutil.which("mpirun"):
        found.append(("mpi", words_of(shutil.which("mpicc")), shutil.which("mpirun")))
    return found


def words_of(compiler):
    """What an MPI's compiler command calls: it takes as long as to compile, so it is asked once."""
    return shlex.split(subprocess.run([compiler, "-show"], check=True, stdout=subprocess.PIPE, text=True).stdout)


def word_of(verdict):
    if verdict["verdict"] == "safe_as_seen":
        return "seen"
    return verdict["verdict"] if verdict["conflict_pairs"] or verdict["racing_threads"] or verdict["racing_places"] or verdict["racing_positions"] else "none"


def expected_status(found):
    return {"racy": 2, "unknown": 3, "seen": 4}.get(found["posix"], 0)


def libraries_for(name, libraries):
    """The MPI libraries that a program is tried with in turn, until one has what it needs. Which is the first depends on its name. With ALL set (the
    test long.litmus), each is a run of its own."""
    if "ALL" in os.environ:
        return [[mpi] for mpi in libraries]
    first = sum(name.encode()) % max(len(libraries), 1)
    return [libraries[first:] + libraries[:first]] if libraries else []


def precompile(compiler, name, with_mpi):
    """What nearly all programs begin with, parsed once."""
    with open(name, "w") as header:
        header.write(("#include <mpi.h>\n" if with_mpi else "") + f'#include "{os.path.join(FOLDER, "litmus.h")}"\n')
    words = [word for word in compiler if not word.startswith(("-l", "-L", "-Wl"))]
    subprocess.run([*words, *FLAGS, "-x", "c-header", "-o", name + ".gch", name], check=True)


def precompiled_for(name, mpi):
    """The options with which this program is compiled faster, if it begins so and defines nothing before."""
    with open(os.path.join(FOLDER, name + ".c")) as file:
        directives = re.findall(r"^#.*", file.read(), re.M)
    first = "#include <mpi.h>" if mpi else '#include "litmus.h"'
    if directives[0] != first or '#include "litmus.h"' not in directives:
        return []
    return ["-include", os.path.abspath(f"litmus.{mpi[0] if mpi else 'none'}.h")]


class Run:
    """One program with the first MPI library that has what it needs, or with none."""

    def __init__(self, name, expected, libraries):
        self.name, self.expected, self.libraries = name, expected, libraries
        self.complaints, self.notes = [], []
        self.choose(libraries[0] if libraries else None)

    def choose(self, mpi):
        self.mpi = mpi
        self.label = f"{self.name} ({mpi[0]})" if mpi else self.name
        self.folder = f"{self.name}.{mpi[0]}" if mpi else self.name

    def command(self, *words, **more):
        return subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120, **more)

    def run_recorded(self):
        launch = [self.mpi[2], "-n", self.expected["ranks"]] if self.mpi else []
        return self.command(FATHOM, "record", "--quiet", "-o", "trace.fathom", *self.expected["record"].split(), "--", *launch, "./program")

    def make_files(self):
        for name in set(os.listdir(self.folder)) - {"program"}:
            path = os.path.join(self.folder, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        for name in ("shared", "other"):
            with open(os.path.join(self.folder, name), "wb") as made:
                made.write(bytes(4096))

    def record(self):
        os.mkdir(self.folder)
        compiler, *libraries = self.mpi[1] if self.mpi else ["cc"]
        done = self.command(compiler, *FLAGS, *precompiled_for(self.name, self.mpi), "-o", "program", os.path.join(FOLDER, self.name + ".c"), *libraries, "-lpthread")
        if done.returncode:
            return "does not compile:\n" + done.stdout
        self.make_files()
        done = self.run_recorded()
        if done.returncode not in (0, SKIPPED) and self.mpi:
            # Once in some hundred runs Open MPI 4 crashes in MPI_Finalize, untraced as well: a thread of it calls a component that is gone.
            self.notes.append(f"ended with status {done.returncode}, and is run again:\n{done.stdout}")
            self.make_files()
            done = self.run_recorded()
        if done.returncode == SKIPPED:
            return None
        return f"status {done.returncode}:\n{done.stdout}" if done.returncode else ""

    def verify(self):
        done = self.command(FATHOM, "verify", "--json", "-o", "verdict.json", "trace.fathom")
        if done.returncode not in (0, 2, 3, 4):
            self.complaints.append(f"verify: status {done.returncode}: {done.stdout}")
            return
        with open(os.path.join(self.folder, "verdict.json")) as file:
            verdict = json.load(file)
        found = {model: word_of(verdict["models"][model]) for model in MODELS}
        self.compare_models(found)
        if done.returncode != expected_status(found):
            self.complaints.append(f"verify: status {done.returncode}, but posix is {found['posix']}")
        pairs = verdict["models"]["posix"]["conflict_pairs"]
        self.compare("pairs", self.expected["pairs"] or str(pairs), str(pairs))
        threads = sum(group["pairs"] for group in verdict["models"]["posix"]["thread_groups"])
        self.compare("threads", self.expected["threads"] or "0", str(threads))
        if self.expected["names"]:
            races = {" ".join((race["first"]["chain"] + race["second"]["chain"])) for race in verdict["names"]["groups"]}
            wanted, found = set(self.expected["names"].split()), "; ".join(sorted(races)) or "none"
            if any(wanted <= set(race.split()) for race in races):
                found = self.expected["names"]
            self.compare("names", self.expected["names"], found)
        alone = sorted(system for model in verdict["models"].values() for rule in model["alone"] if rule["violations"] for system in rule["systems"])
        self.compare("alone", self.expected["alone"] or " ".join(alone) or "none", " ".join(alone) or "none")
        kinds = sorted({finding["kind"] for finding in verdict["findings"]})
        self.compare("findings", self.expected["findings"] or "none", ", ".join(kinds) or "none")

    def compare_models(self, found):
        for model in MODELS:
            if self.expected[model] != "depends":
                self.compare(model, self.expected[model], found[model])

    def compare(self, what, expected, found):
        if expected != found:
            self.complaints.append(f"{what} is {found}, not {expected}")

    def __call__(self):
        wrong = self.record()
        for mpi in self.libraries[1:]:
            if wrong is None:
                shutil.rmtree(self.folder)
                self.choose(mpi)
                wrong = self.record()
        if wrong is None:
            self.notes.append("skipped: no MPI library that was tried has what it needs")
        elif wrong:
            self.complaints.append(wrong)
        else:
            self.verify()
        if not self.complaints:
            shutil.rmtree(self.folder)
        return self


def table(names, tells):
    lines = ["| program | what it does | posix | commit | session | mpi-io |", "|---|---|---|---|---|---|"]
    for name in names:
        expected = tells[name]
        verdicts = " | ".join(expected[model] for model in MODELS)
        lines.append(f"| [{name}]({name}.c) | {expected['about']} | {verdicts} |")
    return lines


def check_table(names, tells):
    with open(os.path.join(FOLDER, "README.md")) as file:
        there = [line.rstrip("\n") for line in file if line.startswith("|")]
    expected = table(names, tells)
    if there != expected:
        print("FAILED: the table of examples/litmus/README.md is not that of the programs, which is:", *expected, sep="\n")
    return there == expected


def main():
    names = sorted(file[:-2] for file in os.listdir(FOLDER) if file.endswith(".c"))
    tells = {name: opening(name) for name in names}
    chosen = sys.argv[1:] or names
    libraries = mpis()
    failed = not check_table(names, tells)
    runs = []
    precompile(["cc"], "litmus.none.h", False)
    for mpi in libraries:
        precompile(mpi[1], f"litmus.{mpi[0]}.h", True)
    for name in chosen:
        if tells[name]["ranks"]:
            runs += [Run(name, tells[name], some) for some in libraries_for(name, libraries)]
        else:
            runs.append(Run(name, tells[name], []))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for run in pool.map(lambda run: run(), runs):
            for text in run.notes:
                print(f"{run.label}: {text}")
            for text in run.complaints:
                print(f"FAILED: {run.label}: {text}")
                failed = True
    if not libraries:
        print("no MPI: only the programs without it were run")
    return 1 if failed or not runs else 0


sys.exit(main())
