"""Why the file system shows no stale byte of a program that is racy under a model: from a recording of the program on a plain folder, and from what fathom-fs(1)
says that the file system does besides what the model asks for."""
import json
import os
import re
import subprocess

FATHOM = os.environ["FATHOM"]
LOCKS = {"flock", "lockf", "lock"}
STARTS = {"fork", "vfork", "clone", "execve", "execv", "execvp", "execvpe", "execle", "execl", "execlp", "fexecve", "posix_spawn", "posix_spawnp", "popen", "system"}
CLOSES = {"close", "fclose", "dup2", "dup3", "freopen"}
OPENS = {"open", "open64", "openat", "fopen", "fopen64", "creat", "freopen"}
ENDS = {"exit", "_exit", "_Exit", "quick_exit"}
WAITS_FOR_ENDS = {"wait", "waitpid", "waitid", "wait3", "wait4", "pclose", "system"}
# Calls of MPI at which all ranks of a handle publish, wait for each other, and fetch.
TOGETHER = {"MPI_File_open", "MPI_File_sync", "MPI_File_close", "MPI_File_set_size"}
HIDDEN_WAITS = re.compile(r"wait_for_name|usleep|nanosleep|\bsleep\(")


def all_calls(trace):
    text = subprocess.run([FATHOM, "dump", "--json", trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
    return [json.loads(line) for line in text.splitlines()]


def by_process(calls):
    """[(start in s, name, parameters, end)] of each."""
    found = {}
    for call in calls:
        name, rest = call["func"], json.dumps([call["args"], call["names"], call["file"]])
        if name == "fcntl" and re.search(r"F_(OFD_)?SETLKW?", rest):
            name = "lock"
        found.setdefault(call["proc"], []).append((call["start"], name, rest, call["end"]))
    return found


class Pair:
    """Two accesses that are racy, with what their processes called."""

    def __init__(self, group, calls):
        self.file, self.first, self.second = group["file"], group["first"], group["second"]
        self.writer, self.reader = calls.get(self.first["proc"], []), calls.get(self.second["proc"], [])

    def between(self, calls, names, since=None):
        since = self.first["end"] if since is None else since
        return [call for call in calls if since <= call[0] <= self.second["start"] and call[1] in names]

    def together(self):
        """The reader may have begun the call before the write, and waits in it. A file that is cut off by such a call is so on all ranks."""
        if self.first["chain"][0] in TOGETHER:
            return "all ranks publish, wait for each other and fetch in " + self.first["chain"][0]
        calls = self.between(self.writer, TOGETHER)
        fetched = calls and [call for call in self.reader if call[1] == calls[0][1] and call[3] >= calls[0][0] and call[3] <= self.second["start"]]
        return fetched and "all ranks publish, wait for each other and fetch in " + calls[0][1]

    def atomic(self):
        atomic = [any(call[1] == "MPI_File_set_atomicity" for call in calls) for calls in (self.writer, self.reader)]
        return all(atomic) and "after MPI_File_set_atomicity the file system publishes and fetches at each access"

    def appends(self):
        """Both write at the end, which the server gives away."""
        name = os.path.basename(self.file)
        append = [any(call[1] in OPENS and "O_APPEND" in call[2] and name in call[2] for call in calls) for calls in (self.writer, self.reader)]
        return all(append) and self.second["access"] == "write" and "each append gets a place of its own from the server"

    def locks(self):
        """Each of the two has its access between two calls of locks, or the reader has one before it."""
        published = self.between(self.writer, LOCKS)
        had = any(call[0] < self.first["start"] and call[1] in LOCKS for call in self.writer)
        return published and had and self.between(self.reader, LOCKS, published[0][0]) and "to give up a lock publishes, to get one fetches"

    def starts(self):
        """The reader is a process, or a program, that the writer started behind its write."""
        began = self.reader[0][0] if self.reader else 0
        calls = [call for call in self.between(self.writer, STARTS) if call[0] <= began]
        return calls and "the file system publishes at " + calls[0][1]

    def closes(self, fetches):
        """The writer has closed the file, or ended and been waited for; under session, the reader has opened it behind that."""
        closed = [call for call in self.between(self.writer, CLOSES) if os.path.basename(self.file) in call[2]]
        ended = [call for call in self.between(self.writer, ENDS) if self.between(self.reader, WAITS_FOR_ENDS, self.first["end"])]
        for call in closed[:1] + ended[:1]:
            if not fetches or self.between(self.reader, OPENS, call[0]):
                return "the file system publishes at the close" if call in closed else "the file system publishes at the end of the writer"
        return None


def reason_for(group, calls, model, text):
    """Of one pair, or None."""
    pair = Pair(group, calls)
    if HIDDEN_WAITS.search(text) and (model == "posix" or pair.first["access"] == "read"):
        return "a wait that is not recorded puts the " + pair.first["access"] + " first"
    if pair.first["access"] != "write" or model == "posix":
        return None
    if model == "mpi-io":
        return pair.together() or pair.atomic() or None
    fetches = model == "session" and pair.second["access"] == "read"
    return pair.locks() or pair.appends() or pair.starts() or (HIDDEN_WAITS.search(text) and pair.closes(fetches)) or None


def recorded(name, launch, model):
    """What verify says of a recording on a plain folder under the model, and all calls of it."""
    trace = name + ".fathom"
    subprocess.run([FATHOM, "record", "--quiet", "-o", trace, "--", *launch, os.path.abspath(name)], cwd=name + ".folder", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=False, timeout=60)
    trace = os.path.join(name + ".folder", trace)
    shown = subprocess.run([FATHOM, "verify", "--json", "--top", "100", "--model", model, trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
    return (json.loads(shown)["models"][model], all_calls(trace)) if shown else ({}, [])


SCHEDULES = {"waits": "the second call is not made before the first one, however late that is: the MPI library orders them here",
             "published": "the second call is not made before the one that publishes the first one, however late that is: the MPI library orders them here",
             "both": "either order of the two calls gives the same bytes"}


def why_none(found, calls, model, text, of_pair):
    """A reason for all pairs that are racy, or None; True: `of_pair` (schedules.py) has shown other bytes."""
    processes, reasons = by_process(calls), []
    if found.get("verdict") == "safe":
        return "verify finds no racy pair in a recording with this MPI library"
    for group in found.get("groups", []):
        schedule = of_pair(group, calls)
        if schedule is True:
            return True
        is_fetched = model == "posix" or group["first"]["access"] == "read" or (model == "commit" and schedule == "published")
        orders_all = schedule == "both" or (schedule and is_fetched)
        ends = ", and aio is over when its call returns" if group["first"]["chain"][0].startswith(("aio_", "lio_")) else ""
        reasons.append(SCHEDULES[schedule] + ends if orders_all else reason_for(group, processes, model, text))
    return " or ".join(sorted(set(reasons))) if reasons and None not in reasons else None
