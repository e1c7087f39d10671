"""Random calls of two programs in turns, one preloaded and one not, mixed.py SEED STEPS FOLDER OTHER [closed]. What they answer must be the same as on
the other folder, which is a local one: under posix consistency, or with closed, by which files are closed behind each call, also under session."""
import hashlib
import json
import os
import random
import subprocess
import sys

NAMES = ["a", "b", "c", "d/e"]
FLAGS = [os.O_RDWR | os.O_CREAT, os.O_RDWR, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, os.O_RDWR | os.O_CREAT | os.O_APPEND, os.O_RDONLY]


class Calls:
    """On one folder; bytes are answered as what tells them from others."""

    def __init__(self, folder):
        self.folder, self.files = folder + "/", {}

    def open(self, number, name, flags):
        self.files[number] = os.open(self.folder + name, flags, 0o644)

    def patch(self, name, flags, letter, size, offset):
        file = os.open(self.folder + name, flags, 0o644)
        try:
            return os.pwrite(file, bytes([letter]) * size, offset)
        finally:
            os.close(file)

    def close(self, number):
        os.close(self.files.pop(number))

    def write(self, number, letter, size):
        return os.write(self.files[number], bytes([letter]) * size)

    def pwrite(self, number, letter, size, offset):
        return os.pwrite(self.files[number], bytes([letter]) * size, offset)

    def pread(self, number, size, offset):
        return self.digest(os.pread(self.files[number], size, offset))

    def ftruncate(self, number, size):
        os.ftruncate(self.files[number], size)

    def fstat(self, number):
        facts = os.fstat(self.files[number])
        return [facts.st_size, facts.st_nlink]

    def stat(self, name):
        return os.stat(self.folder + name).st_size

    def unlink(self, name):
        os.unlink(self.folder + name)

    def rename(self, name, other):
        os.rename(self.folder + name, self.folder + other)

    def link(self, name, other):
        os.link(self.folder + name, self.folder + other)

    def truncate(self, name, size):
        os.truncate(self.folder + name, size)

    def contents(self, name):
        with open(self.folder + name, "rb") as file:
            return self.digest(file.read())

    def listdir(self):
        return sorted(os.listdir(self.folder))

    @staticmethod
    def digest(data):
        return [len(data), hashlib.sha1(data).hexdigest()]


def do(calls, call):
    try:
        return getattr(calls, call[0])(*call[1:])
    except OSError as error:
        return ["errno", error.errno]


def serve(folder):
    calls = Calls(folder)
    for line in sys.stdin:
        print(json.dumps(do(calls, json.loads(line))), flush=True)


def start(folder, more):
    return subprocess.Popen([sys.executable, sys.argv[0], folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            env={**os.environ, **more})


def choose(draw, number, opened, closed):
    name, size, offset, letter = draw.choice(NAMES), draw.choice([1, 7, 4096, 5000, 70000]), draw.randrange(100000), draw.randrange(1, 255)
    if not opened or draw.randrange(3) == 0:
        change = ["patch", name, draw.choice(FLAGS), letter, size, offset] if closed else ["open", number, name, draw.choice(FLAGS)]
        return draw.choice([change, change, change, ["stat", name], ["unlink", name],
                            ["rename", name, draw.choice(NAMES)], ["link", name, draw.choice(NAMES)], ["truncate", name, offset],
                            ["contents", name], ["contents", name], ["listdir"]])
    file = draw.choice(opened)
    return draw.choice([["close", file], ["write", file, letter, size], ["pwrite", file, letter, size, offset], ["pread", file, size, offset],
                        ["pread", file, 200000, 0], ["ftruncate", file, offset], ["fstat", file]])


def main(seed, steps, folder, other, closed):
    draw = random.Random(seed)
    for each in folder, other:
        os.makedirs(each + "/d", exist_ok=True)
    workers = [start(folder, {}), start(folder, {"LD_PRELOAD": "", "FATHOM_FS": ""})]
    locals_ = [Calls(other), Calls(other)]
    for step in range(steps):
        who = draw.randrange(2)
        opened = sorted(locals_[who].files)
        call = ["close", opened[0]] if len(opened) > 5 else choose(draw, step, opened, closed)
        workers[who].stdin.write(json.dumps(call) + "\n")
        workers[who].stdin.flush()
        found, expected = json.loads(workers[who].stdout.readline()), do(locals_[who], call)
        if found != expected:
            sys.exit(f"seed {seed}, step {step}, {'not ' * who}preloaded, {call}: {found} and not {expected}")
    for worker in workers:
        worker.stdin.close()
        assert worker.wait() == 0


if len(sys.argv) == 2:
    serve(sys.argv[1])
else:
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:5], sys.argv[5:] == ["closed"])
