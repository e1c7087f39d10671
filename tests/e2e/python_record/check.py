"""Records blocks of this very program. Tables are asked for by `fathom dump`: this test needs no library for Arrow."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.join(os.environ["BUILD"], "share", "fathom", "python"))
import fathom


def calls_of(path):
    import json

    lines = subprocess.run([os.environ["FATHOM"], "dump", "--json", path], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def write(name):
    with open(name, "wb") as file:
        file.write(b"x" * 10000)


def wrote(calls):
    return sorted({os.path.basename(call["file"]) for call in calls if call["func"] == "write" and call["bytes"] == 10000})


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


write("before")
with fathom.record("block.fathom") as recording:
    write("inside")
    subprocess.run([sys.executable, "-c", "open('child', 'wb').write(b'x' * 10000)"], check=True)
write("behind")
calls = calls_of("block.fathom")
check(wrote(calls) == ["child", "inside"], f"files written: {wrote(calls)}")
check(recording.trace.call_count == len(calls), "the trace is open")
of_child = {call["proc"] for call in calls if call["func"] == "write" and call["file"].endswith("/child")}
check({call["proc"] for call in calls} == {0, *of_child}, "Fathom itself is recorded")
check(sum(call["proc"] == 0 for call in calls) < 200, f"{sum(call['proc'] == 0 for call in calls)} calls for a block of a few")
check(os.path.samefile(recording.trace.filename, "block.fathom"), "its path")

try:
    fathom.record("block.fathom")
    check(False, "a trace is replaced")
except FileExistsError as problem:
    check("force=True" in str(problem), problem)

# An exception goes through, and the trace is there.
try:
    with fathom.record("block.fathom", force=True) as recording:
        write("again")
        raise KeyError("mine")
except KeyError:
    pass
check(wrote(calls_of("block.fathom")) == ["again"] and recording.trace.call_count, "the block with an exception")

# What cannot be attached to says why, and the block does not run.
ran = False
try:
    with fathom.record("two.fathom"):
        with fathom.record("inner.fathom"):
            ran = True
except RuntimeError as problem:
    check("record" in str(problem), problem)
else:
    check(False, "a recorded program is recorded twice")
check(not ran and os.path.exists("two.fathom") and not os.path.exists("inner.fathom"), "the inner block")

# The program that attached is killed: that is an error with its reason, and the program can be recorded again.
try:
    with fathom.record("killed.fathom") as recording:
        os.kill(recording._attached.pid, 9)
        recording._attached.wait()
except RuntimeError as problem:
    check("signal 9" in str(problem), problem)
else:
    check(False, "no error")
for folder in glob.glob(os.path.join(tempfile.gettempdir(), "fathom-*")):
    shutil.rmtree(folder)  # the spill folder is kept
with fathom.record("killed.fathom") as recording:
    write("after")
check(wrote(calls_of("killed.fathom")) == ["after"], "the recording behind")
