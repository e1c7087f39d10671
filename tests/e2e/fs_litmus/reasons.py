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


def calls_of(trace):
    """By process: [(start in s, name, parameters)]."""
    text = subprocess.run([FATHOM, "dump", "--json", trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
    found = {}
    for call in map(json.loads, text.splitlines()):
        name, rest = call["func"], json.dumps([call["args"], call["names"], call["file"]])
        if name == "fcntl" and re.search(r"F_(OFD_)?SETLKW?", rest):
            name = "lock"
        found.setdefault(call["proc"], []).append((call["start"], name, rest))
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
        calls = self.between(self.writer, TOGETHER)
        return calls and self.between(self.reader, TOGETHER) and "all ranks publish, wait for each other and fetch in " + calls[0][1]

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
        return pair.together() or None
    fetches = model == "session" and pair.second["access"] == "read"
    return pair.locks() or pair.starts() or (HIDDEN_WAITS.search(text) and pair.closes(fetches)) or None


def why_none(name, launch, model, text):
    """A reason for all pairs that are racy, or None."""
    trace = name + ".fathom"
    subprocess.run([FATHOM, "record", "--quiet", "-o", trace, "--", *launch, os.path.abspath(name)], cwd=name + ".folder", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=False, timeout=60)
    trace = os.path.join(name + ".folder", trace)
    shown = subprocess.run([FATHOM, "verify", "--json", "--top", "100", "--model", model, trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
    if not shown:
        return None
    calls = calls_of(trace)
    reasons = [reason_for(group, calls, model, text) for group in json.loads(shown)["models"][model]["groups"]]
    return " or ".join(sorted(set(reasons))) if reasons and None not in reasons else None
