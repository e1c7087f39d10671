"""same.py ORIGINAL PROXY: do both traces have the same calls, of those that a proxy repeats: of each rank the same functions with
the same values, in the same order? Then they have the same signatures and the same grammar. Prints how many calls and
signatures; --anonymous: names are not compared; --without=FUNCTION: nor is this function."""
import json
import os
import subprocess
import sys

anonymous = "--anonymous" in sys.argv
without = {name.split("=")[1] for name in sys.argv if name.startswith("--without=")}
original, proxy = [name for name in sys.argv[1:] if not name.startswith("--")]
layers = {"posix", "stdio", "mpi", "mpiio", "hdf5", "netcdf", "pnetcdf"}


def all_calls(trace):
    """Outermost calls of the first thread, by rank."""
    lines = subprocess.run([os.environ["FATHOM"], "dump", "--json", trace], stdout=subprocess.PIPE, check=True, text=True).stdout
    by_rank = {}
    for line in lines.splitlines():
        call = json.loads(line)
        if call["depth"] == 0 and call["thread"] == 0 and call["layer"] in layers:
            by_rank.setdefault((call["rank"], call["proc"] if call["rank"] is None else 0), []).append(call)
    return by_rank


def value(name, what, call, descriptors):
    if isinstance(what, str):
        what = what.replace(os.getcwd() + "/plain/", "")
        return "a name" if anonymous and call["file"] or call["func"] in ("fputs",) else what
    if call["layer"] in ("posix", "stdio") and name in ("fd", "ret") and call["func"] in ("open", "dup", "creat"):
        return descriptors.setdefault(what, len(descriptors)) if what >= 0 else what
    return what


def signatures(calls, own):
    """Functions and values. Descriptors are numbered anew: the system gives a program without a launcher's pipes others."""
    kept = []
    for call in calls:
        if call["func"] not in own or call["error"] and call["layer"] == "mpi":
            continue
        arguments = tuple((name, json.dumps(what)) for name, what in call["args"].items() if name != "fd")
        kept.append((call["func"], arguments if not anonymous else len(arguments), call["ret"] if call["func"] != "open" else 0))
    return kept


def is_own(call):
    """Of MPI or a library above it, or on a file of the run."""
    if call["layer"] not in ("posix", "stdio"):
        return True
    return bool(call["file"]) and not call["file"].startswith(("/proc", "/sys", "/dev", "/etc", "/usr", "/lib", "pipe", "/run", "socket", "anon")) \
        and "openmpi" not in call["file"] and "pmix" not in call["file"] and "prte" not in call["file"] and "ompi." not in call["file"]


def by_rank(trace):
    return {rank: [call for call in calls if is_own(call)] for rank, calls in all_calls(trace).items()}


ours, theirs = by_rank(proxy), by_rank(original)
names = {call["func"] for calls in ours.values() for call in calls} - without
ranks = sorted({rank for rank, _ in ours if rank is not None}) or [None]
total, kinds = 0, set()
for rank in ranks:
    left = max((calls for (number, _), calls in theirs.items() if number == rank), key=len)
    right = max((calls for (number, _), calls in ours.items() if number == rank), key=len)
    left, right = signatures(left, names), signatures(right, names)
    for number, (a, b) in enumerate(zip(left, right)):
        if a != b:
            sys.exit(f"rank {rank}, call {number}:\n{a}\n{b}")
    if len(left) != len(right):
        sys.exit(f"rank {rank}: {len(left)} calls and {len(right)}: {(left + right)[min(len(left), len(right))]}")
    total += len(left)
    kinds |= set(left)
print(f"{total} calls, {len(kinds)} signatures")
