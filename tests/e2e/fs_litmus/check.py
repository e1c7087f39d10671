"""Runs litmus programs on the file system under each model: check.py PROGRAM... (none: all). SEEDS: how many seeds of --chaos are tried; RACY_SEEDS: of racy
programs, at most.

Where the opening comment of a program says safe under the model, or that there is no conflict, what its processes read and what it leaves are those of a
plain folder, with each seed. Where it says racy, a seed is looked for that shows other bytes, then one of two racy calls is held back (schedules.py), and the end tells where
none did, and why (reasons.py). Bytes count, not
the order of processes, which plain folders do not fix either: programs whose bytes differ from run to run on a plain folder are left out, and named."""
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys

import reasons
import schedules

FOLDER = os.path.join(os.environ["SOURCE"], "examples", "litmus")
FATHOM = os.environ["FATHOM"]
SEEDS, RACY_SEEDS = int(os.environ.get("SEEDS", "1")), int(os.environ.get("RACY_SEEDS", "12"))
MODELS = ["posix", "commit", "session", "mpi-io"]
ON_NODES = os.environ.get("ON_NODES")  # the command that runs a program of MPI on several nodes (run)
MORE_PLAIN = 24  # runs on a plain folder, with delays put in (delays.c), before other bytes are called wrong
# What the manual says does not go through the file system, or is refused there.
NOT_SERVED = re.compile(r"SYS_|syscall|sendfile|splice|copy_file_range|fallocate|FICLONE|ioctl|process_vm|ptrace|io_uring|posix_spawn_file_actions|fexecve|memfd|mount|unshare|chroot"
                        r"|name_to_handle|PIPE_|dlopen")

SHOWN = "but when one of the two racy calls is held back, a stale byte is seen"

# What fathom-fs(1) says is otherwise.
OTHERWISE = {"process_end_killed": "a process that a signal ends loses what it had not published"}


def source_of(name):
    with open(os.path.join(FOLDER, name + ".c")) as file:
        return file.read()


def expected_of(text):
    comment = text[: text.index("*/")]
    return {word: value.strip() for word, value in re.findall(r"([a-z-]+): (.*?)(?=$|  [a-z-]+: )", comment, re.M)}


def compiler_of(text):
    if "mpi.h" not in text:
        return ["cc"], []
    for name in ("openmpi", "mpich"):
        compiler, launcher = shutil.which("mpicc." + name), shutil.which("mpirun." + name)
        if compiler and launcher:
            shown = subprocess.run([compiler, "-show"], check=True, stdout=subprocess.PIPE, text=True).stdout
            return shlex.split(shown), [launcher]
    return None, None


def make_files(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    for name in ("shared", "other"):
        with open(os.path.join(folder, name), "wb") as made:
            made.write(bytes(4096))


def left(folder):
    """Regular files and their bytes."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


def run(name, launch, model, seed, delays=None, more=None):
    """(status, what was read, what is left); model None: a plain folder; `delays`: a library that waits at random; `more`: of the environment."""
    folder, seen = os.path.abspath(name + ".folder"), os.path.abspath(name + ".seen")
    make_files(folder)
    if os.path.exists(seen):
        os.remove(seen)
    command = [*launch, os.path.abspath(name)]
    if ON_NODES:
        command = [ON_NODES, model or "-", folder, str(seed), launch[-1], os.path.abspath(name)]
    elif model:
        command = [FATHOM, "fs", "run", "--model", model, "--under", folder, *(["--chaos", str(seed)] if seed else []), "--", *command]
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**os.environ, "LITMUS_SEEN": seen, **({"LD_PRELOAD": delays} if delays else {}), **(more or {})}, start_new_session=True)
    try:
        said = process.communicate(timeout=60)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return "hangs", [], {}, ""
    lines = []
    if os.path.exists(seen):
        with open(seen) as file:
            lines = sorted(file)
    return process.returncode, lines, left(folder), said


def is_of_plain(name, launch, found, plain):
    """Does a plain folder have these bytes as well, where its processes come in another order? Those that it has are added to `plain`."""
    delays = os.path.abspath("delays.so")
    if not os.path.exists(delays):
        subprocess.run(["cc", "-shared", "-fPIC", "-o", delays, os.path.join(os.environ["SOURCE"], "tests/e2e/fs_litmus/delays.c")], check=True)
    for i in range(MORE_PLAIN):
        if tuple(found) in plain:
            return True
        plain.append(run(name, launch, None, 0, delays if i else None)[:3])
    return tuple(found) in plain


def look_closer(name, launch, compiler, model, text, plain):
    """SHOWN: when one of two racy calls waits, other bytes are seen. Else why none can be, or None."""
    make_files(name + ".folder")
    judged, calls = reasons.recorded(name, launch, model)
    on = lambda this: lambda environment: tuple(run(name, launch, this, 0, more=environment)[:3])
    build = lambda functions: schedules.build(name, os.path.join(FOLDER, name + ".c"), compiler, functions)
    found = reasons.why_none(judged, calls, model, text, lambda group, calls: schedules.of_pair(name, group, calls, on(model), on(None), plain[0], build))
    return SHOWN if found is True else found


def check(name):
    """Lines: what is wrong; what was found of racy models, by model; why it was left out, or None."""
    text = source_of(name)
    expected = expected_of(text)
    if "litmus.h" not in text or NOT_SERVED.search(text[text.index("*/"):]):
        return [], {}, "uses what the file system does not serve"
    if name in OTHERWISE:
        return [], {}, OTHERWISE[name]
    compiler, launch = compiler_of(text)
    if compiler is None:
        return [], {}, "no MPI library"
    if ON_NODES and not launch:
        return [], {}, "its processes are of one node"
    done = subprocess.run([compiler[0], "-std=gnu17", "-O0", "-o", name, os.path.join(FOLDER, name + ".c"), *compiler[1:], "-lpthread"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        return [name + " does not compile: " + done.stdout], {}, None
    launch = [*launch, "-n", expected["ranks"]] if launch and "ranks" in expected else []
    plain = [run(name, launch, None, 0)[:3] for _ in range(2)]
    verdicts = {expected.get(model) for model in MODELS} - {"none"}
    if plain[0][0] == 0 == plain[1][0] and plain[0] != plain[1] and verdicts == {"racy"}:
        return [], {model: True for model in MODELS if expected.get(model) == "racy"}, None
    if plain[0][0] != 0 or plain[0] != plain[1]:
        return [], {}, "other bytes from run to run, or a failure, on a plain folder"
    wrong, racy = [], {}
    for model in MODELS:
        verdict = expected.get(model)
        if model == "mpi-io" and (not launch or (verdict == "none" and "MPI_File_" not in text)):
            continue
        for seed in range(1, (RACY_SEEDS if verdict == "racy" else SEEDS) + 1):
            if racy.get(model) is True:
                break
            *found, said = run(name, launch, model, seed)
            differs = tuple(found) != plain[0]
            if verdict in ("safe", "none") and differs and not is_of_plain(name, launch, found, plain):
                wrong.append(f"{name} under {model}, which is {verdict}, seed {seed}: {found} {said}, on a plain folder {plain[0]}")
            elif verdict == "racy":
                racy[model] = racy.get(model, False) or differs
        if racy.get(model) is False:
            racy[model] = look_closer(name, launch, compiler, model, text, plain) or f"not found with {RACY_SEEDS} seeds; not known whether there is one"
    return wrong, racy, None


def main():
    names = sys.argv[1:] or sorted(name[:-2] for name in os.listdir(FOLDER) if name.endswith(".c"))
    failed, shown, silent, left_out = False, {}, {}, {}
    for name in names:
        wrong, racy, why = check(name)
        for line in wrong:
            print(line, flush=True)
        failed |= bool(wrong)
        if why:
            left_out.setdefault(why, []).append(name)
        for model, found in racy.items():
            if found is True:
                shown.setdefault(model, []).append(name)
            else:
                silent.setdefault((model, found), []).append(name)
        for path in (name, name + ".seen"):
            if os.path.exists(path):
                os.remove(path)
        shutil.rmtree(name + ".folder", ignore_errors=True)
    for model, found in shown.items():
        print(f"{model}: a stale byte is seen in {len(found)} racy programs")
    for (model, why), found in sorted(silent.items()):
        print(f"{model}: no stale byte by random delays in {len(found)}: {why}: {' '.join(found)}")
    for why, found in left_out.items():
        print(f"left out, {why}: {len(found)}: {' '.join(found)}")
    if "MUST_SHOW" in os.environ:
        for pair in os.environ["MUST_SHOW"].split():
            name, model = pair.split(":")
            if name not in shown.get(model, []):
                print(f"no stale byte in {name} under {model}")
                failed = True
    return failed


sys.exit(main())
