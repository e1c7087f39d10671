"""Locks of programs that are not preloaded, against such programs and preloaded ones: locks.py FOLDER. FATHOM_FS and LD_PRELOAD are those of
the preloaded ones."""
import errno
import fcntl
import os
import struct
import subprocess
import sys
import time

path = sys.argv[1] + "/locked"
preloaded = dict(os.environ)
plain = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "FATHOM_FS")}
if "LD_PRELOAD" in os.environ:
    os.execve(sys.executable, [sys.executable, *sys.argv], {**plain, "PRELOADED": os.environ["LD_PRELOAD"], "INSTANCE": os.environ["FATHOM_FS"]})
preloaded.update(LD_PRELOAD=os.environ["PRELOADED"], FATHOM_FS=os.environ["INSTANCE"])
START = "import fcntl, struct, sys; file = open(sys.argv[1], 'r+'); print('asks', flush=True);"


def other(environment, code):
    process = subprocess.Popen([sys.executable, "-c", START + code + "; print('has it', flush=True)", path], env=environment,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "asks\n"
    return process


def rest(process):
    """What it says until it ends, on its output and its standard error."""
    said, why = process.stdout.read(), process.stderr.read()
    process.wait()
    return said, why


def gets(code):
    """Do other processes get it at once: those that are not preloaded, and those that are?"""
    answers = []
    for environment in plain, preloaded:
        said, why = rest(other(environment, code))
        assert said or f"Errno {errno.EAGAIN}" in why, why
        answers.append(said != "")
    assert answers[0] == answers[1], (code, answers)
    return answers[0]


file = open(path, "w+")
file.write("x" * 100)
file.flush()

# ---- of fcntl: ranges, by process ----
fcntl.lockf(file, fcntl.LOCK_EX, 10, 0)
assert not gets("fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 2, 5)")
assert not gets("fcntl.lockf(open(sys.argv[1]), fcntl.LOCK_SH | fcntl.LOCK_NB, 2, 5)")
assert gets("fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 3, 20)")
fcntl.lockf(file, fcntl.LOCK_SH, 10, 0)
assert gets("fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 2, 5)")
assert not gets("fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 2, 5)")
found = struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 9, 0)))
assert found[0] == fcntl.F_UNLCK, "a lock of its own is in its way"
fcntl.lockf(file, fcntl.LOCK_EX, 10, 0)

# who waits can be killed, and gets it when it is given up
for environment in plain, preloaded:
    waiting = other(environment, "fcntl.lockf(file, fcntl.LOCK_EX, 2, 5)")
    time.sleep(0.1)
    waiting.kill()
    assert waiting.wait(timeout=9) == -9
    waiting = other(environment, "fcntl.lockf(file, fcntl.LOCK_EX, 2, 5)")
    time.sleep(0.1)
    assert waiting.poll() is None
    fcntl.lockf(file, fcntl.LOCK_UN)
    assert rest(waiting)[0] == "has it\n"
    fcntl.lockf(file, fcntl.LOCK_EX, 10, 0)

# any close of the process gives them up
os.close(os.open(path, os.O_RDONLY))
assert gets("fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 2, 5)")

# ---- of an open file ----
fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 9, 0))
os.close(os.open(path, os.O_RDONLY))
assert not gets("fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 2, 5)")
file.close()
waiting = other(plain, "fcntl.lockf(file, fcntl.LOCK_EX, 2, 5)")
assert rest(waiting)[0] == "has it\n", "a lock of an open file outlives it"
for kind, shared in (fcntl.LOCK_EX, False), (fcntl.LOCK_SH, True):
    file = open(path, "r+")
    fcntl.flock(file, kind)
    assert not gets("fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)")
    assert gets("fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)") == shared
    waiting = other(plain, "fcntl.flock(file, fcntl.LOCK_EX)")
    file.close()
    assert rest(waiting)[0] == "has it\n"
